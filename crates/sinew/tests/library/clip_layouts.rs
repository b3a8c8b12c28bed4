//! Clips give the same bits however their tracks are stored.

use sinew::animation::{Interpolation, KeyData, TrackData};
use sinew::{Clip, JointId, Pose, Skeleton};
use sinew_testkit::clips::{self, KeyInterpolation};
use sinew_testkit::random::Random;

use crate::support::poses::sample_pose;
use crate::support::random_rigs::chain;

fn build(skeleton: &Skeleton, tracks: &[TrackData]) -> Clip {
    let tracks: Vec<_> = tracks.iter().map(TrackData::track).collect();
    Clip::new("", skeleton, &tracks).expect("sound tracks")
}

fn translations(joint: usize, times: &[f32], random: &mut Random) -> TrackData {
    let values = times.iter().map(|_| [0; 3].map(|_| random.between(-3.0, 3.0))).collect();
    let keys = KeyData::Translations { joint: JointId::new(joint), values };
    TrackData { times: times.to_vec(), keys, interpolation: Interpolation::Linear }
}

#[test]
fn a_track_has_the_same_bits_alone_and_among_others_of_its_block() {
    let skeleton = chain(24);
    let random = &mut Random::new(11);
    let times: Vec<f32> = (0..31).map(|i| i as f32 / 30.0).collect();
    let tracks: Vec<_> = (0..24).map(|joint| translations(joint, &times, random)).collect();
    let all = build(&skeleton, &tracks);
    for joint in 0..24 {
        let other = (joint + 1) % 24;
        for chosen in [vec![joint], vec![joint.min(other), joint.max(other)]] {
            let few: Vec<_> = chosen.iter().map(|&joint| tracks[joint].clone()).collect();
            let clip = build(&skeleton, &few);
            assert!(clip.bytes() < all.bytes());
            for i in -3..70 {
                let seconds = i as f32 / 61.0;
                let (few, all) =
                    (sample_pose(&clip, &skeleton, seconds), sample_pose(&all, &skeleton, seconds));
                for &joint in &chosen {
                    let joint = JointId::new(joint);
                    assert_eq!(few.translation(joint), all.translation(joint), "{joint} at {seconds}");
                    let alone = clip.sample_joint(joint, seconds).translation;
                    assert_eq!(alone, Some(few.translation(joint)));
                }
            }
        }
    }
}

#[test]
fn tracks_that_are_stored_alone_are_exported_with_their_own_keys() {
    let skeleton = chain(24);
    let random = &mut Random::new(14);
    let times: Vec<f32> = (0..100).map(|i| i as f32 / 30.0).collect();
    let some: Vec<f32> = times.iter().copied().step_by(3).collect();
    let tracks =
        [translations(2, &times, random), translations(3, &some, random), translations(20, &some, random)];
    let clip = build(&skeleton, &tracks);
    assert!(clip.bytes() < 100 * (3 * 12 + 4) + 1500, "{}", clip.bytes());
    assert_eq!(clip.tracks().collect::<Vec<_>>(), tracks);
}

#[test]
fn tracks_that_move_and_tracks_that_do_not_share_a_block() {
    let skeleton = chain(20);
    let random = &mut Random::new(12);
    let times: Vec<f32> = (0..11).map(|i| i as f32 / 10.0).collect();
    let still = |joint: usize| TrackData {
        times: vec![0.0, 1.0],
        keys: KeyData::Translations { joint: JointId::new(joint), values: vec![[joint as f32; 3]; 2] },
        interpolation: Interpolation::Linear,
    };
    // The first block is full, the second has joints without tracks.
    let moving = [3, 9];
    let mut tracks: Vec<_> = moving.map(|joint| translations(joint, &times, random)).into();
    tracks.extend((0..8).filter(|joint| *joint != 3).chain([10, 12]).map(still));
    let clip = build(&skeleton, &tracks);
    let mut pose = Pose::new(&skeleton);
    let mut cursor = clip.cursor();
    for seconds in [0.31, 0.99, 0.0, 1.0, 0.05] {
        clip.sample(seconds, &mut cursor, &mut pose).expect("a pose of the skeleton");
        for joint in 0..20 {
            let (id, found) = (JointId::new(joint), pose.translation(JointId::new(joint)));
            let expected = match joint {
                3 | 9 => clip.sample_joint(id, seconds).translation.expect("a track"),
                0..=7 | 10 | 12 => [joint as f32; 3],
                _ => skeleton.rest().translation(id),
            };
            assert_eq!(found, expected, "{joint} at {seconds}");
        }
    }
}

/// A track of rotations at some of the times of a grid.
fn rotations(joint: usize, times: Vec<f32>, random: &mut Random) -> TrackData {
    let values = clips::rotations(times.len(), KeyInterpolation::Linear, random);
    let keys = KeyData::Rotations { joint: JointId::new(joint), values };
    TrackData { times, keys, interpolation: Interpolation::Linear }
}

/// Gaps that are longer than the words of bits, tracks that begin late or end early, and tracks of
/// two keys.
#[test]
fn tracks_at_some_of_the_common_times_have_the_bits_of_tracks_alone() {
    let skeleton = chain(40);
    let random = &mut Random::new(15);
    let time = |frame: usize| frame as f32 / 30.0 + 0.25;
    let mut tracks = Vec::new();
    for joint in 0..40 {
        let step = [2, 3, 5, 17, 40, 90, 299][joint % 7];
        let (first, end) = [(0, 300), (40, 300), (0, 200), (70, 130)][joint % 4];
        let is_kept = |frame: &usize| *frame % step == joint % step || *frame == first || *frame + 1 == end;
        let times: Vec<f32> = (first..end).filter(is_kept).map(time).collect();
        tracks.push(match joint % 3 {
            0 => translations(joint, &times, random),
            _ => rotations(joint, times, random),
        });
    }
    let clip = build(&skeleton, &tracks);
    let key_bytes = clip.key_count() * 20;
    assert!(clip.bytes() < key_bytes + 300 * 4 + 40 * (200 + 16) + 2000, "{}: not as rows", clip.bytes());
    let exported = |joint: usize| clip.tracks().find(|track| track_joint(track) == joint);
    let (mut pose, mut cursor) = (Pose::new(&skeleton), clip.cursor());
    for (joint, track) in tracks.iter().enumerate() {
        assert_eq!(exported(joint).as_ref(), Some(track));
        let alone = build(&skeleton, std::slice::from_ref(track));
        let id = JointId::new(joint);
        let frames = (0..300).step_by(7).chain([0, 39, 40, 69, 70, 129, 130, 199, 200, 298, 299]);
        for seconds in frames.flat_map(|frame| [time(frame), time(frame).next_down(), time(frame) + 0.011]) {
            clip.sample(seconds, &mut cursor, &mut pose).expect("a pose of the skeleton");
            let fresh = sample_pose(&clip, &skeleton, seconds);
            let (found, expected) =
                (pose.transform(id), sample_pose(&alone, &skeleton, seconds).transform(id));
            assert_eq!(found, fresh.transform(id), "{joint} at {seconds}");
            let near = |found: &[f32], expected: &[f32]| {
                found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 2e-6)
            };
            // A track alone is a row at each of its times: the same keys, another way to the factor.
            assert!(near(&found.translation, &expected.translation), "{joint} at {seconds}");
            assert!(near(&found.rotation, &expected.rotation), "{joint} at {seconds}");
            let sampled = clip.sample_joint(id, seconds);
            assert_eq!(sampled.rotation.unwrap_or(found.rotation), found.rotation, "{joint} at {seconds}");
            let translation = sampled.translation.unwrap_or(found.translation);
            assert_eq!(translation, found.translation, "{joint} at {seconds}");
        }
    }
}

fn track_joint(track: &TrackData) -> usize {
    match &track.keys {
        KeyData::Rotations { joint, .. }
        | KeyData::Translations { joint, .. }
        | KeyData::Scales { joint, .. } => joint.index(),
        KeyData::Weights { first, .. } => *first,
    }
}

#[test]
fn rotations_of_few_joints_of_a_block_have_the_bits_of_those_of_all() {
    let skeleton = chain(24);
    let random = &mut Random::new(16);
    let times: Vec<f32> = (0..31).map(|i| i as f32 / 30.0).collect();
    let tracks: Vec<_> = (0..24).map(|joint| rotations(joint, times.clone(), random)).collect();
    let all = build(&skeleton, &tracks);
    for chosen in [vec![3], vec![0, 1, 5], vec![2, 8, 9, 10, 12, 23], (0..24).step_by(2).collect()] {
        let few: Vec<_> = chosen.iter().map(|&joint| tracks[joint].clone()).collect();
        let clip = build(&skeleton, &few);
        assert!(clip.bytes() < 2000 + 31 * 20 * chosen.len() + 56 * 3, "{}", clip.bytes());
        assert_eq!(clip.tracks().collect::<Vec<_>>(), few);
        for i in -3..70 {
            let seconds = i as f32 / 61.0;
            let (few, all) = (sample_pose(&clip, &skeleton, seconds), sample_pose(&all, &skeleton, seconds));
            for joint in (0..24).map(JointId::new) {
                let is_chosen = chosen.contains(&joint.index());
                let expected = if is_chosen { all.rotation(joint) } else { skeleton.rest().rotation(joint) };
                assert_eq!(few.rotation(joint), expected, "{joint} at {seconds}");
                let alone = clip.sample_joint(joint, seconds).rotation;
                assert_eq!(alone, is_chosen.then_some(expected), "{joint} at {seconds}");
            }
        }
    }
}

/// The numbers of a long track's keys do not fit into the 16 bits of its buckets.
#[test]
fn every_key_of_a_long_track_is_found_by_seeks_and_steps() {
    const KEYS: usize = 70_000;
    const TRACKS: usize = 12;
    let skeleton = chain(TRACKS);
    let random = &mut Random::new(13);
    // Dense and sparse parts: buckets of none and of many keys.
    let mut seconds = 0.0_f32;
    let times: Vec<f32> = (0..KEYS)
        .map(|key| {
            seconds += if key / 1000 % 3 == 0 { 0.015625 } else { 0.25 + random.between(0.0, 0.25) };
            seconds
        })
        .collect();
    let values = clips::rotations(KEYS, KeyInterpolation::Linear, random);
    let root = JointId::new(0);
    let keys = KeyData::Rotations { joint: root, values: values.clone() };
    let mut tracks = vec![TrackData { times: times.clone(), keys, interpolation: Interpolation::Linear }];
    // Other times, so that each track keeps its own.
    for joint in 1..TRACKS {
        let times = times.iter().map(|time| time + 0.004 * joint as f32).collect();
        let keys = KeyData::Rotations { joint: JointId::new(joint), values: values.clone() };
        tracks.push(TrackData { times, keys, interpolation: Interpolation::Linear });
    }
    let clip = build(&skeleton, &tracks);
    assert!(clip.bytes() < 27 * KEYS * TRACKS, "not as rows: {}", clip.bytes());
    let (mut pose, mut cursor) = (Pose::new(&skeleton), clip.cursor());
    let near = |found: [f32; 4], key: usize| {
        let dot: f32 = found.iter().zip(values[key]).map(|(a, b)| a * b).sum();
        dot.abs() > 1.0 - 1e-5
    };
    for key in (0..KEYS).filter(|key| key % 101 == 0 || key % 1000 < 3 || *key > KEYS - 5) {
        for seconds in [times[key], times[key].next_down()] {
            let found = sample_pose(&clip, &skeleton, seconds).rotation(root);
            assert!(seconds < times[key] || near(found, key), "{seconds}: {found:?} {:?}", values[key]);
            clip.sample(seconds, &mut cursor, &mut pose).expect("a pose of the skeleton");
            assert_eq!(pose.rotation(root), found, "at {seconds}");
        }
    }
}
