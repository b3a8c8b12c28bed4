//! Aim IK: joints point at targets, and what happens where they cannot.

use crate::limbs::{Scales, assert_finite, beside, direction, dot, length, rig, straight, sub, unit, whole};
use crate::rigs::Numbers;
use sinew::{Aim, AimUp, Aimed};

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
        let aim = Aim { up: Some(AimUp { axis, toward }), ..Aim::new(3, forward, target) };
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
    let no_up = AimUp { axis: forward, toward: [f32::NAN; 3] };
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
fn aiming_allocates_nothing() {
    let (skeleton, mut pose, mut matrices) = rig(Scales::UnevenAbove, &mut Numbers::new(9));
    let counted = allocation_counter::measure(|| {
        let up = AimUp { axis: [0.0, 1.0, 0.0], toward: [0.0, 1.0, 0.0] };
        let aim = Aim { up: Some(up), ..Aim::new(6, [0.0, 0.0, 1.0], [3.0, 2.0, 1.0]) };
        skeleton.aim(&aim, &mut pose, &mut matrices).unwrap();
    });
    assert_eq!(counted.count_total, 0);
}
