//! Additive layers: the difference of a pose to a reference, on top of another.

use crate::rigs;

use crate::rigs::{assert_near, bush_with_weights as bush, full_pose};
use sinew::{Additive, Error, Mask, Pose, Scale, Transform};

#[test]
fn on_the_reference_weight_one_gives_the_pose() {
    for seed in 0..20 {
        let skeleton = bush(70);
        let (pose, reference) = (full_pose(&skeleton, 2 * seed), full_pose(&skeleton, 2 * seed + 1));
        let mut found = reference.clone();
        found.add(&Additive::new(&pose, &reference)).unwrap();
        assert_near(&found, &pose, 1e-6);
        for (found, expected) in found.morph_weights().iter().zip(pose.morph_weights()) {
            assert!((found - expected).abs() < 1e-6);
        }
    }
}

#[test]
fn weight_zero_changes_no_bit() {
    let skeleton = bush(70);
    let (pose, reference) = (full_pose(&skeleton, 1), full_pose(&skeleton, 2));
    let mut found = rigs::pose(&skeleton, 3);
    found.joints_mut()[3].rotation = [0.1, -0.0, 0.3, 0.4];
    let before = found.clone();
    found.add(&Additive { weight: 0.0, ..Additive::new(&pose, &reference) }).unwrap();
    assert_eq!((&found, found.scales()), (&before, None));
    let nowhere = Mask::new(&[0.0; 70]).unwrap();
    found.add(&Additive { mask: Some(&nowhere), ..Additive::new(&pose, &reference) }).unwrap();
    assert_eq!(found.joints(), before.joints());
}

#[test]
fn a_pose_against_itself_changes_nothing() {
    let skeleton = bush(70);
    let pose = full_pose(&skeleton, 1);
    for weight in [0.5, 1.0, 3.0] {
        let mut found = full_pose(&skeleton, 2);
        let before = found.clone();
        found.add(&Additive { weight, ..Additive::new(&pose, &pose) }).unwrap();
        assert_near(&found, &before, 1e-6);
        assert_eq!(found.morph_weights(), before.morph_weights());
    }
}

#[test]
fn parts_of_a_small_difference_add_up_to_the_whole() {
    let skeleton = bush(70);
    let (far, reference) = (full_pose(&skeleton, 1), full_pose(&skeleton, 2));
    let mut pose = Pose::new(&skeleton);
    pose.nlerp(&reference, &far, sinew::Factor::All(0.01)).unwrap();
    let (mut halves, mut whole) = (full_pose(&skeleton, 3), full_pose(&skeleton, 3));
    let half = Additive { weight: 0.5, ..Additive::new(&pose, &reference) };
    halves.add(&half).unwrap();
    halves.add(&half).unwrap();
    whole.add(&Additive::new(&pose, &reference)).unwrap();
    assert_near(&halves, &whole, 1e-3);
}

#[test]
fn a_mask_keeps_the_difference_to_its_joints() {
    let skeleton = bush(70);
    let (pose, reference) = (full_pose(&skeleton, 1), full_pose(&skeleton, 2));
    let mask = Mask::subtree(&skeleton, 5).unwrap();
    let (mut masked, mut whole) = (full_pose(&skeleton, 3), full_pose(&skeleton, 3));
    let before = masked.clone();
    masked.add(&Additive { mask: Some(&mask), ..Additive::new(&pose, &reference) }).unwrap();
    whole.add(&Additive::new(&pose, &reference)).unwrap();
    for joint in 0..70 {
        let expected = if mask.factors()[joint] == 1.0 { &whole } else { &before };
        assert_eq!(masked.transform(joint), expected.transform(joint));
    }
    assert_eq!(masked.morph_weights(), whole.morph_weights());
}

#[test]
fn scales_are_multiplied_and_a_reference_of_zero_is_a_difference() {
    let skeleton = rigs::chain(1);
    let scaled = |scale| {
        let mut pose = Pose::new(&skeleton);
        pose.set_transform(0, &Transform { scale, ..Transform::IDENTITY });
        pose
    };
    let mut found = scaled([2.0, 3.0, 0.0]);
    found.add(&Additive::new(&scaled([4.0, 0.5, 7.0]), &scaled([2.0, 0.0, 0.0]))).unwrap();
    assert_eq!(found.transform(0).scale, [4.0, 3.5, 7.0]);
    let mut plain = Pose::new(&skeleton);
    plain.add(&Additive { weight: 0.5, ..Additive::new(&scaled([2.0; 3]), &scaled([1.0; 3])) }).unwrap();
    assert_eq!(plain.scales(), Some(&[Scale::new([1.5; 3])][..]));
}

#[test]
fn a_huge_weight_leaves_rotations_at_length_one() {
    let skeleton = bush(70);
    let (pose, reference) = (rigs::pose(&skeleton, 1), rigs::pose(&skeleton, 2));
    let mut found = rigs::pose(&skeleton, 3);
    found.add(&Additive { weight: f32::MAX, ..Additive::new(&pose, &reference) }).unwrap();
    for joint in found.joints() {
        let squared: f32 = joint.rotation.iter().map(|element| element * element).sum();
        assert!((squared - 1.0).abs() < 1e-6);
    }
}

#[test]
fn bad_weights_and_lengths_are_refused() {
    let skeleton = bush(5);
    let (mut pose, rest) = (Pose::new(&skeleton), skeleton.rest());
    for weight in [-0.5, f32::NAN, f32::INFINITY] {
        let error = pose.add(&Additive { weight, ..Additive::new(rest, rest) }).unwrap_err();
        let expected = format!("expected a finite number from zero up, found {weight:?}");
        assert_eq!(error.to_string(), format!("weight of the additive layer: {expected}"));
    }
    let (short, mute) = (Pose::new(&bush(4)), Pose::new(&rigs::bush(5)));
    let mask = Mask::new(&[1.0; 4]).unwrap();
    let mut refused = |layer: Additive<'_>| -> String {
        let error: Error = pose.add(&layer).unwrap_err();
        error.to_string()
    };
    assert_eq!(refused(Additive::new(&short, rest)), "joints of the pose to add: expected 5, found 4");
    assert_eq!(refused(Additive::new(rest, &short)), "joints of the reference: expected 5, found 4");
    assert_eq!(refused(Additive::new(&mute, rest)), "morph weights of the pose to add: expected 3, found 0");
    assert_eq!(refused(Additive::new(rest, &mute)), "morph weights of the reference: expected 3, found 0");
    let masked = Additive { mask: Some(&mask), ..Additive::new(rest, rest) };
    assert_eq!(refused(masked), "factors of the mask: expected 5, found 4");
}

#[test]
fn adding_allocates_nothing() {
    let skeleton = bush(131);
    let (pose, reference) = (full_pose(&skeleton, 1), full_pose(&skeleton, 2));
    let (mask, mut found) = (Mask::subtree(&skeleton, 3).unwrap(), Pose::new(&skeleton));
    let counted = allocation_counter::measure(|| {
        found.add(&Additive { mask: Some(&mask), ..Additive::new(&pose, &reference) }).unwrap();
    });
    assert_eq!(counted.count_total, 0);
}
