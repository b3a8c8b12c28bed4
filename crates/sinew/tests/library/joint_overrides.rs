//! Joints that the program sets itself, in local space and in model space.

use sinew::animation::{ModelRotation, Override};
use sinew::{JointId, LengthError, Transform};

use crate::support::limb_chains::{Scales, random_limb, straight_arm};
use crate::support::matrices::compute_model_matrices;
use crate::support::random_rigs::{Lcg, random_pose, random_tree};
use crate::support::vec3_f32::{length, normalize, sub};

#[test]
fn an_override_sets_its_components_and_leaves_the_others() {
    let skeleton = random_tree(9);
    let (before, mut rng) = (random_pose(&skeleton, 1), Lcg::new(2));
    let rotation = rng.rotation();
    let mut pose = before.clone();
    let parts = [
        Override { rotation: Some(rotation), ..Override::new(JointId::new(2)) },
        Override { translation: Some([1.0, 2.0, 3.0]), weight: 0.5, ..Override::new(JointId::new(3)) },
        Override { scale: Some([3.0; 3]), weight: 0.5, ..Override::new(JointId::new(4)) },
        Override { rotation: Some(rotation), weight: 0.0, ..Override::new(JointId::new(5)) },
    ];
    pose.override_joints(&parts).unwrap();
    assert_eq!(pose.transform(JointId::new(2)), Transform { rotation, ..before.transform(JointId::new(2)) });
    let [x, ..] = before.transform(JointId::new(3)).translation;
    assert_eq!(pose.transform(JointId::new(3)).translation[0], 0.5 * x + 0.5);
    assert_eq!(pose.transform(JointId::new(3)).rotation, before.transform(JointId::new(3)).rotation);
    assert_eq!(
        pose.transform(JointId::new(4)),
        Transform { scale: [2.0; 3], ..before.transform(JointId::new(4)) }
    );
    assert_eq!(pose.transform(JointId::new(5)), before.transform(JointId::new(5)));
}

#[test]
fn invalid_overrides_are_rejected_before_anything_changes() {
    let skeleton = random_tree(9);
    let mut pose = random_pose(&skeleton, 1);
    let before = pose.clone();
    let good = Override { translation: Some([9.0; 3]), ..Override::new(JointId::new(0)) };
    for bad in [
        Override::new(JointId::new(9)),
        Override { weight: 2.0, ..good },
        Override { rotation: Some([0.0; 4]), ..good },
        Override { scale: Some([f32::NAN; 3]), ..good },
    ] {
        assert!(pose.override_joints(&[good, bad]).is_err());
        assert_eq!(pose, before);
    }
}

#[test]
fn a_joint_gets_the_model_space_rotation_that_is_set() {
    let mut rng = Lcg::new(8);
    for scales in [Scales::None, Scales::Uniform] {
        for round in 0..200 {
            let (skeleton, mut pose, mut matrices) = random_limb(scales, &mut rng);
            let (joint, rotation) = (round % 8, rng.rotation());
            let turn = ModelRotation { joint: JointId::new(joint), rotation, weight: 1.0 };
            skeleton.set_model_rotation(&turn, &mut pose, &mut matrices).unwrap();
            let expected = Transform { rotation, ..Transform::IDENTITY }.matrix();
            let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
            for axis in axes {
                let found = normalize(matrices[joint].transform_vector(axis));
                assert!(length(sub(found, expected.transform_vector(axis))) < 1e-5);
            }
            assert_eq!(matrices, compute_model_matrices(&skeleton, &pose));
        }
    }
}

#[test]
fn invalid_model_space_rotations_are_rejected() {
    let (skeleton, mut pose, mut matrices) = straight_arm();
    let turn = ModelRotation { joint: JointId::new(1), rotation: [0.0, 0.0, 0.0, 1.0], weight: 1.0 };
    for bad in [
        ModelRotation { joint: JointId::new(3), ..turn },
        ModelRotation { rotation: [0.0; 4], ..turn },
        ModelRotation { rotation: [f32::NAN; 4], ..turn },
        ModelRotation { weight: -1.0, ..turn },
    ] {
        assert!(skeleton.set_model_rotation(&bad, &mut pose, &mut matrices).is_err(), "{bad:?}");
    }
    let short = skeleton.set_model_rotation(&turn, &mut pose, &mut matrices[..2]);
    assert_eq!(short, Err(LengthError { what: "model matrices", expected: 3, found: 2 }.into()));
}

#[test]
fn overrides_allocate_nothing() {
    let (skeleton, mut pose, mut matrices) = random_limb(Scales::NonUniformAbove, &mut Lcg::new(9));
    let counted = allocation_counter::measure(|| {
        let turn = ModelRotation { joint: JointId::new(7), rotation: [0.0, 0.0, 0.0, 1.0], weight: 0.5 };
        skeleton.set_model_rotation(&turn, &mut pose, &mut matrices).unwrap();
        pose.override_joints(&[Override { scale: Some([2.0; 3]), ..Override::new(JointId::new(1)) }])
            .unwrap();
    });
    assert_eq!(counted.count_total, 0);
}
