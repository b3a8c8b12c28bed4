//! Root motion: what is taken out of a pose and handed over.

use crate::rigs;

use crate::rigs::Numbers;
use sinew::{Error, Motion, Pose, RootMotion, RootParts, RootRotation, Scale, Transform, Travel};

const UP: [f32; 3] = [0.0, 1.0, 0.0];

fn parts() -> impl Iterator<Item = RootParts> {
    let rotations = [RootRotation::Stays, RootRotation::About(UP), RootRotation::All];
    (0..8).flat_map(move |axes| {
        let [x, y, z] = [1, 2, 4].map(|axis| axes & axis != 0);
        rotations.map(|rotation| RootParts { x, y, z, rotation })
    })
}

/// A root somewhere, turned any way.
fn root(numbers: &mut Numbers) -> Transform {
    let transform = numbers.transform();
    Transform {
        translation: transform.translation.map(|element| 20.0 * element),
        scale: [1.5; 3],
        ..transform
    }
}

fn assert_same_place(found: &Transform, expected: &Transform, tolerance: f32) {
    let sign = found.rotation.iter().zip(expected.rotation).map(|(a, b)| a * b).sum::<f32>().signum();
    for (a, b) in found.rotation.iter().zip(expected.rotation) {
        assert!((a * sign - b).abs() <= tolerance, "{found:?} {expected:?}");
    }
    for (a, b) in found.translation.iter().zip(expected.translation) {
        assert!((a - b).abs() <= tolerance, "{found:?} {expected:?}");
    }
    assert_eq!(found.scale, expected.scale);
}

fn assert_same_motion(found: &Motion, expected: &Motion, tolerance: f32) {
    assert_same_place(&found.apply(&Transform::IDENTITY), &expected.apply(&Transform::IDENTITY), tolerance);
}

#[test]
fn what_stays_and_the_motion_since_the_start_are_the_root() {
    let mut numbers = Numbers::new(1);
    for parts in parts() {
        for _ in 0..100 {
            let motion = RootMotion { start: root(&mut numbers), end: root(&mut numbers), parts };
            let now = root(&mut numbers);
            let since_start = motion.between(&motion.start, &now, 0);
            assert_same_place(&since_start.apply(&motion.without(&now)), &now, 1e-5);
        }
    }
}

#[test]
fn what_is_taken_out_is_as_at_the_start_and_what_stays_is_as_it_was() {
    let mut numbers = Numbers::new(2);
    for parts in parts() {
        let motion = RootMotion { start: root(&mut numbers), end: root(&mut numbers), parts };
        let now = root(&mut numbers);
        let without = motion.without(&now);
        for (axis, taken) in [parts.x, parts.y, parts.z].into_iter().enumerate() {
            let (expected, tolerance) =
                if taken { (motion.start.translation[axis], 0.0) } else { (now.translation[axis], 1e-5) };
            assert!((without.translation[axis] - expected).abs() <= tolerance);
        }
        let since_start = motion.between(&motion.start, &now, 0);
        match parts.rotation {
            RootRotation::Stays => {
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
        assert_same_place(&motion.without(&motion.start), &motion.start, 1e-6);
    }
}

#[test]
fn motions_that_follow_each_other_are_the_motion_of_all() {
    let mut numbers = Numbers::new(3);
    for parts in parts() {
        for wraps in [-2, -1, 0, 1, 3] {
            let motion = RootMotion { start: root(&mut numbers), end: root(&mut numbers), parts };
            let [a, b, c] = [root(&mut numbers), root(&mut numbers), root(&mut numbers)];
            let steps = motion.between(&a, &b, wraps).then(&motion.between(&b, &c, 1));
            assert_same_motion(&steps, &motion.between(&a, &c, wraps + 1), 1e-4);
            // A wrap is the way to the end, and on from the start.
            let through = motion.between(&a, &motion.end, 0).then(&motion.between(&motion.start, &b, 0));
            assert_same_motion(&through, &motion.between(&a, &b, 1), 1e-4);
        }
    }
}

#[test]
fn reverse_play_leads_back() {
    let mut numbers = Numbers::new(4);
    for parts in parts() {
        for wraps in [0, 1, 2] {
            let motion = RootMotion { start: root(&mut numbers), end: root(&mut numbers), parts };
            let (a, b) = (root(&mut numbers), root(&mut numbers));
            let (there, back) = (motion.between(&a, &b, wraps), motion.between(&b, &a, -wraps));
            assert_same_motion(&there.inverse(), &back, 1e-5);
            assert_same_motion(&there.then(&back), &Motion::IDENTITY, 1e-5);
        }
    }
}

/// A walk of a metre along z, its hip swaying and bobbing, at a time from 0 to 1.
fn walk(time: f32) -> Transform {
    let sway = (std::f32::consts::TAU * time).sin();
    let translation = [0.05 * sway, 0.9 + 0.02 * sway, time];
    let lean = 0.02 * sway;
    Transform { rotation: [lean, 0.0, 0.0, (1.0 - lean * lean).sqrt()], translation, ..Transform::IDENTITY }
}

#[test]
fn loops_of_a_walk_add_up_without_drift() {
    for parts in [RootParts::ALL, RootParts::GROUND] {
        let motion = RootMotion { start: walk(0.0), end: walk(1.0), parts };
        for (loops, frames) in [(1, 30), (7, 60), (100, 33), (3000, 60)] {
            let mut travel = Travel::START;
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
fn a_clip_that_turns_walks_in_a_circle() {
    // A quarter turn to the left and a metre forward in each loop.
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let end =
        Transform { rotation: [0.0, half, 0.0, half], translation: [0.0, 0.0, 1.0], ..Transform::IDENTITY };
    let motion = RootMotion { start: Transform::IDENTITY, end, parts: RootParts::GROUND };
    let start = Transform::IDENTITY;
    assert_same_motion(&motion.between(&start, &start, 4), &Motion::IDENTITY, 1e-6);
    let after_two = motion.between(&start, &start, 2).translation;
    assert!(after_two.iter().zip([1.0, 0.0, 1.0]).all(|(a, b)| (a - b).abs() < 1e-6), "{after_two:?}");
    assert!(motion.between(&start, &start, i32::MIN).translation.iter().all(|element| element.is_finite()));
}

#[test]
fn a_pose_loses_its_motion_and_nothing_else() {
    let skeleton = rigs::bush(20);
    let mut pose = rigs::pose(&skeleton, 1);
    pose.scales_mut()[3] = Scale::new([2.0; 3]);
    let before = pose.clone();
    let motion = RootMotion { start: walk(0.0), end: walk(1.0), parts: RootParts::ALL };
    motion.take_out(&mut pose, 3).unwrap();
    for joint in 0..20 {
        let expected =
            if joint == 3 { Transform { scale: [2.0; 3], ..walk(0.0) } } else { before.transform(joint) };
        assert_eq!(pose.transform(joint), expected);
    }
    assert_eq!(motion.take_out(&mut pose, 20), Err(Error::JointOutOfRange { joint: 20, len: 20 }));
}

#[test]
fn an_axis_without_length_is_no_heading() {
    let mut numbers = Numbers::new(5);
    for axis in [[0.0; 3], [f32::NAN; 3]] {
        let parts = RootParts { rotation: RootRotation::About(axis), ..RootParts::GROUND };
        let motion = RootMotion { start: root(&mut numbers), end: root(&mut numbers), parts };
        let now = root(&mut numbers);
        assert_eq!(motion.between(&motion.start, &now, 0).rotation, [0.0, 0.0, 0.0, 1.0]);
        assert_same_place(&motion.between(&motion.start, &now, 0).apply(&motion.without(&now)), &now, 1e-5);
    }
}

#[test]
fn root_motion_allocates_nothing() {
    let skeleton = rigs::bush(20);
    let mut pose = Pose::new(&skeleton);
    let counted = allocation_counter::measure(|| {
        let motion = RootMotion { start: walk(0.0), end: walk(1.0), parts: RootParts::GROUND };
        let mut travel = Travel::START;
        travel.advance(&motion.between(&walk(0.9), &walk(0.1), 1));
        motion.take_out(&mut pose, 0).unwrap();
    });
    assert_eq!(counted.count_total, 0);
}
