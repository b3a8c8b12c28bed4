//! Root motion: extraction from a pose, and motion between two times.

use sinew::animation::{Motion, RootMotion, RootMotionAccumulator, RootParts, RootRotation};
use sinew::skeleton::SkeletonError;
use sinew::{JointId, Pose, Transform};

use crate::support::random_rigs::{Lcg, random_pose, random_tree};

const UP: [f32; 3] = [0.0, 1.0, 0.0];

fn all_root_parts() -> impl Iterator<Item = RootParts> {
    let rotations = [RootRotation::None, RootRotation::About(UP), RootRotation::All];
    (0..8).flat_map(move |axes| {
        let [x, y, z] = [1, 2, 4].map(|axis| axes & axis != 0);
        rotations.map(|rotation| RootParts { x, y, z, rotation })
    })
}

/// A random root transform.
fn random_root(rng: &mut Lcg) -> Transform {
    let transform = rng.transform();
    Transform {
        translation: transform.translation.map(|element| 20.0 * element),
        scale: [1.5; 3],
        ..transform
    }
}

fn assert_transforms_near(found: &Transform, expected: &Transform, tolerance: f32) {
    let sign = found.rotation.iter().zip(expected.rotation).map(|(a, b)| a * b).sum::<f32>().signum();
    for (a, b) in found.rotation.iter().zip(expected.rotation) {
        assert!((a * sign - b).abs() <= tolerance, "{found:?} {expected:?}");
    }
    for (a, b) in found.translation.iter().zip(expected.translation) {
        assert!((a - b).abs() <= tolerance, "{found:?} {expected:?}");
    }
    assert_eq!(found.scale, expected.scale);
}

fn assert_motions_near(found: &Motion, expected: &Motion, tolerance: f32) {
    assert_transforms_near(
        &found.apply(&Transform::IDENTITY),
        &expected.apply(&Transform::IDENTITY),
        tolerance,
    );
}

#[test]
fn the_remaining_root_and_the_extracted_motion_compose_to_the_root() {
    let mut rng = Lcg::new(1);
    for parts in all_root_parts() {
        for _ in 0..100 {
            let motion = RootMotion { start: random_root(&mut rng), end: random_root(&mut rng), parts };
            let now = random_root(&mut rng);
            let since_start = motion.between(&motion.start, &now, 0);
            assert_transforms_near(&since_start.apply(&motion.residual(&now)), &now, 1e-5);
        }
    }
}

#[test]
fn extracted_components_stay_at_the_start_and_the_others_are_unchanged() {
    let mut rng = Lcg::new(2);
    for parts in all_root_parts() {
        let motion = RootMotion { start: random_root(&mut rng), end: random_root(&mut rng), parts };
        let now = random_root(&mut rng);
        let without = motion.residual(&now);
        for (axis, taken) in [parts.x, parts.y, parts.z].into_iter().enumerate() {
            let (expected, tolerance) =
                if taken { (motion.start.translation[axis], 0.0) } else { (now.translation[axis], 1e-5) };
            assert!((without.translation[axis] - expected).abs() <= tolerance);
        }
        let since_start = motion.between(&motion.start, &now, 0);
        match parts.rotation {
            RootRotation::None => {
                assert_eq!(without.rotation, now.rotation);
                assert_eq!(since_start.rotation, [0.0, 0.0, 0.0, 1.0]);
                for (moved, taken) in since_start.translation.iter().zip([parts.x, parts.y, parts.z]) {
                    assert!(taken || *moved == 0.0);
                }
            }
            RootRotation::About(_) => {
                let [x, _, z, _] = since_start.rotation;
                assert!(x == 0.0 && z == 0.0);
                assert!(parts.y || since_start.translation[1].abs() < 1e-6);
            }
            RootRotation::All => assert_eq!(without.rotation, motion.start.rotation),
        }
        assert_transforms_near(&motion.residual(&motion.start), &motion.start, 1e-6);
    }
}

#[test]
fn consecutive_motions_compose() {
    let mut rng = Lcg::new(3);
    for parts in all_root_parts() {
        for wraps in [-2, -1, 0, 1, 3] {
            let motion = RootMotion { start: random_root(&mut rng), end: random_root(&mut rng), parts };
            let [a, b, c] = [random_root(&mut rng), random_root(&mut rng), random_root(&mut rng)];
            let steps = motion.between(&a, &b, wraps).then(&motion.between(&b, &c, 1));
            assert_motions_near(&steps, &motion.between(&a, &c, wraps + 1), 1e-4);
            // A wrap is the motion to the end, then on from the start.
            let through = motion.between(&a, &motion.end, 0).then(&motion.between(&motion.start, &b, 0));
            assert_motions_near(&through, &motion.between(&a, &b, 1), 1e-4);
        }
    }
}

#[test]
fn reverse_playback_gives_the_inverse_motion() {
    let mut rng = Lcg::new(4);
    for parts in all_root_parts() {
        for wraps in [0, 1, 2] {
            let motion = RootMotion { start: random_root(&mut rng), end: random_root(&mut rng), parts };
            let (a, b) = (random_root(&mut rng), random_root(&mut rng));
            let (there, back) = (motion.between(&a, &b, wraps), motion.between(&b, &a, -wraps));
            assert_motions_near(&there.inverse(), &back, 1e-5);
            assert_motions_near(&there.then(&back), &Motion::IDENTITY, 1e-5);
        }
    }
}

/// A walk of a meter along z, with a swaying and bobbing hip, at a time from 0 to 1.
fn walk(time: f32) -> Transform {
    let sway = (std::f32::consts::TAU * time).sin();
    let translation = [0.05 * sway, 0.9 + 0.02 * sway, time];
    let lean = 0.02 * sway;
    Transform { rotation: [lean, 0.0, 0.0, (1.0 - lean * lean).sqrt()], translation, ..Transform::IDENTITY }
}

#[test]
fn looped_walks_add_up_without_drift() {
    for parts in [RootParts::ALL, RootParts::GROUND] {
        let motion = RootMotion { start: walk(0.0), end: walk(1.0), parts };
        for (loops, frames) in [(1, 30), (7, 60), (100, 33), (3000, 60)] {
            let mut travel = RootMotionAccumulator::START;
            for frame in 0..loops * frames {
                let [now, next] = [frame, frame + 1].map(|frame| (frame % frames) as f32 / frames as f32);
                let wraps = i32::from(next < now);
                travel.advance(&motion.between(&walk(now), &walk(next), wraps));
            }
            let [x, y, z] = travel.translation;
            let far = f64::from(loops);
            let missed = (x * x + y * y + (z - far) * (z - far)).sqrt();
            assert!(missed < 1e-5 * far, "{loops} loops: {missed}");
            let at_once = motion.between(&walk(0.0), &walk(0.0), loops);
            assert!((f64::from(at_once.translation[2]) - far).abs() < 1e-5 * far);
            assert_eq!(travel.motion().translation[2], z as f32);
        }
    }
}

#[test]
fn a_turning_clip_walks_in_a_circle() {
    // A quarter turn to the left and a meter forward in each loop.
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let end =
        Transform { rotation: [0.0, half, 0.0, half], translation: [0.0, 0.0, 1.0], ..Transform::IDENTITY };
    let motion = RootMotion { start: Transform::IDENTITY, end, parts: RootParts::GROUND };
    let start = Transform::IDENTITY;
    assert_motions_near(&motion.between(&start, &start, 4), &Motion::IDENTITY, 1e-6);
    let after_two = motion.between(&start, &start, 2).translation;
    assert!(after_two.iter().zip([1.0, 0.0, 1.0]).all(|(a, b)| (a - b).abs() < 1e-6), "{after_two:?}");
    assert!(motion.between(&start, &start, i32::MIN).translation.iter().all(|element| element.is_finite()));
}

#[test]
fn extraction_changes_only_the_root_joint() {
    let skeleton = random_tree(20);
    let mut pose = random_pose(&skeleton, 1);
    pose.set_scale(JointId::new(3), [2.0; 3]);
    let before = pose.clone();
    let motion = RootMotion { start: walk(0.0), end: walk(1.0), parts: RootParts::ALL };
    motion.extract_from(&mut pose, JointId::new(3)).unwrap();
    for joint in 0..20 {
        let expected = if joint == 3 {
            Transform { scale: [2.0; 3], ..walk(0.0) }
        } else {
            before.transform(JointId::new(joint))
        };
        assert_eq!(pose.transform(JointId::new(joint)), expected);
    }
    assert_eq!(
        motion.extract_from(&mut pose, JointId::new(20)),
        Err(SkeletonError::JointOutOfRange { joint: 20, len: 20 }.into())
    );
}

#[test]
fn an_axis_of_length_zero_extracts_no_rotation() {
    let mut rng = Lcg::new(5);
    for axis in [[0.0; 3], [f32::NAN; 3]] {
        let parts = RootParts { rotation: RootRotation::About(axis), ..RootParts::GROUND };
        let motion = RootMotion { start: random_root(&mut rng), end: random_root(&mut rng), parts };
        let now = random_root(&mut rng);
        assert_eq!(motion.between(&motion.start, &now, 0).rotation, [0.0, 0.0, 0.0, 1.0]);
        assert_transforms_near(
            &motion.between(&motion.start, &now, 0).apply(&motion.residual(&now)),
            &now,
            1e-5,
        );
    }
}

#[test]
fn root_motion_allocates_nothing() {
    let skeleton = random_tree(20);
    let mut pose = Pose::new(&skeleton);
    let counted = allocation_counter::measure(|| {
        let motion = RootMotion { start: walk(0.0), end: walk(1.0), parts: RootParts::GROUND };
        let mut travel = RootMotionAccumulator::START;
        travel.advance(&motion.between(&walk(0.9), &walk(0.1), 1));
        motion.extract_from(&mut pose, JointId::new(0)).unwrap();
    });
    assert_eq!(counted.count_total, 0);
}
