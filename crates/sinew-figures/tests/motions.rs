//! The motions: they repeat, they are smooth, and feet that stand stay where they are.

use sinew::{FloatMode, Matrix, Palette, Pose, Skin, backend};
use sinew_figures::{Motion, Scene, figure, scene};

fn posed(scene: &Scene, motion: Motion, seconds: f32) -> Pose {
    let mut pose = scene.skeleton.rest_pose();
    motion.pose(&scene.skeleton, seconds, &mut pose).expect("the motion is one of the scene's");
    pose
}

fn model(scene: &Scene, motion: Motion, seconds: f32) -> Vec<Matrix> {
    let mut model_from_joint = scene.skeleton.model_matrices();
    let pose = posed(scene, motion, seconds);
    scene.skeleton.to_model(&pose, .., &mut model_from_joint).expect("pose and matrices are the skeleton's");
    model_from_joint
}

/// The greatest difference between elements of two poses.
fn difference(a: &Pose, b: &Pose) -> f32 {
    let elements = |pose: &Pose| -> Vec<f32> {
        let joints = pose.joints().iter();
        joints.flat_map(|joint| joint.rotation.into_iter().chain(joint.translation)).collect()
    };
    elements(a).iter().zip(elements(b)).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

fn scenes() -> [Scene; 3] {
    ["@cylinder", "@figure:1", "@twist"].map(|name| scene(name).expect("there is such a scene"))
}

#[test]
fn motions_with_a_length_repeat() {
    for scene in scenes() {
        for &motion in &scene.motions {
            let Some(seconds) = motion.seconds() else { continue };
            for time in [0.0, 0.1, 0.35, 0.6] {
                let (first, second) = (posed(&scene, motion, time), posed(&scene, motion, time + seconds));
                assert!(difference(&first, &second) < 1e-4, "{motion:?} at {time}");
                assert!(
                    difference(&first, &posed(&scene, motion, time - 3.0 * seconds)) < 1e-4,
                    "{motion:?}"
                );
            }
        }
    }
}

#[test]
fn motions_move_without_jumps() {
    for scene in scenes() {
        for &motion in &scene.motions {
            let mut before = posed(&scene, motion, 0.0);
            let mut most = 0.0_f32;
            for frame in 1..=480 {
                let now = posed(&scene, motion, frame as f32 / 120.0);
                most = most.max(difference(&before, &now));
                before = now;
            }
            assert!(most > 1e-3, "{motion:?} stands still");
            assert!(most < 0.12, "{motion:?} jumps by {most} in a frame of 1/120 s");
        }
    }
}

#[test]
fn rotations_have_length_one_at_any_time() {
    for scene in scenes() {
        for &motion in &scene.motions {
            for time in [-7.3, 0.0, 0.77, 1234.5] {
                for joint in posed(&scene, motion, time).joints() {
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
            model(&scene, Motion::Walk, (landing + cycle) * figure::WALK_SECONDS)[foot].translation()
        };
        let start = ankle(0.13);
        for step in 1..10 {
            let cycle = 0.02 * step as f32;
            let now = ankle(0.13 + cycle);
            let way = cycle * figure::WALK_SECONDS * figure::WALK_SPEED;
            assert!((now[2] + way - start[2]).abs() < 2e-3, "{name} slides along: {start:?} {now:?}");
            assert!((now[0] - start[0]).abs() < 2e-3, "{name} slides aside: {start:?} {now:?}");
            assert!((now[1] - start[1]).abs() < 2e-3, "{name} sinks or lifts: {start:?} {now:?}");
        }
    }
}

#[test]
fn no_foot_goes_through_the_ground() {
    let scene = scene("@figure").unwrap();
    let skin = Skin::new(&scene.skeleton, &scene.skin_joints).unwrap();
    let mut palette = Palette::new(&skin);
    for &motion in &scene.motions {
        for frame in 0..40 {
            let seconds = motion.seconds().unwrap() * frame as f32 / 40.0;
            palette.update(&model(&scene, motion, seconds), &skin).unwrap();
            let lowest = heights(&scene, &palette).fold(f32::MAX, f32::min);
            assert!((-0.004..0.004).contains(&lowest), "{motion:?} at {seconds}: lowest point at {lowest}");
        }
    }
}

/// The height of each vertex as posed.
fn heights(scene: &Scene, palette: &Palette) -> impl Iterator<Item = f32> {
    let shape = &scene.shape;
    let mut influences = shape.influences();
    shape.positions.iter().zip(&shape.influence_counts).map(move |(&position, &count)| {
        let own = influences.by_ref().take(count as usize);
        own.map(|(joint, weight)| weight * palette.matrices()[joint as usize].transform_point(position)[1])
            .sum()
    })
}

#[test]
fn noise_takes_any_number_of_octaves_and_more_of_them_matter() {
    let scene = scene("@cylinder").unwrap();
    let at = |octaves: u32| posed(&scene, Motion::Noise { octaves }, 1.3);
    assert!(difference(&at(0), scene.skeleton.rest()) == 0.0);
    assert!(difference(&at(1), &at(2)) > 1e-4);
    assert!(difference(&at(10), &at(20)) < 1e-2);
    assert!(difference(&at(20), &at(60)) < 1e-5);
}

#[test]
fn a_motion_refuses_another_scenes_skeleton() {
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
    let other = scene.skeleton.clone().with_kernels(backend::fastest().kernels(FloatMode::Reproducible));
    let mut pose = other.rest_pose();
    Motion::Walk.pose(&other, 0.4, &mut pose).unwrap();
    assert_eq!(pose, posed(&scene, Motion::Walk, 0.4));
}
