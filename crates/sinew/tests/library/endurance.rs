//! Long playback of one figure, with clips started, faded and stopped at random.
//!
//! The default is a short run. For a million frames:
//! `SINEW_FRAMES=1000000 cargo test --release -p sinew --test library endurance`

use sinew::animation::{Mask, Reference, RootParts};
use sinew::{Instance, JointId, Model};
use sinew_testkit::backends::EMULATED;
use sinew_testkit::random::Random;

use crate::support::vec3_f32::length;

/// The largest number of clips played at once, including those that fade out.
const MAX_CLIPS: usize = 5;

fn frames() -> usize {
    let requested = std::env::var("SINEW_FRAMES").ok().and_then(|frames| frames.parse().ok());
    requested.unwrap_or(if EMULATED { 3000 } else { 30_000 })
}

fn model() -> Model {
    sinew_figures::scene("@figure:100").expect("a scene").model().expect("a valid model")
}

/// Starts, fades or stops clips, or does nothing.
fn act_randomly(instance: &mut Instance, upper: &Mask, random: &mut Random) {
    let clips = instance.model().clips().len();
    let clip = random.below(clips);
    let seconds = random.between(0.0, 0.4);
    let full = instance.playbacks_mut().len() >= MAX_CLIPS;
    match random.below(40) {
        0 if !full => {
            for playing in instance.playbacks_mut() {
                playing.fade_out(seconds);
            }
            instance.start(clip).fade_in(seconds).set_speed(random.between(-2.0, 2.0));
        }
        1 if !full => {
            let weight = random.between(0.0, 2.0);
            instance
                .start(clip)
                .set_weight(weight)
                .fade_in(seconds)
                .set_mask(upper.clone())
                .expect("of the skeleton");
        }
        2 if !full => {
            // Looking up a name allocates nothing.
            let name = ["walk", "wave"][clip % 2];
            instance.add(name, Reference::FirstFrame).expect("a clip").set_weight(0.5).fade_in(seconds);
        }
        3 if !full => {
            let playing = instance.start(clip).fade_in(seconds);
            playing.set_root_motion(JointId::new(0), RootParts::GROUND).expect("a joint");
        }
        4..=9 => {
            let playing = instance.playbacks_mut();
            if !playing.is_empty() {
                playing[random.below(playing.len())].fade_out(seconds);
            }
        }
        10 => instance.stop(),
        _ => {}
    }
}

/// Plays as many clips as may be played at once, so that nothing allocates later.
fn warm_up(instance: &mut Instance) {
    for clip in 0..instance.model().clips().len() {
        for _ in 0..MAX_CLIPS {
            instance.start(clip);
        }
        instance.step(0.0);
        instance.stop();
    }
    for _ in 0..MAX_CLIPS {
        instance.add("walk", Reference::FirstFrame).expect("a clip");
    }
    instance.step(0.0);
    instance.skin();
    instance.stop();
}

#[test]
fn long_playback_allocates_nothing_does_not_drift_and_stays_finite() {
    let (model, frames) = (model(), frames());
    let skeleton = model.skeleton();
    let upper = Mask::subtree(skeleton, skeleton.joint("spine 1").unwrap()).unwrap();
    let mut instance = model.instance();
    warm_up(&mut instance);
    let lengths: Vec<f32> = skeleton.rest().transforms().map(|joint| length(joint.translation)).collect();
    let random = &mut Random::new(7);
    let (mut most, mut worst) = (0, 0.0_f32);
    let counted = allocation_counter::measure(|| {
        for frame in 0..frames {
            act_randomly(&mut instance, &upper, random);
            instance.step(random.between(0.0, 0.05));
            most = most.max(instance.playbacks_mut().len());
            worst = max_or_nan(worst, drift(&model, &mut instance, &lengths));
            if frame % 64 == 0 {
                let bounds = instance.skin().bounds();
                assert!(
                    bounds.min.iter().chain(&bounds.max).all(|c| c.abs() < 1e4),
                    "frame {frame}: {bounds:?}"
                );
            }
            let motion = instance.take_root_motion();
            assert!(motion.rotation.iter().chain(&motion.translation).all(|element| element.is_finite()));
        }
    });
    assert_eq!(counted.count_total, 0, "allocations in {frames} frames");
    assert_eq!(most, MAX_CLIPS, "as many clips as may be");
    assert!(worst <= 1e-5, "{worst}");
}

/// The largest deviation of a bone length from rest, or of a squared rotation length from one.
/// Clips of the figure translate only the root and the hips.
fn drift(model: &Model, instance: &mut Instance, lengths: &[f32]) -> f32 {
    let mut worst = 0.0_f32;
    for joint in instance.pose().transforms() {
        let squared: f32 = joint.rotation.iter().map(|element| element * element).sum();
        worst = max_or_nan(worst, (squared - 1.0).abs());
    }
    let matrices = instance.model_matrices();
    for (joint, &expected) in lengths.iter().enumerate().skip(2) {
        let Some(parent) = model.skeleton().parent(JointId::new(joint)) else { continue };
        let [a, b] = [joint, parent.index()].map(|joint| matrices[joint].translation());
        worst = max_or_nan(worst, (length([0, 1, 2].map(|c| a[c] - b[c])) - expected).abs());
    }
    worst
}

/// The larger number, or NaN if one of them is.
fn max_or_nan(a: f32, b: f32) -> f32 {
    if a.is_nan() || b <= a { a } else { b }
}
