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

/// The numbers of a long track's keys do not fit into the 16 bits of its buckets.
#[test]
fn every_key_of_a_long_track_is_found_by_seeks_and_steps() {
    const KEYS: usize = 150_000;
    let skeleton = chain(1);
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
    let clip =
        build(&skeleton, &[TrackData { times: times.clone(), keys, interpolation: Interpolation::Linear }]);
    assert!(clip.bytes() < 27 * KEYS, "not as rows: {}", clip.bytes());
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
