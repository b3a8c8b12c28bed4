//! Rotations that clips interpolate by nlerp: against references in `f64`, within their bound, with
//! any cursor, on every backend.

use sinew::animation::{AnimationError, ClipOptions, Interpolation, KeyData, TrackData};
use sinew::{Clip, JointId, Pose, Skeleton};
use sinew_testkit::backends::{EMULATED, every_backend};
use sinew_testkit::clips::{self, KeyInterpolation, key_span};
use sinew_testkit::random::Random;
use sinew_testkit::rigs;

use crate::support::backends::runtime;
use crate::support::poses::{pose_bits, sample_pose};
use crate::support::random_rigs::random_tree;

const JOINTS: usize = 40;

fn build(skeleton: &Skeleton, tracks: &[TrackData], nlerp_error: f32) -> Clip {
    let tracks: Vec<_> = tracks.iter().map(TrackData::track).collect();
    let options = ClipOptions::default().nlerp_error(nlerp_error);
    Clip::with_options("random", skeleton, &tracks, &options).expect("valid tracks")
}

/// How the tracks of a clip get their times.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Times {
    /// All on one list.
    Shared,
    /// On one list, each with keys left out: they are resampled.
    Grid,
    /// Each on a list of its own, with too many keys for a common one.
    Own,
}

impl Times {
    const ALL: [Self; 3] = [Self::Shared, Self::Grid, Self::Own];

    fn list(self, random: &mut Random) -> Vec<f32> {
        match self {
            Self::Shared => (0..40).map(|i| i as f32 / 30.0).collect(),
            Self::Grid => {
                (0..40).filter(|i| i % 39 == 0 || !random.once_in(3)).map(|i| i as f32 / 30.0).collect()
            }
            Self::Own => clips::times(300, random),
        }
    }
}

/// Rotations of which each is at most an angle away from the one before, in radians. The signs of
/// quaternions are random.
fn near_rotations(len: usize, angle: f32, random: &mut Random) -> Vec<[f32; 4]> {
    let mut last = rigs::rotation(random).map(f64::from);
    let mut step = || {
        let axis = random.vector(1.0).map(f64::from);
        let length = axis.iter().map(|x| x * x).sum::<f64>().sqrt().max(1e-9);
        let (sine, cosine) = (0.5 * f64::from(random.between(0.0, angle))).sin_cos();
        let [x, y, z] = axis.map(|component| component * sine / length);
        let [a, b, c, d] = last;
        last = [
            d * x + a * cosine + b * z - c * y,
            d * y + b * cosine + c * x - a * z,
            d * z + c * cosine + a * y - b * x,
            d * cosine - a * x - b * y - c * z,
        ];
        let sign = if random.once_in(2) { -1.0 } else { 1.0 };
        rigs::unit(last.map(|component| sign * component))
    };
    (0..len).map(|_| step()).collect()
}

/// Tracks of rotations for most joints. Some never change, and some have steps.
fn random_tracks(times: Times, angle: f32, random: &mut Random) -> Vec<TrackData> {
    let mut tracks = Vec::new();
    for joint in (0..JOINTS).map(JointId::new) {
        if random.once_in(6) {
            continue;
        }
        let times = times.list(random);
        let values = match random.once_in(6) {
            true => vec![rigs::rotation(random); times.len()],
            false => near_rotations(times.len(), angle, random),
        };
        let interpolation = if random.once_in(8) { Interpolation::Step } else { Interpolation::Linear };
        tracks.push(TrackData { times, keys: KeyData::Rotations { joint, values }, interpolation });
    }
    tracks
}

fn rotation_keys(track: &TrackData) -> (JointId, &[[f32; 4]]) {
    match &track.keys {
        KeyData::Rotations { joint, values } => (*joint, values),
        _ => panic!("only rotations are animated here"),
    }
}

/// The angle between two rotations in radians.
fn angle_between(a: [f64; 4], b: [f64; 4]) -> f64 {
    let chord = |sign: f64| a.iter().zip(b).map(|(a, b)| (a - sign * b).powi(2)).sum::<f64>().sqrt();
    4.0 * (0.5 * chord(1.0).min(chord(-1.0))).asin()
}

/// The value of a track by nlerp in `f64`.
fn nlerp(times: &[f32], values: &[[f32; 4]], seconds: f32) -> [f64; 4] {
    let (key, next, _, factor) = key_span(times, seconds);
    let (from, mut to) = (values[key].map(f64::from), values[next].map(f64::from));
    if from.iter().zip(to).map(|(a, b)| a * b).sum::<f64>() < 0.0 {
        to = to.map(|component| -component);
    }
    let sum: [f64; 4] = std::array::from_fn(|i| from[i] + (to[i] - from[i]) * factor);
    let length = sum.iter().map(|x| x * x).sum::<f64>().sqrt();
    sum.map(|component| component / length)
}

fn slerp(track: &TrackData, values: &[[f32; 4]], seconds: f32) -> [f64; 4] {
    let interpolation = match track.interpolation {
        Interpolation::Linear => KeyInterpolation::Linear,
        _ => KeyInterpolation::Step,
    };
    clips::rotation(&track.times, values, interpolation, seconds).0
}

fn random_times(clip: &Clip, random: &mut Random) -> Vec<f32> {
    let mut times = vec![-1.0, 0.0, clip.start(), clip.end(), clip.end() + 1.0, f32::INFINITY];
    times.extend(clip.tracks().take(3).flat_map(|track| track.times));
    times.extend((0..if EMULATED { 10 } else { 200 }).map(|_| random.between(0.0, clip.end())));
    times
}

/// Rounding: of the keys, of the factor, and of the result.
const ROUNDING: f64 = 2e-6;

#[test]
fn nlerp_matches_the_f64_reference_on_every_backend() {
    every_backend(|run| {
        let skeleton = random_tree(JOINTS).with_runtime(runtime(run));
        for times in [Times::Shared, Times::Own] {
            let random = &mut Random::new(1);
            let tracks = random_tracks(times, 1.5, random);
            let clip = build(&skeleton, &tracks, f32::MAX);
            let mut off_the_arc = 0.0_f64;
            for seconds in random_times(&clip, random) {
                let pose = sample_pose(&clip, &skeleton, seconds);
                for track in &tracks {
                    let (joint, values) = rotation_keys(track);
                    let (found, slerp) = (pose.rotation(joint).map(f64::from), slerp(track, values, seconds));
                    let expected = match track.interpolation {
                        Interpolation::Linear => nlerp(&track.times, values, seconds),
                        _ => slerp,
                    };
                    let error = angle_between(expected, found);
                    assert!(error < ROUNDING, "{run}, {times:?}: {joint} at {seconds}: {error:e}");
                    off_the_arc = off_the_arc.max(angle_between(expected, slerp));
                }
            }
            assert!(off_the_arc > 5e-3, "{run}: slerp would pass, too: {off_the_arc:e}");
        }
    });
}

#[test]
fn rotations_stay_within_the_bound_of_slerp() {
    let skeleton = random_tree(JOINTS);
    let (mut taken, mut left) = (0, 0);
    for (seed, bound) in [3e-7, 1e-5, 1e-4, 1e-3, 0.02].into_iter().enumerate() {
        for (times, angle) in Times::ALL.into_iter().flat_map(|times| [0.05, 0.3, 1.5].map(|a| (times, a))) {
            let random = &mut Random::new(10 + seed as u64);
            let tracks = random_tracks(times, angle, random);
            let clip = build(&skeleton, &tracks, bound);
            let exact = build(&skeleton, &tracks, 0.0);
            match clip.bytes() < exact.bytes() {
                true => taken += 1,
                false => left += 1,
            }
            for seconds in random_times(&clip, random) {
                let pose = sample_pose(&clip, &skeleton, seconds);
                for track in &tracks {
                    let (joint, values) = rotation_keys(track);
                    let found = pose.rotation(joint).map(f64::from);
                    let error = angle_between(slerp(track, values, seconds), found);
                    let at = format!("{bound}, {times:?}, {angle}: {joint} at {seconds}");
                    assert!(error < f64::from(bound) + ROUNDING, "{at}: {error:e}");
                }
            }
        }
    }
    assert!(taken > 10 && left > 10, "{taken} clips by nlerp, {left} by slerp");
}

#[test]
fn a_bound_of_zero_or_keys_too_far_apart_change_no_bit() {
    let skeleton = random_tree(JOINTS);
    let random = &mut Random::new(20);
    for times in Times::ALL {
        for (angle, bounds) in [(1.0, [0.0, -0.0, 1e-9]), (3.1, [0.0, -0.0, f32::MAX])] {
            // One step of more than a third of a turn in each block is enough.
            let tracks: Vec<_> = random_tracks(times, angle, random)
                .into_iter()
                .map(|track| TrackData { interpolation: Interpolation::Linear, ..track })
                .collect();
            let borrowed: Vec<_> = tracks.iter().map(TrackData::track).collect();
            let exact = Clip::new("random", &skeleton, &borrowed).expect("valid tracks");
            for bound in bounds {
                let clip = build(&skeleton, &tracks, bound);
                assert_eq!(clip.bytes(), exact.bytes(), "{times:?}, {angle}, {bound}");
                for seconds in random_times(&clip, random) {
                    let [found, expected] = [&clip, &exact].map(|clip| sample_pose(clip, &skeleton, seconds));
                    assert_eq!(pose_bits(&found), pose_bits(&expected), "{bound} at {seconds}");
                }
            }
        }
    }
}

#[test]
fn bits_do_not_depend_on_the_path_to_a_time_or_on_the_backend() {
    let mut expected = None;
    every_backend(|run| {
        let skeleton = random_tree(JOINTS).with_runtime(runtime(run));
        let mut bits = Vec::new();
        for times in Times::ALL {
            let random = &mut Random::new(30);
            let mut tracks = random_tracks(times, 1.0, random);
            // One block by slerp.
            let far = tracks.iter_mut().find(|track| track.interpolation == Interpolation::Linear);
            if let Some(KeyData::Rotations { values, .. }) = far.map(|track| &mut track.keys) {
                values[1] = [1.0, 0.0, 0.0, 0.0];
                values[2] = [0.0, 1.0, 0.0, 0.0];
            }
            let clip = build(&skeleton, &tracks, f32::MAX);
            let (mut cursor, mut pose) = (clip.cursor(), Pose::new(&skeleton));
            let steps = (0..if EMULATED { 10 } else { 300 }).map(|frame| frame as f32 / 60.0);
            let mut order: Vec<f32> = steps.clone().chain(steps.rev()).collect();
            order.extend(random_times(&clip, random));
            order.push(f32::NAN);
            for seconds in order {
                clip.sample(seconds, &mut cursor, &mut pose).expect("the clip's cursor");
                let fresh = sample_pose(&clip, &skeleton, seconds);
                assert_eq!(pose_bits(&pose), pose_bits(&fresh), "{run}, {times:?} at {seconds}");
                for track in &tracks {
                    let (joint, _) = rotation_keys(track);
                    let found = clip.sample_joint(joint, seconds).rotation;
                    assert_eq!(found, Some(pose.rotation(joint)), "{run}: {joint} at {seconds}");
                }
                bits.push(pose_bits(&pose));
            }
        }
        if run.float_mode == sinew::FloatMode::Reproducible {
            assert!(*expected.get_or_insert_with(|| bits.clone()) == bits, "{run}");
        }
    });
}

#[test]
fn exported_tracks_are_the_source_and_give_the_same_clip() {
    let skeleton = random_tree(JOINTS);
    for times in Times::ALL {
        let random = &mut Random::new(40);
        let tracks = random_tracks(times, 0.5, random);
        let [clip, exact] = [1e-3, 0.0].map(|bound| build(&skeleton, &tracks, bound));
        assert!(clip.bytes() < exact.bytes(), "some blocks are interpolated by nlerp");
        assert_eq!((clip.track_count(), clip.key_count()), (exact.track_count(), exact.key_count()));
        let sorted = |clip: &Clip| {
            let mut tracks: Vec<_> = clip.tracks().collect();
            tracks.sort_by_key(|track| rotation_keys(track).0.index());
            tracks
        };
        assert_eq!(sorted(&clip), sorted(&exact));
        let again = build(&skeleton, &sorted(&clip), 1e-3);
        for seconds in random_times(&clip, random) {
            let [found, expected] = [&again, &clip].map(|clip| sample_pose(clip, &skeleton, seconds));
            assert_eq!(pose_bits(&found), pose_bits(&expected), "{times:?} at {seconds}");
        }
    }
}

#[test]
fn bounds_that_are_no_angles_are_rejected() {
    let skeleton = random_tree(1);
    for bound in [-1.0, -f32::MIN_POSITIVE, f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let options = ClipOptions::default().nlerp_error(bound);
        let error = Clip::with_options("", &skeleton, &[], &options).unwrap_err();
        assert!(matches!(error, AnimationError::BadNlerpError { .. }), "{error:?}");
        let expected = format!("error of nlerp: expected a finite angle from zero up, found {bound:?}");
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn hostile_rotations_stay_unit_quaternions() {
    let skeleton = random_tree(JOINTS);
    let random = &mut Random::new(50);
    let odd = [0.0, -0.0, 1.0, -1.0, f32::MAX, f32::MIN_POSITIVE, 1e-45, 0.5, 1e-20, 0.999];
    for _ in 0..if EMULATED { 100 } else { 5000 } {
        let mut tracks = Vec::new();
        for joint in (0..JOINTS).filter(|_| random.once_in(8)).collect::<Vec<_>>() {
            let times = clips::times(1 + random.below(5), random);
            let base: [f32; 4] = [0; 4].map(|_| odd[random.below(odd.len())]);
            let values: Vec<[f32; 4]> = times
                .iter()
                .map(|_| {
                    let mut value = base;
                    value[random.below(4)] = odd[random.below(odd.len())];
                    value
                })
                .collect();
            let keys = KeyData::Rotations { joint: JointId::new(joint), values };
            tracks.push(TrackData { times, keys, interpolation: Interpolation::Linear });
        }
        let borrowed: Vec<_> = tracks.iter().map(TrackData::track).collect();
        let options = ClipOptions::default().nlerp_error(f32::MAX);
        let Ok(clip) = Clip::with_options("", &skeleton, &borrowed, &options) else { continue };
        for seconds in [-1.0, 0.0, 0.01, 0.1, 0.3, 1.0, 2.0, f32::MAX, f32::NAN] {
            let pose = sample_pose(&clip, &skeleton, seconds);
            for (joint, found) in pose.transforms().map(|joint| joint.rotation).enumerate() {
                let length = found.iter().map(|&x| f64::from(x).powi(2)).sum::<f64>();
                // Keys may be off unit length as far as files round them.
                assert!((length - 1.0).abs() < 2e-3, "{joint} at {seconds}: {found:?} in {tracks:?}");
            }
        }
    }
}

#[test]
fn a_cursor_of_a_clip_by_slerp_is_rejected_and_frames_allocate_nothing() {
    let skeleton = random_tree(JOINTS);
    let random = &mut Random::new(60);
    let tracks = random_tracks(Times::Own, 0.5, random);
    let [clip, exact] = [1.0, 0.0].map(|bound| build(&skeleton, &tracks, bound));
    let mut pose = Pose::new(&skeleton);
    let error = clip.sample(0.5, &mut exact.cursor(), &mut pose).unwrap_err();
    assert_eq!(error.to_string(), "rotation key pairs of the cursor: expected 0, found 5");
    let error = exact.sample(0.5, &mut clip.cursor(), &mut pose).unwrap_err();
    assert_eq!(error.to_string(), "rotation key pairs of the cursor: expected 5, found 0");
    assert_eq!(pose, *skeleton.rest());
    assert!(clip.cursor().bytes() < exact.cursor().bytes());
    let (mut cursor, times) = (clip.cursor(), random_times(&clip, random));
    let counted = allocation_counter::measure(|| {
        for &seconds in &times {
            clip.sample(seconds, &mut cursor, &mut pose).expect("the clip's cursor");
            let _ = clip.sample_joint(JointId::new(3), seconds);
        }
    });
    assert_eq!(counted.count_total, 0);
}
