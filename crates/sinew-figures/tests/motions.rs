//! Motions: periodic, continuous, and without foot sliding.

use sinew::runtime::backend;
use sinew::{FloatMode, Matrix, Palette, Pose, Runtime, Skin};
use sinew_figures::{Motion, Scene, figure, scene};

fn pose_at(scene: &Scene, motion: Motion, seconds: f32) -> Pose {
    let mut pose = scene.skeleton.rest_pose();
    motion.pose(&scene.skeleton, seconds, &mut pose).expect("the scene's own motion");
    pose
}

fn model_matrices(scene: &Scene, motion: Motion, seconds: f32) -> Vec<Matrix> {
    let mut model_from_joint = scene.skeleton.identity_matrices();
    let pose = pose_at(scene, motion, seconds);
    scene.skeleton.to_model(&pose, .., &mut model_from_joint).expect("the skeleton's own pose and matrices");
    model_from_joint
}

/// The largest difference between elements of two poses.
fn difference(a: &Pose, b: &Pose) -> f32 {
    let elements = |pose: &Pose| -> Vec<f32> {
        let joints = pose.transforms();
        joints.flat_map(|joint| joint.rotation.into_iter().chain(joint.translation)).collect()
    };
    elements(a).iter().zip(elements(b)).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

fn scenes() -> [Scene; 3] {
    ["@cylinder", "@figure:1", "@twist"].map(|name| scene(name).expect("a known name"))
}

#[test]
fn periodic_motions_repeat() {
    for scene in scenes() {
        for &motion in &scene.motions {
            let Some(seconds) = motion.seconds() else { continue };
            for time in [0.0, 0.1, 0.35, 0.6] {
                let (first, second) =
                    (pose_at(&scene, motion, time), pose_at(&scene, motion, time + seconds));
                assert!(difference(&first, &second) < 1e-4, "{motion:?} at {time}");
                assert!(
                    difference(&first, &pose_at(&scene, motion, time - 3.0 * seconds)) < 1e-4,
                    "{motion:?}"
                );
            }
        }
    }
}

#[test]
fn motions_are_continuous() {
    for scene in scenes() {
        for &motion in &scene.motions {
            let mut before = pose_at(&scene, motion, 0.0);
            let mut max = 0.0_f32;
            for frame in 1..=480 {
                let now = pose_at(&scene, motion, frame as f32 / 120.0);
                max = max.max(difference(&before, &now));
                before = now;
            }
            assert!(max > 1e-3, "{motion:?} does not move");
            assert!(max < 0.12, "{motion:?} jumps by {max} in a frame of 1/120 s");
        }
    }
}

#[test]
fn rotations_are_unit_quaternions_at_any_time() {
    for scene in scenes() {
        for &motion in &scene.motions {
            for time in [-7.3, 0.0, 0.77, 1234.5] {
                for joint in pose_at(&scene, motion, time).transforms() {
                    let square: f32 = joint.rotation.iter().map(|element| element * element).sum();
                    assert!((square - 1.0).abs() < 1e-6, "{motion:?} at {time}");
                }
            }
        }
    }
}

#[test]
fn a_standing_foot_moves_with_the_ground() {
    let scene = scene("@figure:1").unwrap();
    for (name, landing) in [("left foot", 0.0), ("right foot", 0.5)] {
        let foot = scene.skeleton.joint(name).unwrap();
        let ankle = |cycle: f32| {
            model_matrices(&scene, Motion::Walk, (landing + cycle) * figure::WALK_SECONDS)[foot.index()]
                .translation()
        };
        let start = ankle(0.13);
        for step in 1..10 {
            let cycle = 0.02 * step as f32;
            let now = ankle(0.13 + cycle);
            let distance = cycle * figure::WALK_SECONDS * figure::WALK_SPEED;
            assert!((now[2] + distance - start[2]).abs() < 2e-3, "{name} slides along: {start:?} {now:?}");
            assert!((now[0] - start[0]).abs() < 2e-3, "{name} slides sideways: {start:?} {now:?}");
            assert!((now[1] - start[1]).abs() < 2e-3, "{name} sinks or lifts: {start:?} {now:?}");
        }
    }
}

#[test]
fn feet_neither_sink_into_the_ground_nor_leave_it() {
    let scene = scene("@figure").unwrap();
    let skin = Skin::new(&scene.skeleton, &scene.skin_joints).unwrap();
    let mut palette = Palette::new(&skin);
    for &motion in &scene.motions {
        for frame in 0..40 {
            let seconds = motion.seconds().unwrap() * frame as f32 / 40.0;
            palette.update(&model_matrices(&scene, motion, seconds), &skin).unwrap();
            let lowest = heights(&scene, &palette).fold(f32::MAX, f32::min);
            assert!((-0.004..0.004).contains(&lowest), "{motion:?} at {seconds}: lowest point at {lowest}");
        }
    }
}

/// The height of each vertex after skinning.
fn heights(scene: &Scene, palette: &Palette) -> impl Iterator<Item = f32> {
    let mesh = &scene.mesh;
    let mut influences = mesh.influences();
    mesh.positions.iter().zip(&mesh.influence_counts).map(move |(&position, &count)| {
        let own = influences.by_ref().take(count as usize);
        own.map(|(joint, weight)| weight * palette.matrices()[joint as usize].transform_point(position)[1])
            .sum()
    })
}

#[test]
fn noise_converges_with_the_number_of_octaves() {
    let scene = scene("@cylinder").unwrap();
    let at = |octaves: u32| pose_at(&scene, Motion::Noise { octaves }, 1.3);
    assert!(difference(&at(0), scene.skeleton.rest()) == 0.0);
    assert!(difference(&at(1), &at(2)) > 1e-4);
    assert!(difference(&at(10), &at(20)) < 1e-2);
    assert!(difference(&at(20), &at(60)) < 1e-5);
}

#[test]
fn a_motion_rejects_the_skeleton_of_another_scene() {
    let [cylinder, figure, _] = scenes();
    let mut pose = cylinder.skeleton.rest_pose();
    assert!(Motion::Walk.pose(&cylinder.skeleton, 0.0, &mut pose).is_err());
    assert!(Motion::Walk.pose(&figure.skeleton, 0.0, &mut pose).is_err());
    let mut pose = figure.skeleton.rest_pose();
    assert!(Motion::Sine.pose(&figure.skeleton, 0.0, &mut pose).is_err());
}

#[test]
fn a_motion_does_not_depend_on_the_kernels() {
    let scene = scene("@figure:1").unwrap();
    let other = scene
        .skeleton
        .clone()
        .with_runtime(Runtime::with_backend(backend::fastest(), FloatMode::Reproducible));
    let mut pose = other.rest_pose();
    Motion::Walk.pose(&other, 0.4, &mut pose).unwrap();
    assert_eq!(pose, pose_at(&scene, Motion::Walk, 0.4));
}
