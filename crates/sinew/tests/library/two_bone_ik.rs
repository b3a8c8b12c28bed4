//! Two-bone IK: limbs of every shape reach their targets. Unreachable targets are reported.

use sinew::animation::{Factor, Pole, Reach, TwoBone};
use sinew::{JointId, Matrix, Pose, Transform};

use crate::support::limb_chains::{
    END, LIMB, Scales, assert_finite_and_normalized, bone_lengths, multiply_quaternions, random_direction,
    random_limb, straight_arm,
};
use crate::support::matrices::compute_model_matrices;
use crate::support::poses::assert_poses_near;
use crate::support::random_rigs::{Lcg, chain};
use crate::support::vec3_f32::{dot, length, normalize, reject_from, sub};

#[test]
fn every_target_in_reach_is_reached_with_any_scale_above_the_limb() {
    let mut rng = Lcg::new(1);
    for scales in [Scales::None, Scales::Uniform, Scales::NonUniformAbove] {
        for round in 0..2000 {
            let (skeleton, mut pose, mut matrices) = random_limb(scales, &mut rng);
            // The reachable positions are a spherical shell in the space of the start joint's
            // parent.
            let parent = matrices[LIMB[0].index() - 1];
            let inverse = parent.inverse().expect("scales far from zero");
            let [start, middle, end] =
                LIMB.map(|joint| inverse.transform_point(matrices[joint.index()].translation()));
            let [upper, lower] = [length(sub(middle, start)), length(sub(end, middle))];
            let (least, most) = ((upper - lower).abs(), upper + lower);
            let distance = least + (most - least) * (0.01 + 0.98 * rng.next().abs());
            let direction = random_direction(&mut rng);
            let target = parent.transform_point([0, 1, 2].map(|i| start[i] + distance * direction[i]));
            let pole = match round % 3 {
                0 => Pole::Free,
                1 => Pole::Direction(random_direction(&mut rng)),
                _ => Pole::Point(random_direction(&mut rng)),
            };
            let limb = TwoBone { pole, ..TwoBone::new(LIMB, target) };
            let reached = skeleton.reach(&limb, &mut pose, &mut matrices).unwrap();
            assert_eq!(reached, Reach::Reached);
            let error = length(sub(matrices[END.index()].translation(), target));
            let size: f32 = bone_lengths(&matrices).iter().sum();
            assert!(error <= 1e-4 * size.max(0.1), "{scales:?}: {error} of {size}");
            assert_eq!(matrices, compute_model_matrices(&skeleton, &pose));
            assert_finite_and_normalized(&pose, &matrices);
        }
    }
}

#[test]
fn every_position_that_the_hinge_allows_is_reached_with_any_scale() {
    let mut rng = Lcg::new(2);
    for scales in [Scales::None, Scales::Uniform, Scales::NonUniformAbove, Scales::NonUniformEverywhere] {
        for _ in 0..1000 {
            let (skeleton, mut pose, mut matrices) = random_limb(scales, &mut rng);
            let axis = random_direction(&mut rng);
            // A reachable position: the middle joint rotated about its axis, the start joint
            // randomly.
            let mut reachable = pose.clone();
            let (sine, cosine) = (3.0 * rng.next()).sin_cos();
            let rotation = [axis[0] * sine, axis[1] * sine, axis[2] * sine, cosine];
            let rotated = multiply_quaternions(pose.rotation(LIMB[1]), rotation);
            reachable.set_rotation(LIMB[1], rotated);
            reachable.set_rotation(LIMB[0], rng.rotation());
            let target = compute_model_matrices(&skeleton, &reachable)[END.index()].translation();

            let limb = TwoBone { hinge: Some(axis), ..TwoBone::new(LIMB, target) };
            skeleton.reach(&limb, &mut pose, &mut matrices).unwrap();
            let error = length(sub(matrices[END.index()].translation(), target));
            let size: f32 = bone_lengths(&matrices).iter().sum();
            assert!(error <= 1e-4 * size.max(0.1), "{scales:?}: {error} of {size}");
            assert_finite_and_normalized(&pose, &matrices);
        }
    }
}

#[test]
fn the_middle_joint_is_on_the_side_of_the_pole() {
    let mut rng = Lcg::new(3);
    for round in 0..1000 {
        let (skeleton, mut pose, mut matrices) = random_limb(Scales::Uniform, &mut rng);
        let start = matrices[LIMB[0].index()].translation();
        let [upper, lower] = bone_lengths(&matrices);
        let distance = 0.5 * ((upper - lower).abs() + upper + lower);
        let direction = random_direction(&mut rng);
        let (side, point) = (random_direction(&mut rng), random_direction(&mut rng));
        if length(reject_from(side, direction)) < 0.1
            || length(reject_from(sub(point, start), direction)) < 0.1
        {
            continue;
        }
        let (pole, toward) = if round % 2 == 0 {
            (Pole::Direction(side), side)
        } else {
            (Pole::Point(point), sub(point, start))
        };
        let target = [0, 1, 2].map(|i| start[i] + distance * direction[i]);
        let limb = TwoBone { pole, ..TwoBone::new(LIMB, target) };
        skeleton.reach(&limb, &mut pose, &mut matrices).unwrap();
        let elbow = reject_from(sub(matrices[LIMB[1].index()].translation(), start), direction);
        let cosine = dot(normalize(elbow), normalize(reject_from(toward, direction)));
        assert!(cosine > 1.0 - 1e-4, "{cosine}");
    }
}

#[test]
fn a_limb_out_of_reach_stretches_or_folds_toward_the_target() {
    let mut rng = Lcg::new(4);
    for _ in 0..1000 {
        let (skeleton, mut pose, mut matrices) = random_limb(Scales::Uniform, &mut rng);
        let start = matrices[LIMB[0].index()].translation();
        let [upper, lower] = bone_lengths(&matrices);
        let direction = random_direction(&mut rng);
        let least = (upper - lower).abs();
        for (distance, reach, ends_at) in [
            (1.5 * (upper + lower), Reach::TooFar, upper + lower),
            (1e6, Reach::TooFar, upper + lower),
            (0.5 * least, Reach::TooNear, least),
        ] {
            if distance < 1e-3 {
                continue;
            }
            let target = [0, 1, 2].map(|i| start[i] + distance * direction[i]);
            let limb = TwoBone { pole: Pole::Direction([0.0, 1.0, 0.0]), ..TwoBone::new(LIMB, target) };
            assert_eq!(skeleton.reach(&limb, &mut pose, &mut matrices), Ok(reach));
            let end = sub(matrices[END.index()].translation(), start);
            let size = upper + lower;
            for (found, expected) in end.iter().zip(direction.map(|element| element * ends_at)) {
                assert!((found - expected).abs() < 1e-4 * size, "{found} {expected}");
            }
        }
    }
}

#[test]
fn a_target_at_the_limit_of_reach_is_reached() {
    let (skeleton, mut pose, mut matrices) = straight_arm();
    for distance in [2.0, 1.999_999, 2.000_001] {
        let arm = TwoBone::new([JointId::new(0), JointId::new(1), JointId::new(2)], [0.0, distance, 0.0]);
        assert_eq!(skeleton.reach(&arm, &mut pose, &mut matrices), Ok(Reach::Reached));
        assert!(length(sub(matrices[2].translation(), [0.0, distance, 0.0])) < 1e-5);
    }
}

#[test]
fn a_straight_limb_bends_toward_its_pole_or_any_way_without_one() {
    let poles = [
        (Pole::Direction([0.0, 0.0, 1.0]), Some([0.0, 0.0, 1.0])),
        (Pole::Point([0.5, -3.0, 0.0]), Some([0.0, -1.0, 0.0])),
        (Pole::Direction([1.0, 0.0, 0.0]), None),
        (Pole::Direction([f32::NAN, 0.0, 0.0]), None),
        (Pole::Direction([0.0; 3]), None),
        (Pole::Free, None),
    ];
    for (pole, side) in poles {
        let (skeleton, mut pose, mut matrices) = straight_arm();
        let arm = TwoBone {
            pole,
            ..TwoBone::new([JointId::new(0), JointId::new(1), JointId::new(2)], [1.2, 0.0, 0.0])
        };
        assert_eq!(skeleton.reach(&arm, &mut pose, &mut matrices), Ok(Reach::Reached), "{pole:?}");
        assert!(length(sub(matrices[2].translation(), [1.2, 0.0, 0.0])) < 1e-6);
        let elbow = matrices[1].translation();
        assert!((length(reject_from(elbow, [1.0, 0.0, 0.0])) - 0.8).abs() < 1e-6);
        assert!(side.is_none_or(|side| (dot(elbow, side) - 0.8).abs() < 1e-6), "{pole:?} {elbow:?}");
        assert_finite_and_normalized(&pose, &matrices);
    }
}

#[test]
fn a_hinge_decides_which_way_a_straight_limb_bends() {
    for (hinge, y) in [([0.0, 0.0, 1.0], -0.8), ([0.0, 0.0, -5.0], 0.8)] {
        let (skeleton, mut pose, mut matrices) = straight_arm();
        let arm = TwoBone {
            hinge: Some(hinge),
            ..TwoBone::new([JointId::new(0), JointId::new(1), JointId::new(2)], [1.2, 0.0, 0.0])
        };
        assert_eq!(skeleton.reach(&arm, &mut pose, &mut matrices), Ok(Reach::Reached));
        assert!((matrices[1].translation()[1] - y).abs() < 1e-6);
        // The elbow has rotated only about its hinge.
        let [x, y, ..] = pose.rotation(JointId::new(1));
        assert!(x.abs() < 1e-7 && y.abs() < 1e-7);
    }
}

#[test]
fn an_unsolvable_limb_changes_nothing() {
    let (skeleton, pose, matrices) = straight_arm();
    let unchanged = |target, pose: &Pose, matrices: &[Matrix]| {
        let (mut after, mut matrices_after) = (pose.clone(), matrices.to_vec());
        let arm = TwoBone {
            pole: Pole::Direction([0.0, 1.0, 0.0]),
            ..TwoBone::new([JointId::new(0), JointId::new(1), JointId::new(2)], target)
        };
        assert_eq!(skeleton.reach(&arm, &mut after, &mut matrices_after), Ok(Reach::Unchanged));
        assert_eq!(&after, pose);
    };
    for target in [[0.0; 3], [f32::NAN, 1.0, 1.0], [1.0, f32::INFINITY, 1.0]] {
        unchanged(target, &pose, &matrices);
    }
    for joint in [1, 2].map(JointId::new) {
        let mut short = pose.clone();
        short.set_translation(joint, [0.0; 3]);
        unchanged([1.0, 1.0, 0.0], &short, &compute_model_matrices(&skeleton, &short));
    }
    let mut flat = pose.clone();
    flat.set_transform(JointId::new(0), &Transform { scale: [1.0, 0.0, 1.0], ..Transform::IDENTITY });
    unchanged([1.0, 1.0, 0.0], &flat, &compute_model_matrices(&skeleton, &flat));
    let mut broken = matrices.clone();
    broken[0].rows[0][3] = f32::NAN;
    unchanged([1.0, 1.0, 0.0], &pose, &broken);
}

#[test]
fn weight_zero_changes_nothing_and_one_half_is_halfway() {
    let mut rng = Lcg::new(5);
    for _ in 0..100 {
        let (skeleton, pose, matrices) = random_limb(Scales::Uniform, &mut rng);
        let start = matrices[LIMB[0].index()].translation();
        let [upper, lower] = bone_lengths(&matrices);
        let target = [start[0], start[1] + upper.max(lower), start[2]];
        let run = |weight| {
            let (mut after, mut matrices) = (pose.clone(), matrices.clone());
            let limb = TwoBone { weight, ..TwoBone::new(LIMB, target) };
            skeleton.reach(&limb, &mut after, &mut matrices).unwrap();
            after
        };
        assert_eq!(run(0.0), pose);
        let mut half = Pose::new(&skeleton);
        half.nlerp(&pose, &run(1.0), Factor::All(0.5)).unwrap();
        assert_poses_near(&run(0.5), &half, 1e-5);
    }
}

#[test]
fn invalid_limbs_are_rejected() {
    let (skeleton, mut pose, mut matrices) = straight_arm();
    let mut rejection =
        |limb: TwoBone| skeleton.reach(&limb, &mut pose, &mut matrices).unwrap_err().to_string();
    let target = [1.0, 1.0, 0.0];
    let order = "joint 1 \"elbow\": expected a joint below joint 2 \"hand\", found one that is not";
    assert_eq!(rejection(TwoBone::new([JointId::new(0), JointId::new(2), JointId::new(1)], target)), order);
    let twice = "joint 0 \"shoulder\": expected a joint below joint 0 \"shoulder\", found one that is not";
    assert_eq!(rejection(TwoBone::new([JointId::new(0), JointId::new(0), JointId::new(2)], target)), twice);
    for joints in [[3, 1, 2], [0, 3, 2], [0, 1, 3]] {
        assert_eq!(
            rejection(TwoBone::new(joints.map(JointId::new), target)),
            "expected a joint below 3, found 3"
        );
    }
    for weight in [-0.1, 1.5, f32::NAN] {
        let expected = format!("weight of the limb: expected a number from 0 to 1, found {weight:?}");
        assert_eq!(
            rejection(TwoBone {
                weight,
                ..TwoBone::new([JointId::new(0), JointId::new(1), JointId::new(2)], target)
            }),
            expected
        );
    }
    let limb = TwoBone::new([JointId::new(0), JointId::new(1), JointId::new(2)], target);
    let mut other = Pose::new(&chain(2));
    let error = skeleton.reach(&limb, &mut other, &mut matrices).unwrap_err().to_string();
    assert_eq!(error, "joints of the pose: expected 3, found 2");
    let error = skeleton.reach(&limb, &mut pose, &mut matrices[..2]).unwrap_err().to_string();
    assert_eq!(error, "model matrices: expected 3, found 2");
}

#[test]
fn reaching_allocates_nothing() {
    let (skeleton, mut pose, mut matrices) = random_limb(Scales::NonUniformAbove, &mut Lcg::new(9));
    let counted = allocation_counter::measure(|| {
        let limb = TwoBone { pole: Pole::Direction([0.0, 0.0, 1.0]), ..TwoBone::new(LIMB, [0.3, 0.2, 0.1]) };
        skeleton.reach(&limb, &mut pose, &mut matrices).unwrap();
    });
    assert_eq!(counted.count_total, 0);
}
