//! The memory of clips and cursors.

use sinew::animation::{Interpolation, Keys, Track};
use sinew::{Clip, JointId};
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
