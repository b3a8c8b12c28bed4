//! Clip sampling against a reference in `f64`, with any cursor, and export of tracks.

use std::panic::{AssertUnwindSafe, catch_unwind};

use sinew::animation::{AnimationError, Interpolation, KeyData, Keys, Track, TrackData};
use sinew::runtime::backend;
use sinew::{Clip, FloatMode, JointId, LengthError, Pose, Runtime, Skeleton, Transform};
use sinew_testkit::clips::{self, KeyInterpolation};
use sinew_testkit::random::Random;
use sinew_testkit::tolerance::Tolerance;

use crate::support::poses::{pose_bits, sample_pose};
use crate::support::random_rigs::random_tree;

const JOINTS: usize = 40;
const WEIGHTS: usize = 12;

fn skeleton() -> Skeleton {
    random_tree(JOINTS).with_morph_weights(&[0.25; WEIGHTS]).expect("finite weights")
}

fn reference_interpolation(interpolation: Interpolation) -> KeyInterpolation {
    match interpolation {
        Interpolation::Step => KeyInterpolation::Step,
        Interpolation::Linear => KeyInterpolation::Linear,
        Interpolation::Cubic => KeyInterpolation::Cubic,
    }
}

fn random_vectors<const N: usize>(len: usize, random: &mut Random) -> Vec<[f32; N]> {
    (0..len).map(|_| [0; N].map(|_| random.between(-3.0, 3.0))).collect()
}

/// Random tracks for most channels. Some share their times, some are constant.
fn random_tracks(random: &mut Random) -> Vec<TrackData> {
    let shared: Vec<_> = (0..2).map(|_| clips::times(20, random)).collect();
    let mut tracks = Vec::new();
    for (joint, channel) in (0..JOINTS).flat_map(|joint| (0..3).map(move |channel| (joint, channel))) {
        if random.once_in(5) {
            continue;
        }
        let interpolation = random_interpolation(random);
        let times = random_times(&shared, random);
        let width = reference_interpolation(interpolation).width();
        let mut keys = match channel {
            0 => {
                let values = clips::rotations(times.len(), reference_interpolation(interpolation), random);
                KeyData::Rotations { joint: JointId::new(joint), values }
            }
            1 => KeyData::Translations {
                joint: JointId::new(joint),
                values: random_vectors(width * times.len(), random),
            },
            _ => KeyData::Scales {
                joint: JointId::new(joint),
                values: random_vectors(width * times.len(), random),
            },
        };
        if random.once_in(4) && interpolation != Interpolation::Cubic {
            make_constant(&mut keys);
        }
        tracks.push(TrackData { times, keys, interpolation });
    }
    let (mut first, mut count) = (0, 3);
    while first + count <= WEIGHTS {
        let (interpolation, times) = (random_interpolation(random), random_times(&shared, random));
        let len = times.len() * count * reference_interpolation(interpolation).width();
        let values = (0..len).map(|_| random.between(-1.0, 1.0)).collect();
        tracks.push(TrackData { times, keys: KeyData::Weights { first, count, values }, interpolation });
        (first, count) = (first + count + random.below(2), 1 + random.below(4));
    }
    tracks
}

fn random_interpolation(random: &mut Random) -> Interpolation {
    [Interpolation::Step, Interpolation::Linear, Interpolation::Cubic][random.below(3)]
}

fn random_times(shared: &[Vec<f32>], random: &mut Random) -> Vec<f32> {
    if random.once_in(2) {
        shared[random.below(shared.len())].clone()
    } else {
        clips::times([1, 2, 3, 17, 60][random.below(5)], random)
    }
}

/// Sets every key to the value of the first.
fn make_constant(keys: &mut KeyData) {
    match keys {
        KeyData::Rotations { values, .. } => {
            let first = values[0];
            values.fill(first)
        }
        KeyData::Translations { values, .. } | KeyData::Scales { values, .. } => {
            let first = values[0];
            values.fill(first)
        }
        KeyData::Weights { .. } => {}
    }
}

fn build_clip(skeleton: &Skeleton, tracks: &[TrackData]) -> Clip {
    let tracks: Vec<_> = tracks.iter().map(TrackData::track).collect();
    Clip::new("random", skeleton, &tracks).expect("valid tracks")
}

/// Times before, at, between and after keys.
fn sample_times(clip: &Clip, random: &mut Random) -> Vec<f32> {
    let mut times = vec![-1.0, 0.0, clip.start(), clip.end(), clip.end() + 1.0, f32::NAN, f32::INFINITY];
    times.extend(clip.tracks().take(10).flat_map(|track| track.times));
    times.extend((0..100).map(|_| random.between(0.0, clip.end())));
    times
}

/// Checks a pose against the reference in `f64`. Channels without a track must be at rest.
fn check_against_f64(pose: &Pose, tracks: &[TrackData], rest: &Pose, seconds: f32, close: &mut Tolerance) {
    let mut expected = rest.clone();
    for TrackData { times, keys, interpolation } in tracks {
        let (reference, at) =
            (reference_interpolation(*interpolation), format!("{interpolation:?} at {seconds}"));
        match keys {
            KeyData::Rotations { joint, values } => {
                let (rotation, length) = clips::rotation(times, values, reference, seconds);
                let found = pose.rotation(*joint);
                close.same_rotation(&at, rotation, found, 2e-6 / length.min(1.0));
                expected.set_rotation(*joint, found);
            }
            KeyData::Translations { joint, values } => {
                let found = pose.translation(*joint);
                close.all_close(&at, clips::vector(times, values, reference, seconds), found, 3e-6);
                expected.set_translation(*joint, found);
            }
            KeyData::Scales { joint, values } => {
                let found = pose.transform(*joint).scale;
                close.all_close(&at, clips::vector(times, values, reference, seconds), found, 3e-6);
                expected.set_scale(*joint, found);
            }
            KeyData::Weights { first, count, values } => {
                for slot in 0..*count {
                    let values: Vec<_> = values.iter().skip(slot).step_by(*count).map(|&v| [v]).collect();
                    let found = pose.morph_weights()[first + slot];
                    close.all_close(&at, clips::vector(times, &values, reference, seconds), [found], 3e-6);
                    expected.morph_weights_mut()[first + slot] = found;
                }
            }
        }
    }
    assert_eq!(*pose, expected, "channels without a track stay at rest");
}

#[test]
fn samples_match_the_f64_reference_on_every_backend() {
    for backend in backend::available() {
        for float_mode in [FloatMode::Fast, FloatMode::Reproducible] {
            let skeleton = skeleton().with_runtime(Runtime::with_backend(backend, float_mode));
            let mut close = Tolerance::new(format!("{}, {float_mode:?}", backend.name()));
            for seed in 0..4 {
                let random = &mut Random::new(seed);
                let tracks = random_tracks(random);
                let clip = build_clip(&skeleton, &tracks);
                for seconds in sample_times(&clip, random).into_iter().filter(|seconds| !seconds.is_nan()) {
                    let pose = sample_pose(&clip, &skeleton, seconds);
                    check_against_f64(&pose, &tracks, skeleton.rest(), seconds, &mut close);
                }
            }
            close.report();
        }
    }
}

#[test]
fn reproducible_samples_have_the_same_bits_on_every_backend() {
    let tracks = random_tracks(&mut Random::new(9));
    let mut expected = None;
    for backend in backend::available() {
        let skeleton = skeleton().with_runtime(Runtime::with_backend(backend, FloatMode::Reproducible));
        let clip = build_clip(&skeleton, &tracks);
        let found: Vec<_> = sample_times(&clip, &mut Random::new(1))
            .into_iter()
            .map(|s| pose_bits(&sample_pose(&clip, &skeleton, s)))
            .collect();
        assert_eq!(*expected.get_or_insert(found.clone()), found, "{}", backend.name());
    }
}

#[test]
fn a_cursor_changes_no_bit_in_any_order_of_times() {
    let skeleton = skeleton();
    for seed in 0..4 {
        let random = &mut Random::new(20 + seed);
        let clip = build_clip(&skeleton, &random_tracks(random));
        let mut orders = vec![sample_times(&clip, random)];
        let frames: Vec<f32> = (0..200).map(|frame| frame as f32 / 60.0).collect();
        orders.push(frames.iter().rev().copied().collect());
        orders.push(frames.iter().map(|seconds| 3.0 * seconds % clip.end()).collect());
        orders.push(frames);
        let (mut cursor, mut pose) = (clip.cursor(), Pose::new(&skeleton));
        for seconds in orders.into_iter().flatten() {
            clip.sample(seconds, &mut cursor, &mut pose).unwrap();
            assert_eq!(pose_bits(&pose), pose_bits(&sample_pose(&clip, &skeleton, seconds)), "at {seconds}");
        }
    }
}

#[test]
fn a_cursor_of_another_clip_is_rejected_or_harmless() {
    let skeleton = skeleton();
    let random = &mut Random::new(30);
    let clip_with_times = |times: &[f32]| {
        let values = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]].repeat(times.len() / 2);
        let keys = Keys::Translations { joint: JointId::new(3), values: &values };
        Clip::new("", &skeleton, &[Track { times, keys, interpolation: Interpolation::Linear }]).unwrap()
    };
    // Short ones are stored on a common list of times, long ones as tracks with times of their own.
    for lens in [[40, 2], [600, 500]] {
        let [one, other] = lens.map(|len| clip_with_times(&clips::times(len, random)));
        let (mut cursor, mut pose) = (one.cursor(), Pose::new(&skeleton));
        for (clip, seconds) in [(&one, 1e9), (&other, 0.5), (&one, 0.5), (&other, 0.25)] {
            clip.sample(seconds, &mut cursor, &mut pose).unwrap();
            assert_eq!(pose_bits(&pose), pose_bits(&sample_pose(clip, &skeleton, seconds)));
        }
    }
    let (mut cursor, mut pose) = (clip_with_times(&[0.0, 1.0]).cursor(), Pose::new(&skeleton));
    let clip = build_clip(&skeleton, &random_tracks(random));
    let before = pose.clone();
    let rejection = clip.sample(0.5, &mut cursor, &mut pose);
    let Err(AnimationError::Length(LengthError { what, found, .. })) = rejection else {
        panic!("{rejection:?}");
    };
    assert_eq!((what, found), ("places of the cursor", 0));
    assert_eq!(pose, before);
}

#[test]
fn poses_of_another_size_are_rejected() {
    let clip = build_clip(&skeleton(), &random_tracks(&mut Random::new(31)));
    let mut cursor = clip.cursor();
    let mut sample = |skeleton: Skeleton| clip.sample(0.0, &mut cursor, &mut Pose::new(&skeleton));
    let joints = sample(random_tree(JOINTS - 1).with_morph_weights(&[0.0; WEIGHTS]).unwrap());
    assert_eq!(
        joints.unwrap_err().to_string(),
        format!("joints of the pose to sample into: expected {JOINTS}, found {}", JOINTS - 1)
    );
    let weights = sample(random_tree(JOINTS)).unwrap_err();
    assert_eq!(weights.to_string(), "morph weights of the pose to sample into: expected 12, found 0");
}

#[test]
fn exported_tracks_equal_the_source_tracks() {
    let skeleton = skeleton();
    let given = random_tracks(&mut Random::new(40));
    let clip = build_clip(&skeleton, &given);
    let back: Vec<_> = clip.tracks().collect();
    assert_eq!((clip.track_count(), back.len()), (given.len(), given.len()));
    let never_changes =
        |track: &TrackData| track.interpolation == Interpolation::Step && track.times.len() < 3;
    for track in &given {
        let same = back.iter().any(|found| found == track);
        let target = |keys: &KeyData| match keys {
            KeyData::Rotations { joint, .. } => (0, joint.index()),
            KeyData::Translations { joint, .. } => (1, joint.index()),
            KeyData::Scales { joint, .. } => (2, joint.index()),
            KeyData::Weights { first, .. } => (3, *first),
        };
        let still = back.iter().find(|found| target(&found.keys) == target(&track.keys)).unwrap();
        assert!(same || never_changes(still), "{track:?}");
        assert_eq!((still.times.first(), still.times.last()), (track.times.first(), track.times.last()));
    }
    let again = build_clip(&skeleton, &back);
    assert_eq!((clip.start(), clip.end()), (again.start(), again.end()));
    for seconds in sample_times(&clip, &mut Random::new(41)) {
        assert_eq!(
            pose_bits(&sample_pose(&clip, &skeleton, seconds)),
            pose_bits(&sample_pose(&again, &skeleton, seconds))
        );
    }
}

#[test]
fn sampling_one_joint_equals_sampling_the_pose() {
    let skeleton = skeleton();
    let random = &mut Random::new(50);
    let clip = build_clip(&skeleton, &random_tracks(random));
    for seconds in sample_times(&clip, random) {
        let pose = sample_pose(&clip, &skeleton, seconds);
        for joint in (0..JOINTS).map(JointId::new) {
            let (parts, transform) = (clip.sample_joint(joint, seconds), pose.transform(joint));
            let rest = skeleton.rest().transform(joint);
            let found = Transform {
                rotation: parts.rotation.unwrap_or(rest.rotation),
                translation: parts.translation.unwrap_or(rest.translation),
                scale: parts.scale.unwrap_or(rest.scale),
            };
            assert_eq!(found, transform, "joint {joint} at {seconds}");
        }
        assert_eq!(clip.sample_joint(JointId::new(JOINTS), seconds), Default::default());
        assert_eq!(clip.sample_joint(JointId::new(usize::MAX), seconds), Default::default());
    }
}

#[test]
fn a_clip_without_tracks_changes_nothing() {
    let skeleton = skeleton();
    let clip = Clip::new("nothing", &skeleton, &[]).unwrap();
    assert_eq!((clip.name(), clip.start(), clip.end(), clip.track_count()), ("nothing", 0.0, 0.0, 0));
    assert_eq!((clip.skeleton_len(), clip.morph_weight_count()), (JOINTS, WEIGHTS));
    assert_eq!(sample_pose(&clip, &skeleton, 0.0), *skeleton.rest());
    assert_eq!(clip.tracks().count(), 0);
}

#[test]
fn only_scales_other_than_one_enable_scales() {
    let skeleton = skeleton();
    let scaled = |values: &[[f32; 3]], interpolation| {
        let times: Vec<f32> = (0..values.len() / if interpolation == Interpolation::Cubic { 3 } else { 1 })
            .map(|i| i as f32)
            .collect();
        let keys = Keys::Scales { joint: JointId::new(2), values };
        Clip::new("", &skeleton, &[Track { times: &times, keys, interpolation }]).unwrap()
    };
    let (one, zero) = ([1.0; 3], [0.0; 3]);
    for (clip, turns_on) in [
        (scaled(&[one, one], Interpolation::Linear), false),
        (scaled(&[zero, one, zero], Interpolation::Cubic), false),
        (scaled(&[one, [1.0, 1.0, 2.0]], Interpolation::Step), true),
        (scaled(&[[2.0; 3]], Interpolation::Linear), true),
        (scaled(&[zero, one, [1.0; 3], zero, one, zero], Interpolation::Cubic), true),
    ] {
        assert_eq!(sample_pose(&clip, &skeleton, 0.0).has_scales(), turns_on);
    }
    // Where scales are enabled, a scale of one is written.
    let mut pose = Pose::new(&skeleton);
    pose.set_scale(JointId::new(2), [5.0; 3]);
    let clip = scaled(&[one], Interpolation::Linear);
    clip.sample(0.0, &mut clip.cursor(), &mut pose).unwrap();
    assert_eq!(pose.transform(JointId::new(2)).scale, one);
}

#[test]
fn cubic_rotations_of_length_zero_are_the_identity_and_finite_keys_never_give_nan() {
    let skeleton = skeleton();
    let (zero, z) = ([0.0; 4], [0.0, 0.0, 1.0, 0.0]);
    let at = |values: &[[f32; 4]], seconds| {
        let keys = Keys::Rotations { joint: JointId::new(1), values };
        let track = Track { times: &[0.0, 1.0], keys, interpolation: Interpolation::Cubic };
        sample_pose(&Clip::new("", &skeleton, &[track]).unwrap(), &skeleton, seconds)
            .rotation(JointId::new(1))
    };
    let there_and_back = [zero, z, zero, zero, z.map(|c| -c), zero];
    assert_eq!(at(&there_and_back, 0.5), [0.0, 0.0, 0.0, 1.0]);
    let steep = [[f32::MAX; 4], z, [f32::MAX; 4], [f32::MIN; 4], z, [f32::MAX; 4]];
    for seconds in [0.0, 0.1, 0.5, 0.999, 1.0, 2.0] {
        let length: f32 = at(&steep, seconds).iter().map(|c| c * c).sum();
        assert!((length - 1.0).abs() < 1e-6);
        let values: Vec<[f32; 3]> = steep.iter().map(|&[x, y, z, _]| [x, y, z]).collect();
        let keys = Keys::Translations { joint: JointId::new(1), values: &values };
        let track = Track { times: &[0.0, f32::MAX], keys, interpolation: Interpolation::Cubic };
        let clip = Clip::new("", &skeleton, &[track]).unwrap();
        let pose = sample_pose(&clip, &skeleton, seconds * 1e38);
        assert!(pose.translation(JointId::new(1)).iter().all(|element| element.is_finite()));
    }
}

#[test]
fn rotations_are_normalized() {
    let skeleton = skeleton();
    for values in [[[0.0, 0.0, 4.0, 0.0]], [[0.0, 0.0, 1e-7, 0.0]], [[0.0, 0.0, f32::MAX, 0.0]]] {
        let keys = Keys::Rotations { joint: JointId::new(1), values: &values };
        let track = Track { times: &[0.0], keys, interpolation: Interpolation::Linear };
        let pose = sample_pose(&Clip::new("", &skeleton, &[track]).unwrap(), &skeleton, 0.0);
        assert_eq!(pose.rotation(JointId::new(1)), [0.0, 0.0, 1.0, 0.0]);
    }
}

/// A clip of so many rotations and translations, each with key times of its own, and too many of
/// them for a common list.
fn keyed_clip(skeleton: &Skeleton, [rotations, translations]: [usize; 2]) -> Clip {
    const KEYS: usize = 400;
    let random = &mut Random::new(72);
    let mut tracks = Vec::new();
    for i in 0..rotations + translations {
        let times = (0..KEYS).map(|key| key as f32 + 0.001 * i as f32).collect();
        let keys = match i.checked_sub(rotations) {
            None => {
                let values = clips::rotations(KEYS, KeyInterpolation::Linear, random);
                KeyData::Rotations { joint: JointId::new(i), values }
            }
            Some(joint) => {
                KeyData::Translations { joint: JointId::new(joint), values: random_vectors(KEYS, random) }
            }
        };
        tracks.push(TrackData { times, keys, interpolation: Interpolation::Linear });
    }
    build_clip(skeleton, &tracks)
}

#[test]
fn a_cursor_with_other_channels_is_rejected_or_does_no_harm() {
    let skeleton = skeleton();
    let clip = |channels| keyed_clip(&skeleton, channels);
    let (clip, same, other) = (clip([9, 24]), clip([10, 20]), clip([24, 9]));
    let mut pose = Pose::new(&skeleton);
    let before = pose.clone();
    let error = clip.sample(0.5, &mut other.cursor(), &mut pose).unwrap_err();
    assert_eq!(error.to_string(), "rotation key pairs of the cursor: expected 2, found 3");
    assert_eq!(pose, before);
    clip.sample(0.5, &mut same.cursor(), &mut pose).expect("as much memory");
    assert_eq!(pose, sample_pose(&clip, &skeleton, 0.5));
}

#[test]
fn sampling_allocates_nothing() {
    let skeleton = skeleton();
    let random = &mut Random::new(70);
    let clip = build_clip(&skeleton, &random_tracks(random));
    let times = sample_times(&clip, random);
    let mut pose = Pose::new(&skeleton);
    let mut cursor = None;
    let creation = allocation_counter::measure(|| cursor = Some(clip.cursor()));
    // The keys of groups, and of tracks with times of their own: rotations, vectors, numbers.
    assert!((1..=4).contains(&creation.count_total), "{} allocations", creation.count_total);
    let mut cursor = cursor.unwrap();
    let counted = allocation_counter::measure(|| {
        for &seconds in &times {
            clip.sample(seconds, &mut cursor, &mut pose).expect("a pose of the skeleton");
            let _ = clip.sample_joint(JointId::new(3), seconds);
        }
    });
    assert_eq!(counted.count_total, 0);
}

#[test]
fn no_input_numbers_make_sampling_panic() {
    let skeleton = skeleton();
    let odd = [0.0, -0.0, 1.0, -1.0, f32::NAN, f32::INFINITY, f32::MAX, f32::MIN_POSITIVE, 1e-45, 0.5];
    let random = &mut Random::new(80);
    for _ in 0..20_000 {
        let mut some = |max: usize| -> Vec<f32> {
            (0..random.below(max)).map(|_| odd[random.below(odd.len())]).collect()
        };
        let (times, floats) = (some(4), some(25));
        let interpolation = random_interpolation(random);
        let joint = [0, 1, JOINTS, usize::MAX][random.below(4)];
        let keys = match random.below(4) {
            0 => Keys::Rotations { joint: JointId::new(joint), values: floats.as_chunks().0 },
            1 => Keys::Translations { joint: JointId::new(joint), values: floats.as_chunks().0 },
            2 => Keys::Scales { joint: JointId::new(joint), values: floats.as_chunks().0 },
            _ => {
                let count = [0, 1, 2, WEIGHTS, usize::MAX][random.below(5)];
                Keys::Weights { first: joint, count, values: &floats }
            }
        };
        let call = || {
            let Ok(clip) = Clip::new("", &skeleton, &[Track { times: &times, keys, interpolation }]) else {
                return;
            };
            for seconds in odd {
                let pose = sample_pose(&clip, &skeleton, seconds);
                let rng = pose_bits(&pose).into_iter().map(f32::from_bits);
                assert!(
                    rng.clone().all(|number| !number.is_nan()),
                    "{:?}",
                    clip.tracks().collect::<Vec<_>>()
                );
            }
        };
        assert!(catch_unwind(AssertUnwindSafe(call)).is_ok(), "{times:?} {keys:?} {interpolation:?}");
    }
}
