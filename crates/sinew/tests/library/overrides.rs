//! Joints that the program sets itself, in their parents' space and in model space.

use crate::rigs;

use crate::limbs::{Scales, length, rig, straight, sub, unit, whole};
use crate::rigs::Numbers;
use sinew::{Error, ModelRotation, Override, Transform};

#[test]
fn overrides_set_their_parts_and_leave_the_others() {
    let skeleton = rigs::bush(9);
    let (before, mut numbers) = (rigs::pose(&skeleton, 1), Numbers::new(2));
    let rotation = numbers.rotation();
    let mut pose = before.clone();
    let parts = [
        Override { rotation: Some(rotation), ..Override::new(2) },
        Override { translation: Some([1.0, 2.0, 3.0]), weight: 0.5, ..Override::new(3) },
        Override { scale: Some([3.0; 3]), weight: 0.5, ..Override::new(4) },
        Override { rotation: Some(rotation), weight: 0.0, ..Override::new(5) },
    ];
    pose.override_joints(&parts).unwrap();
    assert_eq!(pose.transform(2), Transform { rotation, ..before.transform(2) });
    let [x, ..] = before.transform(3).translation;
    assert_eq!(pose.transform(3).translation[0], 0.5 * x + 0.5);
    assert_eq!(pose.transform(3).rotation, before.transform(3).rotation);
    assert_eq!(pose.transform(4), Transform { scale: [2.0; 3], ..before.transform(4) });
    assert_eq!(pose.transform(5), before.transform(5));
}

#[test]
fn bad_overrides_are_refused_before_anything_changes() {
    let skeleton = rigs::bush(9);
    let mut pose = rigs::pose(&skeleton, 1);
    let before = pose.clone();
    let good = Override { translation: Some([9.0; 3]), ..Override::new(0) };
    for bad in [
        Override::new(9),
        Override { weight: 2.0, ..good },
        Override { rotation: Some([0.0; 4]), ..good },
        Override { scale: Some([f32::NAN; 3]), ..good },
    ] {
        assert!(pose.override_joints(&[good, bad]).is_err());
        assert_eq!(pose, before);
    }
}

#[test]
fn a_joint_gets_the_rotation_that_it_is_given_in_model_space() {
    let mut numbers = Numbers::new(8);
    for scales in [Scales::None, Scales::Even] {
        for round in 0..200 {
            let (skeleton, mut pose, mut matrices) = rig(scales, &mut numbers);
            let (joint, rotation) = (round % 8, numbers.rotation());
            let turn = ModelRotation { joint, rotation, weight: 1.0 };
            skeleton.turn_in_model(&turn, &mut pose, &mut matrices).unwrap();
            let expected = Transform { rotation, ..Transform::IDENTITY }.matrix();
            let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
            for axis in axes {
                let found = unit(matrices[joint].transform_vector(axis));
                assert!(length(sub(found, expected.transform_vector(axis))) < 1e-5);
            }
            assert_eq!(matrices, whole(&skeleton, &pose));
        }
    }
}

#[test]
fn bad_rotations_in_model_space_are_refused() {
    let (skeleton, mut pose, mut matrices) = straight();
    let turn = ModelRotation { joint: 1, rotation: [0.0, 0.0, 0.0, 1.0], weight: 1.0 };
    for bad in [
        ModelRotation { joint: 3, ..turn },
        ModelRotation { rotation: [0.0; 4], ..turn },
        ModelRotation { rotation: [f32::NAN; 4], ..turn },
        ModelRotation { weight: -1.0, ..turn },
    ] {
        assert!(skeleton.turn_in_model(&bad, &mut pose, &mut matrices).is_err(), "{bad:?}");
    }
    let short = skeleton.turn_in_model(&turn, &mut pose, &mut matrices[..2]);
    assert_eq!(short, Err(Error::Length { what: "model matrices", expected: 3, found: 2 }));
}

#[test]
fn setting_joints_allocates_nothing() {
    let (skeleton, mut pose, mut matrices) = rig(Scales::UnevenAbove, &mut Numbers::new(9));
    let counted = allocation_counter::measure(|| {
        let turn = ModelRotation { joint: 7, rotation: [0.0, 0.0, 0.0, 1.0], weight: 0.5 };
        skeleton.turn_in_model(&turn, &mut pose, &mut matrices).unwrap();
        pose.override_joints(&[Override { scale: Some([2.0; 3]), ..Override::new(1) }]).unwrap();
    });
    assert_eq!(counted.count_total, 0);
}
