//! The memory of clips and cursors.

use sinew::animation::{ClipOptions, Interpolation, KeyData, Keys, Track, TrackData};
use sinew::{Clip, JointId};
use sinew_testkit::clips::{self, KeyInterpolation};
use sinew_testkit::random::Random;

use crate::support::random_rigs::{chain, random_tree};

const JOINTS: usize = 40;

fn random_vectors(len: usize, seed: u64) -> Vec<[f32; 3]> {
    let mut random = Random::new(seed);
    (0..len).map(|_| random.vector(1.0)).collect()
}

#[test]
fn constant_tracks_and_shared_times_take_little_memory() {
    let skeleton = random_tree(JOINTS);
    let times: Vec<f32> = (0..1000).map(|i| i as f32).collect();
    let (still, moving) = (vec![[1.0; 3]; 1000], random_vectors(1000, 60));
    let all = |values: &[[f32; 3]]| {
        let track = |joint| {
            let keys = Keys::Translations { joint, values };
            Track { times: &times, keys, interpolation: Interpolation::Linear }
        };
        Clip::new("", &skeleton, &skeleton.joints().map(track).collect::<Vec<_>>()).unwrap()
    };
    let (still, moving) = (all(&still), all(&moving));
    assert_eq!((still.key_count(), moving.key_count()), (1000 * JOINTS, 1000 * JOINTS));
    assert_eq!((still.start(), still.end()), (0.0, 999.0));
    assert!(still.bytes() < 600 + 32 * JOINTS, "{}", still.bytes());
    // A time takes four bytes: times at equal distances need no index.
    assert!(moving.bytes() < 600 + 4000 + (12_000 + 32) * JOINTS, "{}", moving.bytes());
}

#[test]
fn a_clip_of_many_joints_takes_memory_only_for_its_keys() {
    let skeleton = chain(100_000);
    let keys = Keys::Rotations { joint: JointId::new(99_999), values: &[[0.0, 0.0, 0.0, 1.0]] };
    let track = Track { times: &[0.0], keys, interpolation: Interpolation::Linear };
    let counted = allocation_counter::measure(|| {
        let clip = Clip::new("", &skeleton, &[track]).unwrap();
        assert!(clip.bytes() < 1000, "{}", clip.bytes());
        let _ = clip.cursor();
    });
    assert!(counted.bytes_total < 8000, "{}", counted.bytes_total);
}

#[test]
fn a_cursor_of_a_clip_on_common_times_allocates_nothing() {
    let skeleton = random_tree(JOINTS);
    let values = random_vectors(2, 71);
    let keys = Keys::Translations { joint: JointId::new(1), values: &values };
    let track = Track { times: &[0.0, 1.0], keys, interpolation: Interpolation::Linear };
    let clip = Clip::new("", &skeleton, &[track]).unwrap();
    let counted = allocation_counter::measure(|| {
        let cursor = clip.cursor();
        assert!(cursor.bytes() <= 104, "{}", cursor.bytes());
    });
    assert_eq!(counted.count_total, 0);
}

/// Rotations and translations of some joints, at some of the frames of a recording.
fn recorded_tracks(
    joints: impl Iterator<Item = usize>,
    frames: usize,
    keeps: impl Fn(&mut Random) -> bool,
) -> Vec<TrackData> {
    let random = &mut Random::new(80);
    let mut tracks = Vec::new();
    for joint in joints {
        let is_kept = |frame: &usize| *frame == 0 || *frame == frames - 1 || keeps(random);
        let times: Vec<f32> = (0..frames).filter(is_kept).map(|frame| frame as f32 / 30.0).collect();
        let values = clips::rotations(times.len(), KeyInterpolation::Linear, random);
        let keys = KeyData::Rotations { joint: JointId::new(joint), values };
        tracks.push(TrackData { times, keys, interpolation: Interpolation::Linear });
    }
    tracks
}

/// The bytes of a clip per key, without those of the clip itself and of the list of its tracks.
fn bytes_per_key(tracks: &[TrackData], nlerp_error: f32) -> f64 {
    let skeleton = random_tree(64);
    let options = ClipOptions::default().nlerp_error(nlerp_error);
    let borrowed: Vec<_> = tracks.iter().map(TrackData::track).collect();
    let clip = Clip::with_options("", &skeleton, &borrowed, &options).expect("sound tracks");
    let exported: Vec<_> = clip.tracks().map(|track| track.times).collect();
    assert_eq!(exported, tracks.iter().map(|track| track.times.clone()).collect::<Vec<_>>());
    let fixed = 700 + 16 * tracks.len();
    (clip.bytes() - fixed) as f64 / clip.key_count() as f64
}

/// A library that rounds keys to 16 bits needs about ten bytes per key.
#[test]
fn a_clip_takes_at_most_25_bytes_per_key_of_a_rotation() {
    for frames in [20, 61, 300] {
        let check = |kind: &str, tracks: &[TrackData], limit: f64| {
            let bytes = bytes_per_key(tracks, 0.0);
            assert!(bytes < limit, "{kind}, {frames} frames: {bytes}");
        };
        let all = |_: &mut Random| true;
        check("all joints", &recorded_tracks(0..64, frames, all), 20.5);
        check("every second joint", &recorded_tracks((0..64).step_by(2), frames, all), 21.5);
        check("some joints", &recorded_tracks((0..64).filter(|joint| joint % 7 > 1), frames, all), 25.0);
        check("one joint", &recorded_tracks(9..10, frames, all), 40.0);
        for left_out in [10, 5, 4, 3, 2] {
            let some = |random: &mut Random| !random.once_in(left_out);
            check("reduced", &recorded_tracks(0..64, frames, some), 25.0);
            // What a block takes besides keys counts for more in few short tracks.
            let limit = if frames < 61 { 28.0 } else { 25.0 };
            check("reduced, some joints", &recorded_tracks((0..64).step_by(3), frames, some), limit);
        }
        let third = |random: &mut Random| random.once_in(3);
        check("a third", &recorded_tracks(0..64, frames, third), if frames < 61 { 27.0 } else { 24.0 });
    }
}

#[test]
fn tracks_with_times_of_their_own_take_at_most_25_5_bytes_per_key_of_a_rotation() {
    let mut tracks = recorded_tracks(0..64, 300, |_| true);
    for (i, track) in tracks.iter_mut().enumerate() {
        track.times.iter_mut().for_each(|time| *time += 0.0005 * i as f32);
    }
    let bytes = bytes_per_key(&tracks, 0.0);
    assert!(bytes < 25.5, "{bytes}");
}

#[test]
fn keys_of_nlerp_take_four_bytes_less() {
    let mut tracks = recorded_tracks((0..64).step_by(2), 100, |random| !random.once_in(2));
    for track in &mut tracks {
        let KeyData::Rotations { values, .. } = &mut track.keys else { continue };
        // Small angles.
        for (key, value) in values.iter_mut().enumerate() {
            let half: f32 = 0.01 * (key % 7) as f32;
            *value = [half.sin(), 0.0, 0.0, half.cos()];
        }
    }
    let (exact, near) = (bytes_per_key(&tracks, 0.0), bytes_per_key(&tracks, 0.01));
    assert!((3.9..4.2).contains(&(exact - near)), "{exact} {near}");
}
