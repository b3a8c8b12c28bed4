//! Local to model space and back, in one range and in many, with changes in between.

use crate::rigs;

use std::ops::Range;

use crate::rigs::{assert_near, difference, size};
use sinew::{Error, Matrix, Pose, Skeleton, Transform};

/// Either way back to local space.
type Way = fn(&Skeleton, Range<usize>, &mut [Matrix]) -> Result<(), Error>;

fn whole(skeleton: &Skeleton, pose: &Pose) -> Vec<Matrix> {
    let mut matrices = skeleton.model_matrices();
    skeleton.to_model(pose, .., &mut matrices).expect("a matrix for each joint");
    matrices
}

/// Products of `f32` matrices one after the other, without kernels.
fn by_hand(skeleton: &Skeleton, pose: &Pose) -> Vec<Matrix> {
    let mut matrices: Vec<Matrix> = Vec::new();
    for joint in 0..skeleton.len() {
        let local = pose.transform(joint).matrix();
        matrices.push(skeleton.parent(joint).map_or(local, |parent| matrices[parent] * local));
    }
    matrices
}

#[test]
fn model_matrices_are_products_from_the_root_down() {
    for skeleton in rigs::all() {
        for pose in [rigs::pose(&skeleton, 3), rigs::scaled_pose(&skeleton, 3)] {
            let (found, expected) = (whole(&skeleton, &pose), by_hand(&skeleton, &pose));
            let tolerance = if skeleton.len() > 2000 { 1e-2 } else { 1e-4 };
            assert!(difference(&found, &expected) <= tolerance * size(&expected));
        }
    }
}

#[test]
fn ranges_give_the_bits_of_the_whole() {
    for skeleton in rigs::all() {
        for pose in [rigs::pose(&skeleton, 4), rigs::scaled_pose(&skeleton, 4)] {
            let expected = whole(&skeleton, &pose);
            let mut matrices = skeleton.model_matrices();
            let (mut start, mut step) = (0, 0);
            while start < skeleton.len() {
                let end = skeleton.len().min(start + step);
                skeleton.to_model(&pose, start..end, &mut matrices).unwrap();
                (start, step) = (end, 2 * step % 1001 + 1);
            }
            assert_eq!(matrices, expected);
        }
    }
}

#[test]
fn changes_between_ranges_reach_the_descendants_and_nothing_else() {
    let skeleton = rigs::bush(1024);
    let mut pose = rigs::pose(&skeleton, 5);
    let unchanged = whole(&skeleton, &pose);
    let (moved, turned) = (20, 700);

    let mut matrices = skeleton.model_matrices();
    skeleton.to_model(&pose, ..=moved, &mut matrices).unwrap();
    matrices[moved].rows[1][3] += 1.0;
    pose.joints_mut()[turned].rotation = [0.0, 1.0, 0.0, 0.0];
    skeleton.to_model(&pose, moved + 1.., &mut matrices).unwrap();

    let mut below = vec![false; skeleton.len()];
    for joint in 0..skeleton.len() {
        let changed = joint == moved || joint == turned;
        below[joint] = changed || skeleton.parent(joint).is_some_and(|parent| below[parent]);
        assert_eq!(matrices[joint] != unchanged[joint], below[joint], "joint {joint}");
    }
    assert!(below.iter().filter(|&&below| below).count() > 10);
}

#[test]
fn joints_after_a_range_are_left_alone() {
    let skeleton = rigs::bush(70);
    let guard = Matrix { rows: [[7.0; 4]; 3] };
    for end in 0..70 {
        let mut matrices = vec![guard; 70];
        skeleton.to_model(skeleton.rest(), ..end, &mut matrices).unwrap();
        assert!(matrices[end..].iter().all(|&matrix| matrix == guard));
        assert_eq!(matrices[..end], whole(&skeleton, skeleton.rest())[..end]);
    }
}

#[test]
fn going_to_model_space_and_back_gives_the_pose_again() {
    for len in [1, 2, 128, 1024] {
        for skeleton in [rigs::chain(len), rigs::bush(len)] {
            for pose in [rigs::pose(&skeleton, 6), rigs::scaled_pose(&skeleton, 6)] {
                let mut matrices = whole(&skeleton, &pose);
                skeleton.to_local(.., &mut matrices).unwrap();
                let mut found = Pose::new(&skeleton);
                let shear = found.set_from_local(.., &matrices).unwrap();
                assert!(shear < 1e-3, "shear {shear}");
                assert_near(&found, &pose, 1e-3);
            }
        }
    }
}

#[test]
fn going_back_in_ranges_from_the_last_gives_the_bits_of_the_whole() {
    let skeleton = rigs::bush(1000);
    let pose = rigs::pose(&skeleton, 7);
    let ways: [Way; 2] = [|s, range, m| s.to_local(range, m), |s, range, m| s.to_local_rigid(range, m)];
    for way in ways {
        let mut expected = whole(&skeleton, &pose);
        let mut matrices = expected.clone();
        way(&skeleton, 0..1000, &mut expected).unwrap();
        for range in [993..1000, 400..993, 399..399, 1..400, 0..1] {
            way(&skeleton, range, &mut matrices).unwrap();
        }
        assert_eq!(matrices, expected);
    }
}

#[test]
fn the_rigid_way_back_is_the_general_one_where_nothing_scales() {
    let skeleton = rigs::bush(1024);
    let mut pose = rigs::pose(&skeleton, 8);
    let mut matrices = whole(&skeleton, &pose);
    let expected = pose.clone();
    skeleton.to_local_rigid(.., &mut matrices).unwrap();
    pose.copy_from(skeleton.rest()).unwrap();
    pose.set_from_local_rigid(.., &matrices).unwrap();
    assert_eq!(pose.scales(), None);
    assert_near(&pose, &expected, 1e-4);
}

#[test]
fn only_the_joints_of_the_range_are_taken_back() {
    let skeleton = rigs::chain(200);
    let rest = skeleton.rest();
    let matrices = vec![Matrix::IDENTITY; 200];
    let mut pose = rigs::scaled_pose(&skeleton, 9);
    let before = pose.clone();
    pose.set_from_local_rigid(10..150, &matrices).unwrap();
    for joint in 0..200 {
        let expected = if (10..150).contains(&joint) { Transform::IDENTITY } else { before.transform(joint) };
        assert_eq!(pose.transform(joint), expected);
    }
    pose.copy_from(rest).unwrap();
    assert_eq!(pose.set_from_local(10..150, &matrices), Ok(0.0));
    for joint in 0..200 {
        let expected = if (10..150).contains(&joint) { Transform::IDENTITY } else { rest.transform(joint) };
        assert_eq!(pose.transform(joint), expected);
    }
}

#[test]
fn shear_that_a_pose_cannot_hold_is_told() {
    let skeleton = rigs::chain(100);
    let mut matrices = vec![Matrix::IDENTITY; 100];
    matrices[70].rows[0][1] = 0.25;
    matrices[71].rows[0][1] = 0.125;
    let mut pose = Pose::new(&skeleton);
    assert_eq!(pose.set_from_local(.., &matrices), Ok(0.25));
    matrices[3].rows[0][1] = f32::NAN;
    assert!(pose.set_from_local(.., &matrices).unwrap().is_nan());
}

#[test]
fn what_is_attached_follows_its_joint() {
    let skeleton = rigs::bush(128);
    let pose = rigs::scaled_pose(&skeleton, 10);
    let matrices = whole(&skeleton, &pose);
    let offset = Transform { translation: [0.0, 0.0, 0.5], ..Transform::IDENTITY }.matrix();
    for joint in 0..128 {
        let sword = skeleton.attach(joint, &offset, &matrices).unwrap();
        let (tip, expected) = (sword.translation(), matrices[joint].transform_point([0.0, 0.0, 0.5]));
        for (found, expected) in tip.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-6 * size(&matrices));
        }
        assert_eq!(skeleton.attach(joint, &Matrix::IDENTITY, &matrices), Ok(matrices[joint]));
    }
}
