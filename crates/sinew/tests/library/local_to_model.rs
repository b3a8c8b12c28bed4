//! Local to model space and back, at once and in ranges, with edits in between.

use std::ops::Range;

use sinew::skeleton::SkeletonError;
use sinew::{JointId, Matrix, Pose, Skeleton, Transform};

use crate::support::matrices::{compute_model_matrices, max_difference, max_magnitude};
use crate::support::poses::assert_poses_near;
use crate::support::random_rigs::{
    chain, random_pose, random_scaled_pose, random_tree, skeletons_of_every_size,
};

/// One of the conversions back to local space.
type ModelToLocal = fn(&Skeleton, Range<JointId>, &mut [Matrix]) -> Result<(), SkeletonError>;

/// Model matrices as products of `f32` matrices, without kernels.
fn multiply_down_the_hierarchy(skeleton: &Skeleton, pose: &Pose) -> Vec<Matrix> {
    let mut matrices: Vec<Matrix> = Vec::new();
    for joint in skeleton.joints() {
        let local = pose.transform(joint).matrix();
        matrices.push(skeleton.parent(joint).map_or(local, |parent| matrices[parent.index()] * local));
    }
    matrices
}

#[test]
fn model_matrices_are_products_from_the_root_down() {
    for skeleton in skeletons_of_every_size() {
        for pose in [random_pose(&skeleton, 3), random_scaled_pose(&skeleton, 3)] {
            let (found, expected) =
                (compute_model_matrices(&skeleton, &pose), multiply_down_the_hierarchy(&skeleton, &pose));
            let tolerance = if skeleton.len() > 2000 { 1e-2 } else { 1e-4 };
            assert!(max_difference(&found, &expected) <= tolerance * max_magnitude(&expected));
        }
    }
}

#[test]
fn conversion_in_ranges_gives_the_same_bits_as_at_once() {
    for skeleton in skeletons_of_every_size() {
        for pose in [random_pose(&skeleton, 4), random_scaled_pose(&skeleton, 4)] {
            let expected = compute_model_matrices(&skeleton, &pose);
            let mut matrices = skeleton.identity_matrices();
            let (mut start, mut step) = (0, 0);
            while start < skeleton.len() {
                let end = skeleton.len().min(start + step);
                skeleton.to_model(&pose, JointId::new(start)..JointId::new(end), &mut matrices).unwrap();
                (start, step) = (end, 2 * step % 1001 + 1);
            }
            assert_eq!(matrices, expected);
        }
    }
}

#[test]
fn edits_between_ranges_affect_only_descendants() {
    let skeleton = random_tree(1024);
    let mut pose = random_pose(&skeleton, 5);
    let unchanged = compute_model_matrices(&skeleton, &pose);
    let (moved, turned) = (20, 700);

    let mut matrices = skeleton.identity_matrices();
    skeleton.to_model(&pose, ..=JointId::new(moved), &mut matrices).unwrap();
    matrices[moved].rows[1][3] += 1.0;
    pose.set_rotation(JointId::new(turned), [0.0, 1.0, 0.0, 0.0]);
    skeleton.to_model(&pose, JointId::new(moved + 1).., &mut matrices).unwrap();

    let mut below = vec![false; skeleton.len()];
    for joint in 0..skeleton.len() {
        let changed = joint == moved || joint == turned;
        below[joint] =
            changed || skeleton.parent(JointId::new(joint)).is_some_and(|parent| below[parent.index()]);
        assert_eq!(matrices[joint] != unchanged[joint], below[joint], "joint {joint}");
    }
    assert!(below.iter().filter(|&&below| below).count() > 10);
}

#[test]
fn joints_after_a_range_are_not_written() {
    let skeleton = random_tree(70);
    let guard = Matrix { rows: [[7.0; 4]; 3] };
    for end in 0..70 {
        let mut matrices = vec![guard; 70];
        skeleton.to_model(skeleton.rest(), ..JointId::new(end), &mut matrices).unwrap();
        assert!(matrices[end..].iter().all(|&matrix| matrix == guard));
        assert_eq!(matrices[..end], compute_model_matrices(&skeleton, skeleton.rest())[..end]);
    }
}

#[test]
fn local_to_model_and_back_restores_the_pose() {
    for len in [1, 2, 128, 1024] {
        for skeleton in [chain(len), random_tree(len)] {
            for pose in [random_pose(&skeleton, 6), random_scaled_pose(&skeleton, 6)] {
                let mut matrices = compute_model_matrices(&skeleton, &pose);
                skeleton.to_local(.., &mut matrices).unwrap();
                let mut found = Pose::new(&skeleton);
                let shear = found.set_from_local(.., &matrices).unwrap();
                assert!(shear < 1e-3, "shear {shear}");
                assert_poses_near(&found, &pose, 1e-3);
            }
        }
    }
}

#[test]
fn model_to_local_in_ranges_from_the_last_gives_the_same_bits_as_at_once() {
    let skeleton = random_tree(1000);
    let pose = random_pose(&skeleton, 7);
    let conversions: [ModelToLocal; 2] =
        [|s, range, m| s.to_local(range, m), |s, range, m| s.to_local_rigid(range, m)];
    for convert in conversions {
        let mut expected = compute_model_matrices(&skeleton, &pose);
        let mut matrices = expected.clone();
        convert(&skeleton, JointId::new(0)..JointId::new(1000), &mut expected).unwrap();
        for range in [993..1000, 400..993, 399..399, 1..400, 0..1] {
            convert(&skeleton, JointId::new(range.start)..JointId::new(range.end), &mut matrices).unwrap();
        }
        assert_eq!(matrices, expected);
    }
}

#[test]
fn rigid_model_to_local_equals_the_general_one_without_scale() {
    let skeleton = random_tree(1024);
    let mut pose = random_pose(&skeleton, 8);
    let mut matrices = compute_model_matrices(&skeleton, &pose);
    let expected = pose.clone();
    skeleton.to_local_rigid(.., &mut matrices).unwrap();
    pose.copy_from(skeleton.rest()).unwrap();
    pose.set_from_local_rigid(.., &matrices).unwrap();
    assert!(!pose.has_scales());
    assert_poses_near(&pose, &expected, 1e-4);
}

#[test]
fn set_from_local_changes_only_the_joints_of_the_range() {
    let skeleton = chain(200);
    let rest = skeleton.rest();
    let matrices = vec![Matrix::IDENTITY; 200];
    let mut pose = random_scaled_pose(&skeleton, 9);
    let before = pose.clone();
    pose.set_from_local_rigid(JointId::new(10)..JointId::new(150), &matrices).unwrap();
    for joint in 0..200 {
        let expected = if (10..150).contains(&joint) {
            Transform::IDENTITY
        } else {
            before.transform(JointId::new(joint))
        };
        assert_eq!(pose.transform(JointId::new(joint)), expected);
    }
    pose.copy_from(rest).unwrap();
    assert_eq!(pose.set_from_local(JointId::new(10)..JointId::new(150), &matrices), Ok(0.0));
    for joint in 0..200 {
        let expected = if (10..150).contains(&joint) {
            Transform::IDENTITY
        } else {
            rest.transform(JointId::new(joint))
        };
        assert_eq!(pose.transform(JointId::new(joint)), expected);
    }
}

#[test]
fn shear_that_a_pose_cannot_represent_is_reported() {
    let skeleton = chain(100);
    let mut matrices = vec![Matrix::IDENTITY; 100];
    matrices[70].rows[0][1] = 0.25;
    matrices[71].rows[0][1] = 0.125;
    let mut pose = Pose::new(&skeleton);
    assert_eq!(pose.set_from_local(.., &matrices), Ok(0.25));
    matrices[3].rows[0][1] = f32::NAN;
    assert!(pose.set_from_local(.., &matrices).unwrap().is_nan());
}

#[test]
fn an_attachment_follows_its_joint() {
    let skeleton = random_tree(128);
    let pose = random_scaled_pose(&skeleton, 10);
    let matrices = compute_model_matrices(&skeleton, &pose);
    let offset = Transform { translation: [0.0, 0.0, 0.5], ..Transform::IDENTITY }.matrix();
    for joint in 0..128 {
        let sword = skeleton.attach(JointId::new(joint), &offset, &matrices).unwrap();
        let (tip, expected) = (sword.translation(), matrices[joint].transform_point([0.0, 0.0, 0.5]));
        for (found, expected) in tip.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-6 * max_magnitude(&matrices));
        }
        assert_eq!(skeleton.attach(JointId::new(joint), &Matrix::IDENTITY, &matrices), Ok(matrices[joint]));
    }
}
