//! Serialization: values round-trip bit for bit, and deserialized values are validated.

#![cfg(feature = "serde")]

use serde::de::DeserializeOwned;
use sinew::{JointId, Pose, Skeleton, Skin, Transform};

use crate::support::poses::scales;
use crate::support::random_rigs::{random_pose, random_scaled_pose, random_tree};

fn from_json<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

fn assert_rejected<T: DeserializeOwned + std::fmt::Debug>(text: &str, reason: &str) {
    let error = from_json::<T>(text).expect_err("a fault");
    assert!(error.starts_with(reason), "{error}");
}

#[test]
fn a_skeleton_round_trips_bit_for_bit() {
    let skeleton = random_tree(500);
    let text = serde_json::to_string(&skeleton).unwrap();
    assert_eq!(from_json::<Skeleton>(&text).unwrap().bones(), skeleton.bones());
}

#[test]
fn a_skin_round_trips_bit_for_bit() {
    let skin =
        Skin::new(&random_tree(50), &[JointId::new(4), JointId::new(2), JointId::new(2), JointId::new(40)])
            .unwrap();
    let back: Skin = from_json(&serde_json::to_string(&skin).unwrap()).unwrap();
    assert!(back.joints().eq(skin.joints()));
    assert_eq!(back.inverse_binds(), skin.inverse_binds());
    assert_eq!(back.skeleton_len(), 50);
}

#[test]
fn a_pose_round_trips_bit_for_bit_with_and_without_scales() {
    let skeleton = random_tree(50);
    for pose in [random_pose(&skeleton, 1), random_scaled_pose(&skeleton, 1)] {
        let back: Pose = from_json(&serde_json::to_string(&pose).unwrap()).unwrap();
        assert_eq!((&back, scales(&back)), (&pose, scales(&pose)));
    }
}

#[test]
fn missing_transform_components_are_the_identity() {
    let transform: Transform = from_json(r#"{ "translation": [1, 2, 3] }"#).unwrap();
    assert_eq!(transform, Transform { translation: [1.0, 2.0, 3.0], ..Transform::IDENTITY });
}

#[test]
fn a_deserialized_skeleton_is_validated() {
    assert_rejected::<Skeleton>(r#"{ "bones": [] }"#, "skeleton: expected at least one joint");
    let itself = r#"{ "bones": [{ "name": "hip", "parent": 0, "rest": {} }] }"#;
    assert_rejected::<Skeleton>(itself, "joint 0 \"hip\": expected a parent that comes before it");
    let zero = r#"{ "bones": [{ "name": "hip", "parent": null, "rest": { "rotation": [0, 0, 0, 0] } }] }"#;
    assert_rejected::<Skeleton>(zero, "joint 0 \"hip\": expected a rotation of length one");
}

#[test]
fn a_deserialized_skin_is_validated() {
    let skin = r#"{ "skeleton_len": 4, "joints": [4], "inverse_binds": [] }"#;
    assert_rejected::<Skin>(skin, "joint 0 of the skin: expected a joint below 4, found 4");
    let skin = r#"{ "skeleton_len": 4, "joints": [3], "inverse_binds": [] }"#;
    assert_rejected::<Skin>(skin, "inverse binds of the skin: expected 1, found 0");
    assert_rejected::<Skin>(r#"{ "skeleton_len": 4, "joints": [], "inverse_binds": [] }"#, "skin: expected");
}

#[test]
fn a_deserialized_pose_is_validated() {
    assert_rejected::<Pose>(r#"{ "joints": [] }"#, "pose: expected at least one joint");
    let zero = r#"{ "joints": [{ "rotation": [0, 0, 0, 0], "translation": [0, 0, 0] }] }"#;
    assert_rejected::<Pose>(zero, "joint 0: expected a rotation of length one");
    let scales = r#"{ "joints": [{ "rotation": [0, 0, 0, 2], "translation": [0, 0, 0] }], "scales": [] }"#;
    assert_rejected::<Pose>(scales, "scales of the pose: expected 1, found 0");
    let long = r#"{ "joints": [{ "rotation": [0, 0, 0, 2], "translation": [0, 0, 0] }] }"#;
    assert_eq!(from_json::<Pose>(long).unwrap().rotation(JointId::new(0)), [0.0, 0.0, 0.0, 1.0]);
}

#[test]
fn morph_weights_round_trip_with_skeleton_and_pose() {
    let skeleton = random_tree(5).with_morph_weights(&[0.5, -1.0]).unwrap();
    let back: Skeleton = from_json(&serde_json::to_string(&skeleton).unwrap()).unwrap();
    assert_eq!(back.rest(), skeleton.rest());
    let pose: Pose = from_json(&serde_json::to_string(skeleton.rest()).unwrap()).unwrap();
    assert_eq!(&pose, skeleton.rest());
    // A number too large for `f32` is deserialized as infinity.
    let text = serde_json::to_string(&skeleton).unwrap().replace("-1.0", "1e300");
    assert_rejected::<Skeleton>(&text, "weight of morph target 1: expected a finite number, found inf");
}
