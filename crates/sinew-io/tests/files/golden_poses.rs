//! Poses of real models match an independent evaluation in `f64`. The models come from
//! `SINEW_DATA`.

use std::path::Path;

use crate::support::data::data_folder;
use crate::support::pose_model::pose_model;
use serde_json::Value;
use sinew::Model;
use sinew_io::{ClipFile, ImportOptions};

/// The largest error of a pose, relative to the diagonal of its bounds.
const LARGEST: f64 = 1e-5;

/// The largest median error of all poses.
const MEDIAN: f64 = 1e-6;

/// The positions of each primitive, in `f64`.
fn expected(path: &Path) -> Vec<Vec<[f64; 3]>> {
    let bytes = std::fs::read(path).expect("a golden pose");
    assert_eq!(&bytes[..4], b"SKO1");
    let mut rest = &bytes[4..];
    let mut take = |len: usize| {
        let (taken, left) = rest.split_at(len);
        rest = left;
        taken.to_vec()
    };
    let whole = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().expect("four bytes")) as usize;
    let primitives = whole(&take(4));
    let primitive = |_| {
        // Node, mesh, primitive and whether it is skinned.
        take(16);
        let vertices = whole(&take(4));
        let bytes = take(vertices * 24);
        let float = |at: usize| f64::from_le_bytes(bytes[at * 8..][..8].try_into().expect("eight bytes"));
        (0..vertices).map(|vertex| [0, 1, 2].map(|axis| float(vertex * 3 + axis))).collect()
    };
    (0..primitives).map(primitive).collect()
}

/// The largest distance of a vertex from its expected position, relative to the diagonal of the
/// bounds.
fn error(model: &Model, clip: Option<(usize, f32)>, expected: &[Vec<[f64; 3]>]) -> f64 {
    let found = pose_model(model, clip).positions;
    assert_eq!(found.len(), expected.len(), "mesh instances");
    let mut largest = 0.0_f64;
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for (found, expected) in found.iter().zip(expected) {
        assert_eq!(found.len(), expected.len(), "vertices");
        for (found, expected) in found.iter().zip(expected) {
            let squared: f64 = (0..3).map(|axis| (f64::from(found[axis]) - expected[axis]).powi(2)).sum();
            assert!(!squared.is_nan());
            largest = largest.max(squared.sqrt());
            for axis in 0..3 {
                low[axis] = low[axis].min(expected[axis]);
                high[axis] = high[axis].max(expected[axis]);
            }
        }
    }
    let diagonal = (0..3).map(|axis| (high[axis] - low[axis]).powi(2)).sum::<f64>().sqrt();
    if diagonal > 0.0 { largest / diagonal } else { largest }
}

/// An MD5 model with one clip from its folder, and the time of a frame.
fn md5(path: &Path, anim: &str, frame: f64) -> (Model, Option<(usize, f32)>) {
    let mut options = ImportOptions::default();
    let mut clip = None;
    if anim != "bind" {
        let clip_path = path.with_file_name(format!("{anim}.md5anim"));
        let text = std::fs::read_to_string(&clip_path).expect("a clip next to its mesh");
        let rate = text.lines().find_map(|line| line.strip_prefix("frameRate")).expect("a rate");
        clip = Some((0, (frame / rate.trim().parse::<f64>().expect("a number")) as f32));
        options.clips.push(ClipFile::Path(clip_path));
    }
    (sinew_io::load_with(path, &options).unwrap_or_else(|error| panic!("{error}")).model, clip)
}

#[test]
fn golden_poses_match() {
    let Some(data) = data_folder() else { return };
    let index = std::fs::read_to_string(data.join("golden/index.json")).unwrap();
    let index: Value = serde_json::from_str(&index).unwrap();
    let mut errors = Vec::new();
    for entry in index.as_array().unwrap() {
        let text = |key: &str| entry[key].as_str().unwrap();
        let path = data.join(text("file"));
        let (model, clip) = match entry["frame"].as_f64() {
            Some(frame) => md5(&path, text("anim"), frame),
            None => {
                let model = sinew_io::load(&path).unwrap_or_else(|error| panic!("{error}")).model;
                let clip = text("anim").strip_prefix('a').and_then(|clip| clip.parse().ok());
                (model, clip.map(|clip| (clip, entry["time"].as_f64().unwrap() as f32)))
            }
        };
        let expected = expected(&data.join("golden").join(text("sko")));
        let error = error(&model, clip, &expected);
        errors.push((error, text("sko").to_owned()));
    }
    assert_eq!(errors.len(), index.as_array().unwrap().len());
    errors.sort_by(|a, b| a.0.total_cmp(&b.0));
    let median = errors[errors.len() / 2].0;
    let (largest, which) = errors.last().unwrap();
    eprintln!("{} poses, median {median:.2e}, largest {largest:.2e} ({which})", errors.len());
    for (error, which) in &errors {
        assert!(*error <= LARGEST, "{error:.2e} {which}");
    }
    assert!(median <= MEDIAN);
}
