//! Aim IK: joints aim at targets. Unreachable targets are reported.

use sinew::animation::{AimUp, Aimed};
use sinew::{Aim, JointId};

use crate::support::limb_chains::{
    Scales, assert_finite_and_normalized, random_direction, random_limb, straight_arm,
};
use crate::support::matrices::compute_model_matrices;
use crate::support::random_rigs::Lcg;
use crate::support::vec3_f32::{dot, length, normalize, reject_from, sub};

#[test]
fn a_joint_aims_at_its_target_with_any_scale() {
    let mut rng = Lcg::new(6);
    for scales in [Scales::None, Scales::Uniform, Scales::NonUniformAbove, Scales::NonUniformEverywhere] {
        for round in 0..1000 {
            let (skeleton, mut pose, mut matrices) = random_limb(scales, &mut rng);
            let (joint, forward) = (round % 8, random_direction(&mut rng));
            let offset = if round % 3 == 0 { [0.05, -0.02, 0.03] } else { [0.0; 3] };
            let eye = matrices[joint].translation();
            let direction = random_direction(&mut rng);
            let target = [0, 1, 2].map(|i| eye[i] + 20.0 * direction[i]);
            let aim = Aim { offset, ..Aim::new(JointId::new(joint), forward, target) };
            assert_eq!(skeleton.aim(&aim, &mut pose, &mut matrices), Ok(Aimed::Reached));
            let from = matrices[joint].transform_point(offset);
            let sight = normalize(matrices[joint].transform_vector(forward));
            let passes_at = length(reject_from(sub(target, from), sight));
            assert!(passes_at < 20.0 * 1e-4, "{scales:?}: {passes_at}");
            assert!(dot(sub(target, from), sight) > 0.0);
            assert_eq!(matrices, compute_model_matrices(&skeleton, &pose));
        }
    }
}

#[test]
fn the_up_axis_leans_up_while_the_joint_aims_at_its_target() {
    let mut rng = Lcg::new(7);
    for _ in 0..1000 {
        let (skeleton, mut pose, mut matrices) = random_limb(Scales::Uniform, &mut rng);
        let (forward, axis, toward) = ([0.0, 0.0, 1.0], [0.0, 1.0, 0.0], random_direction(&mut rng));
        let (eye, direction) = (matrices[3].translation(), random_direction(&mut rng));
        if length(reject_from(toward, direction)) < 0.1 {
            continue;
        }
        let target = [0, 1, 2].map(|i| eye[i] + direction[i]);
        let aim = Aim { up: Some(AimUp { axis, toward }), ..Aim::new(JointId::new(3), forward, target) };
        assert_eq!(skeleton.aim(&aim, &mut pose, &mut matrices), Ok(Aimed::Reached));
        assert!(dot(normalize(matrices[3].transform_vector(forward)), direction) > 1.0 - 1e-5);
        let found = normalize(matrices[3].transform_vector(axis));
        assert!(dot(found, normalize(reject_from(toward, direction))) > 1.0 - 1e-4);
    }
}

#[test]
fn a_limit_stops_the_rotation_at_its_cone() {
    for (target, aimed, expected) in [
        ([0.0, 0.0, -5.0], Aimed::Limited, None),
        ([5.0, 0.0, 0.0], Aimed::Limited, Some([0.6, 0.0, 0.8])),
        ([1.0, 0.0, 5.0], Aimed::Reached, Some(normalize([1.0, 0.0, 5.0]))),
    ] {
        let (skeleton, mut pose, mut matrices) = straight_arm();
        let aim = Aim { limit: 0.8, ..Aim::new(JointId::new(0), [0.0, 0.0, 1.0], target) };
        assert_eq!(skeleton.aim(&aim, &mut pose, &mut matrices), Ok(aimed));
        let forward = matrices[0].transform_vector([0.0, 0.0, 1.0]);
        assert!(forward[2] > 0.8 - 1e-6);
        assert!(expected.is_none_or(|expected| length(sub(forward, expected)) < 1e-6), "{forward:?}");
    }
}

#[test]
fn a_target_too_near_is_reported_and_an_unsolvable_aim_changes_nothing() {
    let (skeleton, pose, matrices) = straight_arm();
    let run = |aim: Aim| {
        let (mut after, mut matrices) = (pose.clone(), matrices.clone());
        let aimed = skeleton.aim(&aim, &mut after, &mut matrices).unwrap();
        assert_finite_and_normalized(&after, &matrices);
        (aimed, after)
    };
    let forward = [0.0, 0.0, 1.0];
    let near = Aim { offset: [0.0, 0.5, 0.0], ..Aim::new(JointId::new(1), forward, [1.1, 0.1, 0.1]) };
    assert_eq!(run(near).0, Aimed::TooNear);
    let behind = Aim { offset: [0.0, 0.0, 0.5], ..Aim::new(JointId::new(1), forward, [1.1, 0.1, 0.1]) };
    assert_eq!(run(behind).0, Aimed::TooNear);
    for aim in [
        Aim::new(JointId::new(1), forward, [1.0, 0.0, 0.0]),
        Aim::new(JointId::new(1), forward, [f32::NAN, 0.0, 0.0]),
        Aim::new(JointId::new(1), [0.0; 3], [5.0, 0.0, 0.0]),
        Aim::new(JointId::new(1), [f32::NAN; 3], [5.0, 0.0, 0.0]),
        Aim { offset: [f32::NAN; 3], ..Aim::new(JointId::new(1), forward, [5.0, 0.0, 0.0]) },
    ] {
        assert_eq!(run(aim), (Aimed::Unchanged, pose.clone()), "{aim:?}");
    }
    assert_eq!(run(Aim { weight: 0.0, ..Aim::new(JointId::new(1), forward, [5.0, 3.0, 0.0]) }).1, pose);
    let no_up = AimUp { axis: forward, toward: [f32::NAN; 3] };
    assert_eq!(
        run(Aim { up: Some(no_up), ..Aim::new(JointId::new(1), forward, [5.0, 0.0, 3.0]) }).0,
        Aimed::Reached
    );
}

#[test]
fn invalid_aims_are_rejected() {
    let (skeleton, mut pose, mut matrices) = straight_arm();
    let mut rejection = |aim: Aim| skeleton.aim(&aim, &mut pose, &mut matrices).unwrap_err().to_string();
    let aim = Aim::new(JointId::new(0), [0.0, 0.0, 1.0], [1.0; 3]);
    assert_eq!(rejection(Aim { joint: JointId::new(3), ..aim }), "expected a joint below 3, found 3");
    for bad in [-1.5, 1.5, f32::NAN] {
        let limit = format!("limit of the aim: expected a cosine from -1 to 1, found {bad:?}");
        assert_eq!(rejection(Aim { limit: bad, ..aim }), limit);
        let weight = format!("weight of the aim: expected a number from 0 to 1, found {bad:?}");
        assert_eq!(rejection(Aim { weight: bad, ..aim }), weight);
    }
}

#[test]
fn aiming_allocates_nothing() {
    let (skeleton, mut pose, mut matrices) = random_limb(Scales::NonUniformAbove, &mut Lcg::new(9));
    let counted = allocation_counter::measure(|| {
        let up = AimUp { axis: [0.0, 1.0, 0.0], toward: [0.0, 1.0, 0.0] };
        let aim = Aim { up: Some(up), ..Aim::new(JointId::new(6), [0.0, 0.0, 1.0], [3.0, 2.0, 1.0]) };
        skeleton.aim(&aim, &mut pose, &mut matrices).unwrap();
    });
    assert_eq!(counted.count_total, 0);
}
