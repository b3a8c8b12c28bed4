//! Poses: what they hold, and what lies between two of them.

use crate::rigs;

use crate::rigs::assert_near;
use sinew::{Error, Factor, Pose, Scale, Transform};

/// Either way of going between two poses.
type Way = fn(&mut Pose, &Pose, &Pose, Factor<'_>) -> Result<(), Error>;

const WAYS: [Way; 2] = [Pose::nlerp, Pose::slerp];

#[test]
fn a_new_pose_is_the_rest_pose() {
    let skeleton = rigs::bush(30);
    assert_eq!(&Pose::new(&skeleton), skeleton.rest());
    assert_eq!(&skeleton.rest_pose(), skeleton.rest());
}

#[test]
fn scales_turn_on_when_used_and_off_when_cleared() {
    let skeleton = rigs::bush(3);
    let mut pose = Pose::new(&skeleton);
    assert_eq!(pose.scales(), None);
    assert_eq!(pose.scales_mut(), [Scale::ONE; 3]);
    assert_eq!(pose.scales(), Some(&[Scale::ONE; 3][..]));
    pose.scales_mut()[1] = Scale::new([2.0; 3]);
    pose.clear_scales();
    assert_eq!(pose.scales(), None);
    assert_eq!(pose.scales_mut(), [Scale::ONE; 3]);
}

#[test]
fn a_transform_that_is_set_is_there() {
    let skeleton = rigs::bush(3);
    let mut pose = Pose::new(&skeleton);
    let moved = Transform { translation: [1.0, 2.0, 3.0], ..Transform::IDENTITY };
    pose.set_transform(1, &moved);
    assert_eq!((pose.transform(1), pose.scales()), (moved, None));
    let scaled = Transform { scale: [1.0, 2.0, 1.0], ..moved };
    pose.set_transform(2, &scaled);
    assert_eq!(pose.transform(2), scaled);
    assert_eq!(pose.scales().unwrap()[..2], [Scale::ONE; 2]);
}

#[test]
fn a_copy_is_the_same_pose_with_scales_on_or_off() {
    let skeleton = rigs::bush(9);
    let mut pose = rigs::scaled_pose(&skeleton, 1);
    pose.copy_from(skeleton.rest()).unwrap();
    assert_eq!((&pose, pose.scales()), (skeleton.rest(), None));
    let scaled = rigs::scaled_pose(&skeleton, 2);
    pose.copy_from(&scaled).unwrap();
    assert_eq!((&pose, pose.scales()), (&scaled, scaled.scales()));
}

#[test]
fn between_poses_the_ends_are_the_poses() {
    let skeleton = rigs::bush(67);
    let (from, to) = (rigs::scaled_pose(&skeleton, 1), rigs::scaled_pose(&skeleton, 2));
    for way in WAYS {
        let mut pose = Pose::new(&skeleton);
        for (factor, end) in [(0.0, &from), (1.0, &to)] {
            way(&mut pose, &from, &to, Factor::All(factor)).unwrap();
            assert_near(&pose, end, 1e-6);
        }
    }
}

#[test]
fn a_factor_for_each_joint_is_the_factor_for_all_of_that_joint() {
    let skeleton = rigs::bush(67);
    let (from, to) = (rigs::pose(&skeleton, 1), rigs::pose(&skeleton, 2));
    let factors: Vec<f32> = (0..67).map(|joint| joint as f32 / 66.0).collect();
    for way in WAYS {
        let (mut each, mut all) = (Pose::new(&skeleton), Pose::new(&skeleton));
        way(&mut each, &from, &to, Factor::Each(&factors)).unwrap();
        for (joint, &factor) in factors.iter().enumerate() {
            way(&mut all, &from, &to, Factor::All(factor)).unwrap();
            assert_eq!(each.joints()[joint], all.joints()[joint]);
        }
    }
}

#[test]
fn slerp_has_constant_angular_speed() {
    let skeleton = rigs::chain(1);
    let (mut from, mut to, mut pose) = (skeleton.rest_pose(), skeleton.rest_pose(), skeleton.rest_pose());
    let about_y = |angle: f32| [0.0, (0.5 * angle).sin(), 0.0, (0.5 * angle).cos()];
    from.joints_mut()[0].rotation = about_y(0.0);
    to.joints_mut()[0].rotation = about_y(3.0);
    for step in 0..=10 {
        let factor = step as f32 / 10.0;
        pose.slerp(&from, &to, Factor::All(factor)).unwrap();
        for (found, expected) in pose.joints()[0].rotation.iter().zip(about_y(3.0 * factor)) {
            assert!((found - expected).abs() < 1e-6);
        }
    }
}

#[test]
fn between_a_pose_with_scales_and_one_without_there_are_scales() {
    let skeleton = rigs::bush(10);
    let plain = Pose::new(&skeleton);
    let mut large = Pose::new(&skeleton);
    large.scales_mut().fill(Scale::new([3.0; 3]));
    for way in WAYS {
        let mut pose = Pose::new(&skeleton);
        way(&mut pose, &plain, &large, Factor::All(0.5)).unwrap();
        assert_eq!(pose.scales(), Some(&[Scale::new([2.0; 3]); 10][..]));
        way(&mut pose, &large, &plain, Factor::All(0.25)).unwrap();
        assert_eq!(pose.scales(), Some(&[Scale::new([2.5; 3]); 10][..]));
        way(&mut pose, &plain, &plain, Factor::All(0.25)).unwrap();
        assert_eq!(pose.scales(), None);
    }
}

#[test]
fn morph_weights_are_part_of_every_pose() {
    let skeleton = rigs::bush(3).with_morph_weights(&[0.25, 0.0]).unwrap();
    let (from, mut to) = (Pose::new(&skeleton), Pose::new(&skeleton));
    assert_eq!(from.morph_weights(), [0.25, 0.0]);
    to.morph_weights_mut()[1] = 1.0;
    assert!(from != to);
    let mut between = Pose::new(&skeleton);
    between.nlerp(&from, &to, Factor::All(0.5)).unwrap();
    assert_eq!(between.morph_weights(), [0.25, 0.5]);
    between.copy_from(&to).unwrap();
    assert_eq!(between.morph_weights(), [0.25, 1.0]);
    between.copy_from(&Pose::new(&rigs::bush(3))).unwrap_err();
    assert!(rigs::bush(3).with_morph_weights(&[0.0, f32::NAN]).is_err());
}
