//! Poses of real models, as an independent evaluation in doubles has them. The models lie where `SINEW_DATA` points.

use std::path::{Path, PathBuf};

use crate::posed::posed;
use serde_json::Value;
use sinew::Model;
use sinew_io::{ClipFile, Options};

/// The largest error of a pose, as a share of its diagonal.
const LARGEST: f64 = 1e-5;

/// Half of the poses are at least this good.
const MEDIAN: f64 = 1e-6;

fn data() -> Option<PathBuf> {
    let data = std::env::var_os("SINEW_DATA").map(PathBuf::from);
    if data.is_none() {
        eprintln!("skipped: SINEW_DATA does not say where the models are");
    }
    data
}

/// The positions of each primitive, in doubles.
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

/// The largest distance of a vertex from where it should be, as a share of the diagonal.
fn error(model: &Model, clip: Option<(usize, f32)>, expected: &[Vec<[f64; 3]>]) -> f64 {
    let found = posed(model, clip).positions;
    assert_eq!(found.len(), expected.len(), "parts");
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

/// A model of MD5 with one clip beside it, and the time of a frame.
fn md5(path: &Path, anim: &str, frame: f64) -> (Model, Option<(usize, f32)>) {
    let mut options = Options::default();
    let mut clip = None;
    if anim != "bind" {
        let beside = path.with_file_name(format!("{anim}.md5anim"));
        let text = std::fs::read_to_string(&beside).expect("a clip beside its mesh");
        let rate = text.lines().find_map(|line| line.strip_prefix("frameRate")).expect("a rate");
        clip = Some((0, (frame / rate.trim().parse::<f64>().expect("a number")) as f32));
        options.clips.push(ClipFile::Path(beside));
    }
    (sinew_io::read_with(path, &options).unwrap_or_else(|error| panic!("{error}")).model, clip)
}

#[test]
fn golden_poses_are_met() {
    let Some(data) = data() else { return };
    let index = std::fs::read_to_string(data.join("golden/index.json")).unwrap();
    let index: Value = serde_json::from_str(&index).unwrap();
    let mut errors = Vec::new();
    for entry in index.as_array().unwrap() {
        let text = |key: &str| entry[key].as_str().unwrap();
        let path = data.join(text("file"));
        let (model, clip) = match entry["frame"].as_f64() {
            Some(frame) => md5(&path, text("anim"), frame),
            None => {
                let model = sinew_io::read(&path).unwrap_or_else(|error| panic!("{error}")).model;
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
