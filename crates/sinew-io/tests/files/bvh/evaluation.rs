//! Joint positions against an evaluator that shares nothing with the importer.

use std::collections::BTreeMap;

use sinew_io::{ImportOptions, load, load_bytes};

use super::TEXT;
use crate::support::data::{data_folder, files_below};
use crate::support::pose_model::pose_model;

type Matrix = [[f64; 4]; 3];

/// A joint of the evaluator: its parent, offset and the names of its channels.
struct Joint<'a> {
    parent: Option<usize>,
    offset: [f64; 3],
    channels: Vec<&'a str>,
}

/// Joints, and the numbers of all frames.
fn parse(text: &str) -> (Vec<Joint<'_>>, f64, Vec<Vec<f64>>) {
    let (hierarchy, motion) = text.split_once("MOTION").expect("valid data");
    let (mut joints, mut open): (Vec<Joint<'_>>, Vec<usize>) = (Vec::new(), Vec::new());
    for line in hierarchy.replace('{', "\n{\n").replace('}', "\n}\n").leak().lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["ROOT" | "JOINT", ..] | ["End", "Site"] => {
                let parent = open.last().copied();
                joints.push(Joint { parent, offset: [0.0; 3], channels: Vec::new() });
            }
            ["{"] => open.push(joints.len() - 1),
            ["}"] => drop(open.pop()),
            ["OFFSET", x, y, z] => {
                joints[*open.last().expect("valid data")].offset =
                    [x, y, z].map(|number| number.parse().expect("valid data"));
            }
            ["CHANNELS", _, ref channels @ ..] => {
                joints[*open.last().expect("valid data")].channels = channels.to_vec()
            }
            _ => {}
        }
    }
    let frame_time =
        motion.split("Time:").nth(1).expect("valid data").split_whitespace().next().expect("valid data");
    let frames = motion.lines().skip_while(|line| !line.contains("Time:")).skip(1);
    let numbers =
        |line: &str| line.split_whitespace().map(|number| number.parse().expect("valid data")).collect();
    let frames = frames.map(numbers).filter(|frame: &Vec<f64>| !frame.is_empty()).collect();
    (joints, frame_time.parse().expect("valid data"), frames)
}

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    std::array::from_fn(|row| {
        std::array::from_fn(|column| {
            let sum: f64 = (0..3).map(|k| a[row][k] * b[k][column]).sum();
            if column == 3 { sum + a[row][3] } else { sum }
        })
    })
}

/// The rotation about an axis, written out as a matrix.
fn turn(axis: char, degrees: f64) -> Matrix {
    let (s, c) = degrees.to_radians().sin_cos();
    match axis {
        'X' => [[1.0, 0.0, 0.0, 0.0], [0.0, c, -s, 0.0], [0.0, s, c, 0.0]],
        'Y' => [[c, 0.0, s, 0.0], [0.0, 1.0, 0.0, 0.0], [-s, 0.0, c, 0.0]],
        _ => [[c, -s, 0.0, 0.0], [s, c, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]],
    }
}

/// The model matrices of all joints in a frame.
fn evaluate(joints: &[Joint<'_>], frame: &[f64]) -> Vec<Matrix> {
    let mut numbers = frame.iter();
    let mut model: Vec<Matrix> = Vec::new();
    for joint in joints {
        let mut at = joint.offset;
        let mut rotation = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];
        for channel in &joint.channels {
            let (axis, number) =
                (channel.chars().next().expect("valid data"), *numbers.next().expect("valid data"));
            match channel.ends_with("position") {
                true => at["XYZ".find(axis).expect("valid data")] = number,
                false => rotation = product(&rotation, &turn(axis, number)),
            }
        }
        for (row, at) in rotation.iter_mut().zip(at) {
            row[3] = at;
        }
        model.push(joint.parent.map_or(rotation, |parent| product(&model[parent], &rotation)));
    }
    model
}

/// The largest distance of a joint from its evaluated position, as a part of the largest
/// coordinate.
fn largest_error(text: &str, import: &sinew_io::Import, step: usize) -> f64 {
    let (joints, frame_time, frames) = parse(text);
    assert_eq!(import.model.skeleton().len(), joints.len());
    let (mut largest, mut size) = (0.0_f64, 1e-30_f64);
    for (index, frame) in frames.iter().enumerate().step_by(step) {
        let seconds = (index as f64 * frame_time) as f32;
        let posed = pose_model(&import.model, Some((0, seconds)));
        for (found, expected) in posed.model_from_joint.iter().zip(evaluate(&joints, frame)) {
            for (found, expected) in found.rows.iter().zip(expected) {
                largest = largest.max((f64::from(found[3]) - expected[3]).abs());
                size = size.max(expected[3].abs());
            }
        }
    }
    largest / size
}

#[test]
fn generated_file_matches_the_evaluator() {
    let import = load_bytes(TEXT.as_bytes(), &ImportOptions::default()).expect("valid data");
    assert!(import.report.is_empty(), "{}", import.report);
    let error = largest_error(TEXT, &import, 1);
    assert!(error < 1e-6, "{error}");
    let model = import.model;
    let names: Vec<_> = model.skeleton().joints().map(|joint| model.skeleton().name(joint)).collect();
    let expected = ["hips", "left leg", "left leg end", "spine", "head", "head end", "prop", "handle"];
    assert_eq!(names, expected);
    let clip = &model.clips()[0];
    assert_eq!((clip.name(), clip.start(), clip.end()), ("motion", 0.0, 0.5));
}

/// A stick starts and ends at joints, whatever the pose.
#[test]
fn sticks_connect_joints_in_every_frame() {
    let model = load_bytes(TEXT.as_bytes(), &ImportOptions::default()).expect("valid data").model;
    // One stick for each joint that has a parent and is not at the same place: 24 vertices each.
    assert_eq!(model.primitive(0).mesh.len(), 5 * 24);
    for seconds in [0.0, 0.25, 0.5] {
        let posed = pose_model(&model, Some((0, seconds)));
        let origin = |joint: usize| posed.model_from_joint[joint].rows.map(|row| row[3]);
        let sticks = [(0, 1), (1, 2), (0, 3), (4, 5), (6, 7)];
        for (stick, (parent, child)) in sticks.into_iter().enumerate() {
            let from = posed.positions[0][24 * stick];
            let distance = |a: [f32; 3], b: [f32; 3]| (0..3).map(|i| (a[i] - b[i]).abs()).fold(0.0, f32::max);
            assert!(distance(from, origin(parent)) < 1e-5, "stick {stick} at {seconds}");
            // The tip is where the child is at rest; position channels of a child move it away.
            if child != 3 {
                assert!(distance(posed.positions[0][24 * stick + 12], origin(child)) < 1e-5);
            }
        }
    }
}

#[test]
fn every_cmu_file_matches_the_evaluator() {
    let Some(data) = data_folder() else { return };
    let files = files_below(&data.join("cmu-bvh"), &["bvh"]);
    assert!(files.len() >= 36);
    let mut errors = BTreeMap::new();
    for path in files {
        let text = std::fs::read_to_string(&path).expect("valid data");
        let import = load(&path).unwrap_or_else(|error| panic!("{error}"));
        assert!(import.report.is_empty(), "{}: {}", path.display(), import.report);
        let error = largest_error(&text, &import, 7);
        assert!(error < 1e-6, "{}: {error}", path.display());
        errors.insert(path, error);
    }
    let largest = errors.values().copied().fold(0.0, f64::max);
    eprintln!("{} files, largest error {largest:.2e} of the largest coordinate", errors.len());
}
