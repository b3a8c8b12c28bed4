//! What is written to a file and read again is the same, and what is read is checked.

#![cfg(feature = "serde")]

use crate::rigs;

use serde::de::DeserializeOwned;
use sinew::{Pose, Skeleton, Skin, Transform};

fn read<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

fn assert_refused<T: DeserializeOwned + std::fmt::Debug>(text: &str, reason: &str) {
    let error = read::<T>(text).expect_err("a fault");
    assert!(error.starts_with(reason), "{error}");
}

#[test]
fn a_skeleton_comes_back_bit_for_bit() {
    let skeleton = rigs::bush(500);
    let text = serde_json::to_string(&skeleton).unwrap();
    assert_eq!(read::<Skeleton>(&text).unwrap().bones(), skeleton.bones());
}

#[test]
fn a_skin_comes_back_bit_for_bit() {
    let skin = Skin::new(&rigs::bush(50), &[4, 2, 2, 40]).unwrap();
    let back: Skin = read(&serde_json::to_string(&skin).unwrap()).unwrap();
    assert_eq!((back.joints(), back.inverse_binds()), (skin.joints(), skin.inverse_binds()));
    assert_eq!(back.skeleton_len(), 50);
}

#[test]
fn a_pose_comes_back_bit_for_bit_with_and_without_scales() {
    let skeleton = rigs::bush(50);
    for pose in [rigs::pose(&skeleton, 1), rigs::scaled_pose(&skeleton, 1)] {
        let back: Pose = read(&serde_json::to_string(&pose).unwrap()).unwrap();
        assert_eq!((&back, back.scales()), (&pose, pose.scales()));
    }
}

#[test]
fn parts_of_a_transform_that_are_missing_are_the_identity() {
    let transform: Transform = read(r#"{ "translation": [1, 2, 3] }"#).unwrap();
    assert_eq!(transform, Transform { translation: [1.0, 2.0, 3.0], ..Transform::IDENTITY });
}

#[test]
fn a_skeleton_that_is_read_is_checked() {
    assert_refused::<Skeleton>(r#"{ "bones": [] }"#, "skeleton: expected at least one joint");
    let itself = r#"{ "bones": [{ "name": "hip", "parent": 0, "rest": {} }] }"#;
    assert_refused::<Skeleton>(itself, "joint 0 \"hip\": expected a parent that comes before it");
    let zero = r#"{ "bones": [{ "name": "hip", "parent": null, "rest": { "rotation": [0, 0, 0, 0] } }] }"#;
    assert_refused::<Skeleton>(zero, "joint 0 \"hip\": expected a rotation of length one");
}

#[test]
fn a_skin_that_is_read_is_checked() {
    let skin = r#"{ "skeleton_len": 4, "joints": [4], "inverse_binds": [] }"#;
    assert_refused::<Skin>(skin, "joint 0 of the skin: expected a joint below 4, found 4");
    let skin = r#"{ "skeleton_len": 4, "joints": [3], "inverse_binds": [] }"#;
    assert_refused::<Skin>(skin, "inverse binds of the skin: expected 1, found 0");
    assert_refused::<Skin>(r#"{ "skeleton_len": 4, "joints": [], "inverse_binds": [] }"#, "skin: expected");
}

#[test]
fn a_pose_that_is_read_is_checked() {
    assert_refused::<Pose>(r#"{ "joints": [] }"#, "pose: expected at least one joint");
    let zero = r#"{ "joints": [{ "rotation": [0, 0, 0, 0], "translation": [0, 0, 0] }] }"#;
    assert_refused::<Pose>(zero, "joint 0: expected a rotation of length one");
    let scales = r#"{ "joints": [{ "rotation": [0, 0, 0, 2], "translation": [0, 0, 0] }], "scales": [] }"#;
    assert_refused::<Pose>(scales, "scales of the pose: expected 1, found 0");
    let long = r#"{ "joints": [{ "rotation": [0, 0, 0, 2], "translation": [0, 0, 0] }] }"#;
    assert_eq!(read::<Pose>(long).unwrap().joints()[0].rotation, [0.0, 0.0, 0.0, 1.0]);
}

#[test]
fn morph_weights_come_back_with_skeleton_and_pose() {
    let skeleton = rigs::bush(5).with_morph_weights(&[0.5, -1.0]).unwrap();
    let back: Skeleton = read(&serde_json::to_string(&skeleton).unwrap()).unwrap();
    assert_eq!(back.rest(), skeleton.rest());
    let pose: Pose = read(&serde_json::to_string(skeleton.rest()).unwrap()).unwrap();
    assert_eq!(&pose, skeleton.rest());
    // A number too large for its type is read as infinite.
    let text = serde_json::to_string(&skeleton).unwrap().replace("-1.0", "1e300");
    assert_refused::<Skeleton>(&text, "weight of morph target 1: expected a finite number, found inf");
}
