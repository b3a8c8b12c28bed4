//! Two-bone IK, aim IK and joints that the program sets itself.

mod rigs;

use rigs::Numbers;
use sinew::{
    Aim, Aimed, Bone, Error, Matrix, ModelRotation, Override, Pole, Pose, Reach, Skeleton, Transform,
    TwoBone, Up,
};

const LIMB: [usize; 3] = [2, 4, 6];
const END: usize = 6;

/// How joints of a rig scale.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Scales {
    None,
    Even,
    UnevenAbove,
    UnevenEverywhere,
}

/// root, hip, thigh, twist, shin, twist, foot, toe: turned any way, of any lengths.
fn rig(scales: Scales, numbers: &mut Numbers) -> (Skeleton, Pose, Vec<Matrix>) {
    let bone = |joint: usize| {
        let factor = |numbers: &mut Numbers| 1.25 + numbers.next();
        let scale = match scales {
            Scales::Even => [factor(numbers); 3],
            Scales::UnevenAbove if joint > 1 => [1.0; 3],
            Scales::UnevenAbove | Scales::UnevenEverywhere => {
                [factor(numbers), factor(numbers), factor(numbers)]
            }
            Scales::None => [1.0; 3],
        };
        let transform = numbers.transform();
        let translation = transform.translation.map(|element| 5.0 * element + 0.1);
        Bone::new("a joint", joint.checked_sub(1), Transform { translation, scale, ..transform })
    };
    let mut bone = bone;
    let skeleton = Skeleton::new(&(0..8).map(&mut bone).collect::<Vec<_>>()).expect("a chain");
    let pose = skeleton.rest_pose();
    let matrices = whole(&skeleton, &pose);
    (skeleton, pose, matrices)
}

fn whole(skeleton: &Skeleton, pose: &Pose) -> Vec<Matrix> {
    let mut matrices = skeleton.model_matrices();
    skeleton.to_model(pose, .., &mut matrices).expect("a matrix for each joint");
    matrices
}

fn sub(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [0, 1, 2].map(|i| a[i] - b[i])
}

fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn length(a: [f32; 3]) -> f32 {
    dot(a, a).sqrt()
}

fn unit(a: [f32; 3]) -> [f32; 3] {
    a.map(|element| element / length(a))
}

fn beside(a: [f32; 3], axis: [f32; 3]) -> [f32; 3] {
    [0, 1, 2].map(|i| a[i] - axis[i] * dot(a, axis))
}

fn direction(numbers: &mut Numbers) -> [f32; 3] {
    loop {
        let v = [numbers.next(), numbers.next(), numbers.next()];
        if (0.1..1.0).contains(&length(v)) {
            return unit(v);
        }
    }
}

/// Lengths of both bones, in model space.
fn bones(matrices: &[Matrix]) -> [f32; 2] {
    let [start, middle, end] = LIMB.map(|joint| matrices[joint].translation());
    [length(sub(middle, start)), length(sub(end, middle))]
}

fn assert_finite(pose: &Pose, matrices: &[Matrix]) {
    assert!(matrices.iter().all(Matrix::is_finite));
    for joint in pose.joints() {
        let squared: f32 = joint.rotation.iter().map(|element| element * element).sum();
        assert!((squared - 1.0).abs() < 1e-5);
    }
}

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

fn multiply(a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
    let ([ax, ay, az, aw], [bx, by, bz, bw]) = (a, b);
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
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

/// A straight arm of two metres along x.
fn straight() -> (Skeleton, Pose, Vec<Matrix>) {
    let along = Transform { translation: [1.0, 0.0, 0.0], ..Transform::IDENTITY };
    let bones =
        [("shoulder", None, Transform::IDENTITY), ("elbow", Some(0), along), ("hand", Some(1), along)];
    let bones = bones.map(|(name, parent, rest)| Bone::new(name, parent, rest));
    let skeleton = Skeleton::new(&bones).expect("an arm");
    let pose = skeleton.rest_pose();
    let matrices = whole(&skeleton, &pose);
    (skeleton, pose, matrices)
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
        half.nlerp(&pose, &run(1.0), sinew::Factor::All(0.5)).unwrap();
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
fn a_joint_points_at_its_target_whatever_scales() {
    let mut numbers = Numbers::new(6);
    for scales in [Scales::None, Scales::Even, Scales::UnevenAbove, Scales::UnevenEverywhere] {
        for round in 0..1000 {
            let (skeleton, mut pose, mut matrices) = rig(scales, &mut numbers);
            let (joint, forward) = (round % 8, direction(&mut numbers));
            let offset = if round % 3 == 0 { [0.05, -0.02, 0.03] } else { [0.0; 3] };
            let eye = matrices[joint].translation();
            let way = direction(&mut numbers);
            let target = [0, 1, 2].map(|i| eye[i] + 20.0 * way[i]);
            let aim = Aim { offset, ..Aim::new(joint, forward, target) };
            assert_eq!(skeleton.aim(&aim, &mut pose, &mut matrices), Ok(Aimed::Reached));
            let from = matrices[joint].transform_point(offset);
            let sight = unit(matrices[joint].transform_vector(forward));
            let passes_at = length(beside(sub(target, from), sight));
            assert!(passes_at < 20.0 * 1e-4, "{scales:?}: {passes_at}");
            assert!(dot(sub(target, from), sight) > 0.0);
            assert_eq!(matrices, whole(&skeleton, &pose));
        }
    }
}

#[test]
fn up_leans_toward_up_while_the_joint_points_at_its_target() {
    let mut numbers = Numbers::new(7);
    for _ in 0..1000 {
        let (skeleton, mut pose, mut matrices) = rig(Scales::Even, &mut numbers);
        let (forward, axis, toward) = ([0.0, 0.0, 1.0], [0.0, 1.0, 0.0], direction(&mut numbers));
        let (eye, way) = (matrices[3].translation(), direction(&mut numbers));
        if length(beside(toward, way)) < 0.1 {
            continue;
        }
        let target = [0, 1, 2].map(|i| eye[i] + way[i]);
        let aim = Aim { up: Some(Up { axis, toward }), ..Aim::new(3, forward, target) };
        assert_eq!(skeleton.aim(&aim, &mut pose, &mut matrices), Ok(Aimed::Reached));
        assert!(dot(unit(matrices[3].transform_vector(forward)), way) > 1.0 - 1e-5);
        let found = unit(matrices[3].transform_vector(axis));
        assert!(dot(found, unit(beside(toward, way))) > 1.0 - 1e-4);
    }
}

#[test]
fn a_limit_stops_the_turn_at_its_cone() {
    for (target, aimed, expected) in [
        ([0.0, 0.0, -5.0], Aimed::Limited, None),
        ([5.0, 0.0, 0.0], Aimed::Limited, Some([0.6, 0.0, 0.8])),
        ([1.0, 0.0, 5.0], Aimed::Reached, Some(unit([1.0, 0.0, 5.0]))),
    ] {
        let (skeleton, mut pose, mut matrices) = straight();
        let aim = Aim { limit: 0.8, ..Aim::new(0, [0.0, 0.0, 1.0], target) };
        assert_eq!(skeleton.aim(&aim, &mut pose, &mut matrices), Ok(aimed));
        let forward = matrices[0].transform_vector([0.0, 0.0, 1.0]);
        assert!(forward[2] > 0.8 - 1e-6);
        assert!(expected.is_none_or(|expected| length(sub(forward, expected)) < 1e-6), "{forward:?}");
    }
}

#[test]
fn a_target_nearer_than_the_offset_is_told_and_one_without_answer_changes_nothing() {
    let (skeleton, pose, matrices) = straight();
    let run = |aim: Aim| {
        let (mut after, mut matrices) = (pose.clone(), matrices.clone());
        let aimed = skeleton.aim(&aim, &mut after, &mut matrices).unwrap();
        assert_finite(&after, &matrices);
        (aimed, after)
    };
    let forward = [0.0, 0.0, 1.0];
    let near = Aim { offset: [0.0, 0.5, 0.0], ..Aim::new(1, forward, [1.1, 0.1, 0.1]) };
    assert_eq!(run(near).0, Aimed::TooNear);
    let behind = Aim { offset: [0.0, 0.0, 0.5], ..Aim::new(1, forward, [1.1, 0.1, 0.1]) };
    assert_eq!(run(behind).0, Aimed::TooNear);
    for aim in [
        Aim::new(1, forward, [1.0, 0.0, 0.0]),
        Aim::new(1, forward, [f32::NAN, 0.0, 0.0]),
        Aim::new(1, [0.0; 3], [5.0, 0.0, 0.0]),
        Aim::new(1, [f32::NAN; 3], [5.0, 0.0, 0.0]),
        Aim { offset: [f32::NAN; 3], ..Aim::new(1, forward, [5.0, 0.0, 0.0]) },
    ] {
        assert_eq!(run(aim), (Aimed::Unchanged, pose.clone()), "{aim:?}");
    }
    assert_eq!(run(Aim { weight: 0.0, ..Aim::new(1, forward, [5.0, 3.0, 0.0]) }).1, pose);
    let no_up = Up { axis: forward, toward: [f32::NAN; 3] };
    assert_eq!(run(Aim { up: Some(no_up), ..Aim::new(1, forward, [5.0, 0.0, 3.0]) }).0, Aimed::Reached);
}

#[test]
fn bad_aims_are_refused() {
    let (skeleton, mut pose, mut matrices) = straight();
    let mut refused = |aim: Aim| skeleton.aim(&aim, &mut pose, &mut matrices).unwrap_err().to_string();
    let aim = Aim::new(0, [0.0, 0.0, 1.0], [1.0; 3]);
    assert_eq!(refused(Aim { joint: 3, ..aim }), "expected a joint below 3, found 3");
    for bad in [-1.5, 1.5, f32::NAN] {
        let limit = format!("limit of the aim: expected a cosine from -1 to 1, found {bad:?}");
        assert_eq!(refused(Aim { limit: bad, ..aim }), limit);
        let weight = format!("weight of the aim: expected a number from 0 to 1, found {bad:?}");
        assert_eq!(refused(Aim { weight: bad, ..aim }), weight);
    }
}

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
fn nothing_here_allocates() {
    let (skeleton, mut pose, mut matrices) = rig(Scales::UnevenAbove, &mut Numbers::new(9));
    let counted = allocation_counter::measure(|| {
        let limb = TwoBone { pole: Pole::Direction([0.0, 0.0, 1.0]), ..TwoBone::new(LIMB, [0.3, 0.2, 0.1]) };
        skeleton.reach(&limb, &mut pose, &mut matrices).unwrap();
        let up = Up { axis: [0.0, 1.0, 0.0], toward: [0.0, 1.0, 0.0] };
        let aim = Aim { up: Some(up), ..Aim::new(6, [0.0, 0.0, 1.0], [3.0, 2.0, 1.0]) };
        skeleton.aim(&aim, &mut pose, &mut matrices).unwrap();
        let turn = ModelRotation { joint: 7, rotation: [0.0, 0.0, 0.0, 1.0], weight: 0.5 };
        skeleton.turn_in_model(&turn, &mut pose, &mut matrices).unwrap();
        pose.override_joints(&[Override { scale: Some([2.0; 3]), ..Override::new(1) }]).unwrap();
    });
    assert_eq!(counted.count_total, 0);
}
