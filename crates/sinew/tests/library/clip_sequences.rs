//! Random sequences of steps, seeks, reversals, loops and speeds on random clips, against a
//! reference in `f64` that knows no cursor.
//!
//! `SINEW_FRAMES=1000000 cargo test --release -p sinew --test library clip_sequences` runs a
//! million sequences.

use sinew::animation::{Interpolation, KeyData, TrackData};
use sinew::{Clip, JointId, Pose, Skeleton};
use sinew_testkit::backends::EMULATED;
use sinew_testkit::clips::{self, KeyInterpolation};
use sinew_testkit::random::Random;

use crate::support::poses::{pose_bits, sample_pose};
use crate::support::random_rigs::random_tree;

/// Sequences for each clip.
const PER_CLIP: usize = 50;

/// Times that are sampled one after the other.
const LENGTH: usize = 12;

fn sequences() -> usize {
    let requested = std::env::var("SINEW_FRAMES").ok().and_then(|frames| frames.parse().ok());
    requested.unwrap_or(if EMULATED { 200 } else { 20_000 })
}

/// Tracks on a common grid with keys left out, tracks with times of their own, sparse and dense
/// ones, of all interpolations, with all or few of the joints.
fn random_tracks(joints: usize, random: &mut Random) -> Vec<TrackData> {
    let grid = 2 + random.below(60);
    let (on_grid, sparse) = (random.once_in(2), random.once_in(2));
    let mut tracks = Vec::new();
    for (joint, channel) in (0..joints).flat_map(|joint| (0..3).map(move |channel| (joint, channel))) {
        if sparse && random.once_in(2) {
            continue;
        }
        let mut times: Vec<f32> = if on_grid || random.once_in(8) {
            (0..grid).filter(|_| !random.once_in(3)).map(|i| i as f32 / 30.0).collect()
        } else {
            let keys = [1, 2, 5, 40, 120][random.below(5)];
            clips::times(keys, random)
        };
        if times.is_empty() {
            times.push(0.5);
        }
        let interpolation = match random.below(8) {
            0 => Interpolation::Step,
            1 => Interpolation::Cubic,
            _ => Interpolation::Linear,
        };
        let (reference, joint) = (reference_interpolation(interpolation), JointId::new(joint));
        let mut vectors = || {
            (0..reference.width() * times.len()).map(|_| [0; 3].map(|_| random.between(-3.0, 3.0))).collect()
        };
        let keys = match channel {
            1 => KeyData::Translations { joint, values: vectors() },
            2 => KeyData::Scales { joint, values: vectors() },
            _ => KeyData::Rotations { joint, values: clips::rotations(times.len(), reference, random) },
        };
        tracks.push(TrackData { times, keys, interpolation });
    }
    tracks
}

fn reference_interpolation(interpolation: Interpolation) -> KeyInterpolation {
    match interpolation {
        Interpolation::Step => KeyInterpolation::Step,
        Interpolation::Linear => KeyInterpolation::Linear,
        Interpolation::Cubic => KeyInterpolation::Cubic,
    }
}

/// The next time of a sequence: a step forward or back at some speed, a loop, a seek anywhere, a
/// key itself, or no time at all.
fn next_time(seconds: f32, clip: &Clip, tracks: &[TrackData], random: &mut Random) -> f32 {
    match random.below(12) {
        0..=4 => seconds + 1.0 / 60.0,
        5 => seconds - 1.0 / 60.0,
        6 => seconds + random.between(-2.0, 2.0),
        7 => clip.looped_time(f64::from(seconds + random.between(0.0, 9.0))) as f32,
        8 if !tracks.is_empty() => {
            let times = &tracks[random.below(tracks.len())].times;
            times[random.below(times.len())]
        }
        9 => [clip.start(), clip.end(), -1.0, f32::MAX, f32::INFINITY, f32::NAN][random.below(6)],
        _ => random.between(0.0, clip.end() + 0.1),
    }
}

/// The largest error of all channels, relative to what their conditioning allows.
fn error(pose: &Pose, tracks: &[TrackData], seconds: f32) -> f64 {
    let seconds = if seconds.is_nan() { -1.0 } else { seconds };
    let mut largest = 0.0_f64;
    for TrackData { times, keys, interpolation } in tracks {
        let reference = reference_interpolation(*interpolation);
        let mut add = |expected: &[f64], found: &[f32], conditioning: f64| {
            for (expected, &found) in expected.iter().zip(found) {
                let error = (expected - f64::from(found)).abs() * conditioning;
                largest = if error.is_nan() { f64::INFINITY } else { largest.max(error) };
            }
        };
        match keys {
            KeyData::Rotations { joint, values } => {
                let (expected, length) = clips::rotation(times, values, reference, seconds);
                let found = pose.rotation(*joint);
                let along: f64 = expected.iter().zip(found).map(|(a, b)| a * f64::from(b)).sum();
                let near = if along < 0.0 { found.map(|element| -element) } else { found };
                add(&expected, &near, length.min(1.0));
            }
            KeyData::Translations { joint, values } => {
                add(&clips::vector(times, values, reference, seconds), &pose.translation(*joint), 1.0);
            }
            KeyData::Scales { joint, values } => {
                add(&clips::vector(times, values, reference, seconds), &pose.scale(*joint), 1.0);
            }
            KeyData::Weights { .. } => {}
        }
    }
    largest
}

fn check_clip(skeleton: &Skeleton, seed: u64) {
    let random = &mut Random::new(seed);
    let tracks = random_tracks(skeleton.len(), random);
    let borrowed: Vec<_> = tracks.iter().map(TrackData::track).collect();
    let clip = Clip::new("random", skeleton, &borrowed).expect("valid tracks");
    let (mut cursor, mut pose) = (clip.cursor(), Pose::new(skeleton));
    for _ in 0..PER_CLIP {
        let mut seconds = random.between(0.0, clip.end());
        for _ in 0..LENGTH {
            clip.sample(seconds, &mut cursor, &mut pose).expect("the clip's cursor");
            let error = error(&pose, &tracks, seconds);
            assert!(error < 4e-6, "clip {seed} at {seconds}: {error:e}");
            let next = next_time(seconds, &clip, &tracks, random);
            // No time is only a pause.
            seconds = if seconds.is_finite() { next } else { clip.start() };
        }
        // The bits do not depend on how a time was reached.
        let seconds = random.between(0.0, clip.end());
        clip.sample(seconds, &mut cursor, &mut pose).expect("the clip's cursor");
        let fresh = sample_pose(&clip, skeleton, seconds);
        assert_eq!(pose_bits(&pose), pose_bits(&fresh), "clip {seed} at {seconds}");
    }
}

#[test]
fn random_sequences_of_times_match_the_f64_reference() {
    for clip in 0..sequences().div_ceil(PER_CLIP) {
        check_clip(&random_tree([1, 3, 8, 13][clip % 4]), clip as u64);
    }
}
