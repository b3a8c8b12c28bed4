//! One figure for a long time: clips started, faded and dropped at random.
//!
//! `SINEW_FRAMES=1000000 cargo test --release -p sinew --test library endurance` runs as many frames; a short run is the default.

use sinew::{Instance, Mask, Model, Reference, RootParts};
use sinew_testkit::backends::EMULATED;
use sinew_testkit::random::Random;

/// The most clips that are played at once, fading ones counted in.
const MOST: usize = 5;

fn frames() -> usize {
    let asked = std::env::var("SINEW_FRAMES").ok().and_then(|frames| frames.parse().ok());
    asked.unwrap_or(if EMULATED { 3000 } else { 30_000 })
}

fn model() -> Model {
    sinew_figures::scene("@figure:100").expect("a scene").model().expect("a sound model")
}

/// Does something, or nothing.
fn act(instance: &mut Instance, upper: &Mask, random: &mut Random) {
    let clips = instance.model().clips().len();
    let clip = random.below(clips);
    let seconds = random.between(0.0, 0.4);
    let full = instance.playing().len() >= MOST;
    match random.below(40) {
        0 if !full => {
            for playing in instance.playing() {
                playing.fade_out(seconds);
            }
            instance.start(clip).fade_in(seconds).speed(random.between(-2.0, 2.0));
        }
        1 if !full => {
            let weight = random.between(0.0, 2.0);
            instance
                .start(clip)
                .weight(weight)
                .fade_in(seconds)
                .masked(upper.clone())
                .expect("of the skeleton");
        }
        2 if !full => {
            // Names are looked up without taking memory.
            let name = ["walk", "wave"][clip % 2];
            instance.add(name, Reference::FirstFrame).expect("a clip").weight(0.5).fade_in(seconds);
        }
        3 if !full => {
            let playing = instance.start(clip).fade_in(seconds);
            playing.root_motion(0, RootParts::GROUND).expect("a joint");
        }
        4..=9 => {
            let playing = instance.playing();
            if !playing.is_empty() {
                playing[random.below(playing.len())].fade_out(seconds);
            }
        }
        10 => instance.stop(),
        _ => {}
    }
}

/// Plays all that can be played at once, so that nothing takes memory later.
fn warm_up(instance: &mut Instance) {
    for clip in 0..instance.model().clips().len() {
        for _ in 0..MOST {
            instance.start(clip);
        }
        instance.step(0.0);
        instance.stop();
    }
    for _ in 0..MOST {
        instance.add("walk", Reference::FirstFrame).expect("a clip");
    }
    instance.step(0.0);
    instance.skin();
    instance.stop();
}

#[test]
fn a_long_life_takes_no_memory_does_not_drift_and_stays_finite() {
    let (model, frames) = (model(), frames());
    let skeleton = model.skeleton();
    let upper = Mask::subtree(skeleton, skeleton.joint("spine 1").unwrap()).unwrap();
    let mut instance = model.instance();
    warm_up(&mut instance);
    let lengths: Vec<f32> = skeleton.rest().joints().iter().map(|joint| length(joint.translation)).collect();
    let random = &mut Random::new(7);
    let (mut most, mut worst) = (0, 0.0_f32);
    let counted = allocation_counter::measure(|| {
        for frame in 0..frames {
            act(&mut instance, &upper, random);
            instance.step(random.between(0.0, 0.05));
            most = most.max(instance.playing().len());
            worst = larger(worst, drift(&model, &mut instance, &lengths));
            if frame % 64 == 0 {
                let bounds = instance.skin().bounds();
                assert!(
                    bounds.min.iter().chain(&bounds.max).all(|c| c.abs() < 1e4),
                    "frame {frame}: {bounds:?}"
                );
            }
            let motion = instance.take_motion();
            assert!(motion.rotation.iter().chain(&motion.translation).all(|element| element.is_finite()));
        }
    });
    assert_eq!(counted.count_total, 0, "allocations in {frames} frames");
    assert_eq!(most, MOST, "as many clips as may be");
    assert!(worst <= 1e-5, "{worst}");
}

/// How far the distance of any joint to its parent is from that at rest, or its rotation from length one. Clips of the figure
/// move no joint but the root and the hips.
fn drift(model: &Model, instance: &mut Instance, lengths: &[f32]) -> f32 {
    let mut worst = 0.0_f32;
    for joint in instance.pose().joints() {
        let squared: f32 = joint.rotation.iter().map(|element| element * element).sum();
        worst = larger(worst, (squared - 1.0).abs());
    }
    let matrices = instance.model_matrices();
    for (joint, &expected) in lengths.iter().enumerate().skip(2) {
        let Some(parent) = model.skeleton().parent(joint) else { continue };
        let [a, b] = [joint, parent].map(|joint| matrices[joint].translation());
        worst = larger(worst, (length([0, 1, 2].map(|c| a[c] - b[c])) - expected).abs());
    }
    worst
}

/// The larger; what is not a number stays in sight.
fn larger(a: f32, b: f32) -> f32 {
    if a.is_nan() || b <= a { a } else { b }
}

fn length(v: [f32; 3]) -> f32 {
    v.iter().map(|element| element * element).sum::<f32>().sqrt()
}
