//! Two-bone IK: limbs of every shape reach, and what happens where they cannot.

use crate::rigs;

use crate::limbs::{
    END, LIMB, Scales, assert_finite, beside, bones, direction, dot, length, multiply, rig, straight, sub,
    unit, whole,
};
use crate::rigs::Numbers;
use sinew::{Factor, Matrix, Pole, Pose, Reach, Transform, TwoBone};

#[test]
fn every_target_in_reach_is_reached_whatever_scales_above() {
    let mut numbers = Numbers::new(1);
    for scales in [Scales::None, Scales::Even, Scales::UnevenAbove] {
        for round in 0..2000 {
            let (skeleton, mut pose, mut matrices) = rig(scales, &mut numbers);
            // What is in reach is a shell in the space of the start joint's parent.
            let parent = matrices[LIMB[0] - 1];
            let inverse = parent.inverse().expect("scales far from zero");
            let [start, middle, end] =
                LIMB.map(|joint| inverse.transform_point(matrices[joint].translation()));
            let [upper, lower] = [length(sub(middle, start)), length(sub(end, middle))];
            let (least, most) = ((upper - lower).abs(), upper + lower);
            let distance = least + (most - least) * (0.01 + 0.98 * numbers.next().abs());
            let way = direction(&mut numbers);
            let target = parent.transform_point([0, 1, 2].map(|i| start[i] + distance * way[i]));
            let pole = match round % 3 {
                0 => Pole::Free,
                1 => Pole::Direction(direction(&mut numbers)),
                _ => Pole::Point(direction(&mut numbers)),
            };
            let limb = TwoBone { pole, ..TwoBone::new(LIMB, target) };
            let reached = skeleton.reach(&limb, &mut pose, &mut matrices).unwrap();
            assert_eq!(reached, Reach::Reached);
            let missed = length(sub(matrices[END].translation(), target));
            let size: f32 = bones(&matrices).iter().sum();
            assert!(missed <= 1e-4 * size.max(0.1), "{scales:?}: {missed} of {size}");
            assert_eq!(matrices, whole(&skeleton, &pose));
            assert_finite(&pose, &matrices);
        }
    }
}

#[test]
fn every_place_that_the_hinge_allows_is_reached_whatever_scales_anywhere() {
    let mut numbers = Numbers::new(2);
    for scales in [Scales::None, Scales::Even, Scales::UnevenAbove, Scales::UnevenEverywhere] {
        for _ in 0..1000 {
            let (skeleton, mut pose, mut matrices) = rig(scales, &mut numbers);
            let axis = direction(&mut numbers);
            // Somewhere the limb can be: the middle turned about its axis, the start any way.
            let mut there = pose.clone();
            let (sine, cosine) = (3.0 * numbers.next()).sin_cos();
            let turn = [axis[0] * sine, axis[1] * sine, axis[2] * sine, cosine];
            let turned = multiply(pose.joints()[LIMB[1]].rotation, turn);
            there.joints_mut()[LIMB[1]].rotation = turned;
            there.joints_mut()[LIMB[0]].rotation = numbers.rotation();
            let target = whole(&skeleton, &there)[END].translation();

            let limb = TwoBone { hinge: Some(axis), ..TwoBone::new(LIMB, target) };
            skeleton.reach(&limb, &mut pose, &mut matrices).unwrap();
            let missed = length(sub(matrices[END].translation(), target));
            let size: f32 = bones(&matrices).iter().sum();
            assert!(missed <= 1e-4 * size.max(0.1), "{scales:?}: {missed} of {size}");
            assert_finite(&pose, &matrices);
        }
    }
}

#[test]
fn the_middle_joint_is_on_the_side_of_the_pole() {
    let mut numbers = Numbers::new(3);
    for round in 0..1000 {
        let (skeleton, mut pose, mut matrices) = rig(Scales::Even, &mut numbers);
        let start = matrices[LIMB[0]].translation();
        let [upper, lower] = bones(&matrices);
        let distance = 0.5 * ((upper - lower).abs() + upper + lower);
        let way = direction(&mut numbers);
        let (side, point) = (direction(&mut numbers), direction(&mut numbers));
        if length(beside(side, way)) < 0.1 || length(beside(sub(point, start), way)) < 0.1 {
            continue;
        }
        let (pole, toward) = if round % 2 == 0 {
            (Pole::Direction(side), side)
        } else {
            (Pole::Point(point), sub(point, start))
        };
        let target = [0, 1, 2].map(|i| start[i] + distance * way[i]);
        let limb = TwoBone { pole, ..TwoBone::new(LIMB, target) };
        skeleton.reach(&limb, &mut pose, &mut matrices).unwrap();
        let elbow = beside(sub(matrices[LIMB[1]].translation(), start), way);
        let cosine = dot(unit(elbow), unit(beside(toward, way)));
        assert!(cosine > 1.0 - 1e-4, "{cosine}");
    }
}

#[test]
fn out_of_reach_the_limb_is_stretched_or_folded_toward_the_target() {
    let mut numbers = Numbers::new(4);
    for _ in 0..1000 {
        let (skeleton, mut pose, mut matrices) = rig(Scales::Even, &mut numbers);
        let start = matrices[LIMB[0]].translation();
        let [upper, lower] = bones(&matrices);
        let way = direction(&mut numbers);
        let least = (upper - lower).abs();
        for (distance, reach, ends_at) in [
            (1.5 * (upper + lower), Reach::TooFar, upper + lower),
            (1e6, Reach::TooFar, upper + lower),
            (0.5 * least, Reach::TooNear, least),
        ] {
            if distance < 1e-3 {
                continue;
            }
            let target = [0, 1, 2].map(|i| start[i] + distance * way[i]);
            let limb = TwoBone { pole: Pole::Direction([0.0, 1.0, 0.0]), ..TwoBone::new(LIMB, target) };
            assert_eq!(skeleton.reach(&limb, &mut pose, &mut matrices), Ok(reach));
            let end = sub(matrices[END].translation(), start);
            let size = upper + lower;
            for (found, expected) in end.iter().zip(way.map(|element| element * ends_at)) {
                assert!((found - expected).abs() < 1e-4 * size, "{found} {expected}");
            }
        }
    }
}

#[test]
fn the_edge_of_reach_is_reached() {
    let (skeleton, mut pose, mut matrices) = straight();
    for distance in [2.0, 1.999_999, 2.000_001] {
        let arm = TwoBone::new([0, 1, 2], [0.0, distance, 0.0]);
        assert_eq!(skeleton.reach(&arm, &mut pose, &mut matrices), Ok(Reach::Reached));
        assert!(length(sub(matrices[2].translation(), [0.0, distance, 0.0])) < 1e-5);
    }
}

#[test]
fn a_straight_limb_bends_toward_its_pole_and_any_way_without() {
    let poles = [
        (Pole::Direction([0.0, 0.0, 1.0]), Some([0.0, 0.0, 1.0])),
        (Pole::Point([0.5, -3.0, 0.0]), Some([0.0, -1.0, 0.0])),
        (Pole::Direction([1.0, 0.0, 0.0]), None),
        (Pole::Direction([f32::NAN, 0.0, 0.0]), None),
        (Pole::Direction([0.0; 3]), None),
        (Pole::Free, None),
    ];
    for (pole, side) in poles {
        let (skeleton, mut pose, mut matrices) = straight();
        let arm = TwoBone { pole, ..TwoBone::new([0, 1, 2], [1.2, 0.0, 0.0]) };
        assert_eq!(skeleton.reach(&arm, &mut pose, &mut matrices), Ok(Reach::Reached), "{pole:?}");
        assert!(length(sub(matrices[2].translation(), [1.2, 0.0, 0.0])) < 1e-6);
        let elbow = matrices[1].translation();
        assert!((length(beside(elbow, [1.0, 0.0, 0.0])) - 0.8).abs() < 1e-6);
        assert!(side.is_none_or(|side| (dot(elbow, side) - 0.8).abs() < 1e-6), "{pole:?} {elbow:?}");
        assert_finite(&pose, &matrices);
    }
}

#[test]
fn a_hinge_says_which_way_a_straight_limb_bends() {
    for (hinge, y) in [([0.0, 0.0, 1.0], -0.8), ([0.0, 0.0, -5.0], 0.8)] {
        let (skeleton, mut pose, mut matrices) = straight();
        let arm = TwoBone { hinge: Some(hinge), ..TwoBone::new([0, 1, 2], [1.2, 0.0, 0.0]) };
        assert_eq!(skeleton.reach(&arm, &mut pose, &mut matrices), Ok(Reach::Reached));
        assert!((matrices[1].translation()[1] - y).abs() < 1e-6);
        // The elbow has turned about its hinge and nothing else.
        let [x, y, ..] = pose.joints()[1].rotation;
        assert!(x.abs() < 1e-7 && y.abs() < 1e-7);
    }
}

#[test]
fn where_there_is_no_answer_nothing_changes() {
    let (skeleton, pose, matrices) = straight();
    let unchanged = |target, pose: &Pose, matrices: &[Matrix]| {
        let (mut after, mut matrices_after) = (pose.clone(), matrices.to_vec());
        let arm = TwoBone { pole: Pole::Direction([0.0, 1.0, 0.0]), ..TwoBone::new([0, 1, 2], target) };
        assert_eq!(skeleton.reach(&arm, &mut after, &mut matrices_after), Ok(Reach::Unchanged));
        assert_eq!(&after, pose);
    };
    for target in [[0.0; 3], [f32::NAN, 1.0, 1.0], [1.0, f32::INFINITY, 1.0]] {
        unchanged(target, &pose, &matrices);
    }
    for joint in [1, 2] {
        let mut short = pose.clone();
        short.joints_mut()[joint].translation = [0.0; 3];
        unchanged([1.0, 1.0, 0.0], &short, &whole(&skeleton, &short));
    }
    let mut flat = pose.clone();
    flat.set_transform(0, &Transform { scale: [1.0, 0.0, 1.0], ..Transform::IDENTITY });
    unchanged([1.0, 1.0, 0.0], &flat, &whole(&skeleton, &flat));
    let mut broken = matrices.clone();
    broken[0].rows[0][3] = f32::NAN;
    unchanged([1.0, 1.0, 0.0], &pose, &broken);
}

#[test]
fn weight_zero_changes_nothing_and_half_lies_between() {
    let mut numbers = Numbers::new(5);
    for _ in 0..100 {
        let (skeleton, pose, matrices) = rig(Scales::Even, &mut numbers);
        let start = matrices[LIMB[0]].translation();
        let [upper, lower] = bones(&matrices);
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
        rigs::assert_near(&run(0.5), &half, 1e-5);
    }
}

#[test]
fn bad_limbs_are_refused() {
    let (skeleton, mut pose, mut matrices) = straight();
    let mut refused =
        |limb: TwoBone| skeleton.reach(&limb, &mut pose, &mut matrices).unwrap_err().to_string();
    let target = [1.0, 1.0, 0.0];
    let order = "joint 1 \"elbow\": expected a joint below joint 2 \"hand\", found one that is not";
    assert_eq!(refused(TwoBone::new([0, 2, 1], target)), order);
    let twice = "joint 0 \"shoulder\": expected a joint below joint 0 \"shoulder\", found one that is not";
    assert_eq!(refused(TwoBone::new([0, 0, 2], target)), twice);
    for joints in [[3, 1, 2], [0, 3, 2], [0, 1, 3]] {
        assert_eq!(refused(TwoBone::new(joints, target)), "expected a joint below 3, found 3");
    }
    for weight in [-0.1, 1.5, f32::NAN] {
        let expected = format!("weight of the limb: expected a number from 0 to 1, found {weight:?}");
        assert_eq!(refused(TwoBone { weight, ..TwoBone::new([0, 1, 2], target) }), expected);
    }
    let limb = TwoBone::new([0, 1, 2], target);
    let mut other = Pose::new(&rigs::chain(2));
    let error = skeleton.reach(&limb, &mut other, &mut matrices).unwrap_err().to_string();
    assert_eq!(error, "joints of the pose: expected 3, found 2");
    let error = skeleton.reach(&limb, &mut pose, &mut matrices[..2]).unwrap_err().to_string();
    assert_eq!(error, "model matrices: expected 3, found 2");
}

#[test]
fn reaching_allocates_nothing() {
    let (skeleton, mut pose, mut matrices) = rig(Scales::UnevenAbove, &mut Numbers::new(9));
    let counted = allocation_counter::measure(|| {
        let limb = TwoBone { pole: Pole::Direction([0.0, 0.0, 1.0]), ..TwoBone::new(LIMB, [0.3, 0.2, 0.1]) };
        skeleton.reach(&limb, &mut pose, &mut matrices).unwrap();
    });
    assert_eq!(counted.count_total, 0);
}
