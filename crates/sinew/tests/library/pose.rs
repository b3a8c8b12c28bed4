//! Poses: their contents, and interpolation between two of them.

use sinew::animation::{AnimationError, Factor};
use sinew::{JointId, Pose, Transform};

use crate::support::poses::{assert_poses_near, rigid_parts, scales};
use crate::support::random_rigs::{chain, random_pose, random_scaled_pose, random_tree};

/// One of the interpolations between two poses.
type Interpolate = fn(&mut Pose, &Pose, &Pose, Factor<'_>) -> Result<(), AnimationError>;

const INTERPOLATIONS: [Interpolate; 2] = [Pose::nlerp, Pose::slerp];

#[test]
fn a_new_pose_is_the_rest_pose() {
    let skeleton = random_tree(30);
    assert_eq!(&Pose::new(&skeleton), skeleton.rest());
    assert_eq!(&skeleton.rest_pose(), skeleton.rest());
}

#[test]
fn scales_are_enabled_when_used_and_disabled_when_cleared() {
    let skeleton = random_tree(3);
    let mut pose = Pose::new(&skeleton);
    let middle = JointId::new(1);
    pose.set_scale(middle, [1.0; 3]);
    assert_eq!(scales(&pose), None);
    pose.set_scale(middle, [2.0; 3]);
    assert_eq!(scales(&pose).unwrap(), [[1.0; 3], [2.0; 3], [1.0; 3]]);
    pose.set_scale(middle, [1.0; 3]);
    assert_eq!(scales(&pose).unwrap(), [[1.0; 3]; 3]);
    pose.set_scale(middle, [2.0; 3]);
    pose.clear_scales();
    assert_eq!(scales(&pose), None);
    assert!(skeleton.joints().all(|joint| pose.scale(joint) == [1.0; 3]));
}

#[test]
fn transform_returns_what_set_transform_set() {
    let skeleton = random_tree(3);
    let mut pose = Pose::new(&skeleton);
    let moved = Transform { translation: [1.0, 2.0, 3.0], ..Transform::IDENTITY };
    pose.set_transform(JointId::new(1), &moved);
    assert_eq!((pose.transform(JointId::new(1)), scales(&pose)), (moved, None));
    let scaled = Transform { scale: [1.0, 2.0, 1.0], ..moved };
    pose.set_transform(JointId::new(2), &scaled);
    assert_eq!(pose.transform(JointId::new(2)), scaled);
    assert_eq!(scales(&pose).unwrap()[..2], [[1.0; 3]; 2]);
}

#[test]
fn a_copy_equals_its_source_with_and_without_scales() {
    let skeleton = random_tree(9);
    let mut pose = random_scaled_pose(&skeleton, 1);
    pose.copy_from(skeleton.rest()).unwrap();
    assert_eq!((&pose, scales(&pose)), (skeleton.rest(), None));
    let scaled = random_scaled_pose(&skeleton, 2);
    pose.copy_from(&scaled).unwrap();
    assert_eq!((&pose, scales(&pose)), (&scaled, scales(&scaled)));
}

#[test]
fn interpolation_at_zero_and_one_gives_the_end_poses() {
    let skeleton = random_tree(67);
    let (from, to) = (random_scaled_pose(&skeleton, 1), random_scaled_pose(&skeleton, 2));
    for interpolate in INTERPOLATIONS {
        let mut pose = Pose::new(&skeleton);
        for (factor, end) in [(0.0, &from), (1.0, &to)] {
            interpolate(&mut pose, &from, &to, Factor::All(factor)).unwrap();
            assert_poses_near(&pose, end, 1e-6);
        }
    }
}

#[test]
fn a_factor_per_joint_equals_one_factor_for_all_joints() {
    let skeleton = random_tree(67);
    let (from, to) = (random_pose(&skeleton, 1), random_pose(&skeleton, 2));
    let factors: Vec<f32> = (0..67).map(|joint| joint as f32 / 66.0).collect();
    for interpolate in INTERPOLATIONS {
        let (mut each, mut all) = (Pose::new(&skeleton), Pose::new(&skeleton));
        interpolate(&mut each, &from, &to, Factor::Each(&factors)).unwrap();
        for (joint, &factor) in factors.iter().enumerate() {
            interpolate(&mut all, &from, &to, Factor::All(factor)).unwrap();
            assert_eq!(rigid_parts(&each)[joint], rigid_parts(&all)[joint]);
        }
    }
}

#[test]
fn slerp_rotates_at_constant_speed() {
    let skeleton = chain(1);
    let (mut from, mut to, mut pose) = (skeleton.rest_pose(), skeleton.rest_pose(), skeleton.rest_pose());
    let about_y = |angle: f32| [0.0, (0.5 * angle).sin(), 0.0, (0.5 * angle).cos()];
    from.set_rotation(JointId::new(0), about_y(0.0));
    to.set_rotation(JointId::new(0), about_y(3.0));
    for step in 0..=10 {
        let factor = step as f32 / 10.0;
        pose.slerp(&from, &to, Factor::All(factor)).unwrap();
        for (found, expected) in pose.rotation(JointId::new(0)).iter().zip(about_y(3.0 * factor)) {
            assert!((found - expected).abs() < 1e-6);
        }
    }
}

#[test]
fn interpolation_with_a_scaled_pose_enables_scales() {
    let skeleton = random_tree(10);
    let plain = Pose::new(&skeleton);
    let mut large = Pose::new(&skeleton);
    skeleton.joints().for_each(|joint| large.set_scale(joint, [3.0; 3]));
    for interpolate in INTERPOLATIONS {
        let mut pose = Pose::new(&skeleton);
        interpolate(&mut pose, &plain, &large, Factor::All(0.5)).unwrap();
        assert_eq!(scales(&pose).unwrap(), [[2.0; 3]; 10]);
        interpolate(&mut pose, &large, &plain, Factor::All(0.25)).unwrap();
        assert_eq!(scales(&pose).unwrap(), [[2.5; 3]; 10]);
        interpolate(&mut pose, &plain, &plain, Factor::All(0.25)).unwrap();
        assert_eq!(scales(&pose), None);
    }
}

#[test]
fn morph_weights_are_part_of_every_pose() {
    let skeleton = random_tree(3).with_morph_weights(&[0.25, 0.0]).unwrap();
    let (from, mut to) = (Pose::new(&skeleton), Pose::new(&skeleton));
    assert_eq!(from.morph_weights(), [0.25, 0.0]);
    to.morph_weights_mut()[1] = 1.0;
    assert!(from != to);
    let mut between = Pose::new(&skeleton);
    between.nlerp(&from, &to, Factor::All(0.5)).unwrap();
    assert_eq!(between.morph_weights(), [0.25, 0.5]);
    between.copy_from(&to).unwrap();
    assert_eq!(between.morph_weights(), [0.25, 1.0]);
    between.copy_from(&Pose::new(&random_tree(3))).unwrap_err();
    assert!(random_tree(3).with_morph_weights(&[0.0, f32::NAN]).is_err());
}
