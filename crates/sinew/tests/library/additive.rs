//! Additive layers: the difference between a pose and its reference is added to another pose.

use sinew::animation::{Additive, Mask};
use sinew::{JointId, Pose, Transform};

use crate::support::poses::{assert_poses_near, rigid_parts, scales};
use crate::support::random_rigs::{
    chain, random_full_pose, random_pose, random_tree, random_tree_with_morph_weights,
};

#[test]
fn adding_to_the_reference_with_weight_one_gives_the_pose() {
    for seed in 0..20 {
        let skeleton = random_tree_with_morph_weights(70);
        let (pose, reference) =
            (random_full_pose(&skeleton, 2 * seed), random_full_pose(&skeleton, 2 * seed + 1));
        let mut found = reference.clone();
        found.add(&Additive::new(&pose, &reference)).unwrap();
        assert_poses_near(&found, &pose, 1e-6);
        for (found, expected) in found.morph_weights().iter().zip(pose.morph_weights()) {
            assert!((found - expected).abs() < 1e-6);
        }
    }
}

#[test]
fn weight_zero_changes_no_bit() {
    let skeleton = random_tree_with_morph_weights(70);
    let (pose, reference) = (random_full_pose(&skeleton, 1), random_full_pose(&skeleton, 2));
    let mut found = random_pose(&skeleton, 3);
    found.set_rotation(JointId::new(3), [0.1, -0.0, 0.3, 0.4]);
    let before = found.clone();
    found.add(&Additive { weight: 0.0, ..Additive::new(&pose, &reference) }).unwrap();
    assert_eq!((&found, scales(&found)), (&before, None));
    let nowhere = Mask::new(&[0.0; 70]).unwrap();
    found.add(&Additive { mask: Some(&nowhere), ..Additive::new(&pose, &reference) }).unwrap();
    assert_eq!(rigid_parts(&found), rigid_parts(&before));
}

#[test]
fn adding_a_pose_relative_to_itself_changes_nothing() {
    let skeleton = random_tree_with_morph_weights(70);
    let pose = random_full_pose(&skeleton, 1);
    for weight in [0.5, 1.0, 3.0] {
        let mut found = random_full_pose(&skeleton, 2);
        let before = found.clone();
        found.add(&Additive { weight, ..Additive::new(&pose, &pose) }).unwrap();
        assert_poses_near(&found, &before, 1e-6);
        assert_eq!(found.morph_weights(), before.morph_weights());
    }
}

#[test]
fn two_half_weights_add_up_to_a_full_weight() {
    let skeleton = random_tree_with_morph_weights(70);
    let (far, reference) = (random_full_pose(&skeleton, 1), random_full_pose(&skeleton, 2));
    let mut pose = Pose::new(&skeleton);
    pose.nlerp(&reference, &far, sinew::animation::Factor::All(0.01)).unwrap();
    let (mut halves, mut whole) = (random_full_pose(&skeleton, 3), random_full_pose(&skeleton, 3));
    let half = Additive { weight: 0.5, ..Additive::new(&pose, &reference) };
    halves.add(&half).unwrap();
    halves.add(&half).unwrap();
    whole.add(&Additive::new(&pose, &reference)).unwrap();
    assert_poses_near(&halves, &whole, 1e-3);
}

#[test]
fn a_mask_restricts_the_additive_layer_to_its_joints() {
    let skeleton = random_tree_with_morph_weights(70);
    let (pose, reference) = (random_full_pose(&skeleton, 1), random_full_pose(&skeleton, 2));
    let mask = Mask::subtree(&skeleton, JointId::new(5)).unwrap();
    let (mut masked, mut whole) = (random_full_pose(&skeleton, 3), random_full_pose(&skeleton, 3));
    let before = masked.clone();
    masked.add(&Additive { mask: Some(&mask), ..Additive::new(&pose, &reference) }).unwrap();
    whole.add(&Additive::new(&pose, &reference)).unwrap();
    for joint in 0..70 {
        let expected = if mask.factors()[joint] == 1.0 { &whole } else { &before };
        assert_eq!(masked.transform(JointId::new(joint)), expected.transform(JointId::new(joint)));
    }
    assert_eq!(masked.morph_weights(), whole.morph_weights());
}

#[test]
fn scales_multiply_and_a_zero_reference_scale_adds() {
    let skeleton = chain(1);
    let scaled = |scale| {
        let mut pose = Pose::new(&skeleton);
        pose.set_transform(JointId::new(0), &Transform { scale, ..Transform::IDENTITY });
        pose
    };
    let mut found = scaled([2.0, 3.0, 0.0]);
    found.add(&Additive::new(&scaled([4.0, 0.5, 7.0]), &scaled([2.0, 0.0, 0.0]))).unwrap();
    assert_eq!(found.transform(JointId::new(0)).scale, [4.0, 3.5, 7.0]);
    let mut plain = Pose::new(&skeleton);
    plain.add(&Additive { weight: 0.5, ..Additive::new(&scaled([2.0; 3]), &scaled([1.0; 3])) }).unwrap();
    assert_eq!(scales(&plain).unwrap(), [[1.5; 3]]);
}

#[test]
fn a_huge_weight_keeps_rotations_normalized() {
    let skeleton = random_tree_with_morph_weights(70);
    let (pose, reference) = (random_pose(&skeleton, 1), random_pose(&skeleton, 2));
    let mut found = random_pose(&skeleton, 3);
    found.add(&Additive { weight: f32::MAX, ..Additive::new(&pose, &reference) }).unwrap();
    for joint in found.transforms() {
        let squared: f32 = joint.rotation.iter().map(|element| element * element).sum();
        assert!((squared - 1.0).abs() < 1e-6);
    }
}

#[test]
fn invalid_weights_and_lengths_are_rejected() {
    let skeleton = random_tree_with_morph_weights(5);
    let (mut pose, rest) = (Pose::new(&skeleton), skeleton.rest());
    for weight in [-0.5, f32::NAN, f32::INFINITY] {
        let error = pose.add(&Additive { weight, ..Additive::new(rest, rest) }).unwrap_err();
        let expected = format!("expected a finite number from zero up, found {weight:?}");
        assert_eq!(error.to_string(), format!("weight of the additive layer: {expected}"));
    }
    let (short, mute) = (Pose::new(&random_tree_with_morph_weights(4)), Pose::new(&random_tree(5)));
    let mask = Mask::new(&[1.0; 4]).unwrap();
    let mut rejection = |layer: Additive<'_>| -> String {
        let error = pose.add(&layer).unwrap_err();
        error.to_string()
    };
    assert_eq!(rejection(Additive::new(&short, rest)), "joints of the pose to add: expected 5, found 4");
    assert_eq!(rejection(Additive::new(rest, &short)), "joints of the reference: expected 5, found 4");
    assert_eq!(
        rejection(Additive::new(&mute, rest)),
        "morph weights of the pose to add: expected 3, found 0"
    );
    assert_eq!(rejection(Additive::new(rest, &mute)), "morph weights of the reference: expected 3, found 0");
    let masked = Additive { mask: Some(&mask), ..Additive::new(rest, rest) };
    assert_eq!(rejection(masked), "factors of the mask: expected 5, found 4");
}

#[test]
fn adding_allocates_nothing() {
    let skeleton = random_tree_with_morph_weights(131);
    let (pose, reference) = (random_full_pose(&skeleton, 1), random_full_pose(&skeleton, 2));
    let (mask, mut found) = (Mask::subtree(&skeleton, JointId::new(3)).unwrap(), Pose::new(&skeleton));
    let counted = allocation_counter::measure(|| {
        found.add(&Additive { mask: Some(&mask), ..Additive::new(&pose, &reference) }).unwrap();
    });
    assert_eq!(counted.count_total, 0);
}
