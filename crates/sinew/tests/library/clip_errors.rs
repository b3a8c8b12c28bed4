//! Invalid tracks are rejected with a message that names the track and the reason.

use sinew::animation::{Interpolation, Keys, Track};
use sinew::{Bone, Clip, JointId, Skeleton, Transform};

fn skeleton() -> Skeleton {
    let bones = ["hip", "spine", "head"].map(|name| Bone::new(name, None, Transform::IDENTITY));
    let skeleton = Skeleton::new(&bones).expect("three roots");
    skeleton.with_morph_weights(&[0.0; 4]).expect("finite weights")
}

#[track_caller]
fn assert_rejected(tracks: &[Track<'_>], message: &str) {
    let error = Clip::new("walk", &skeleton(), tracks).expect_err(message);
    assert_eq!(error.to_string(), message);
}

fn linear_track<'a>(times: &'a [f32], keys: Keys<'a>) -> Track<'a> {
    Track { times, keys, interpolation: Interpolation::Linear }
}

const ZEROS: [[f32; 3]; 6] = [[0.0; 3]; 6];
const IDENTITY_ROTATION: [f32; 4] = [0.0, 0.0, 0.0, 1.0];

/// A track of constant translations of a joint.
fn translations<'a>(times: &'a [f32], joint: usize) -> Track<'a> {
    linear_track(times, Keys::Translations { joint: JointId::new(joint), values: &ZEROS[..times.len()] })
}

#[test]
fn joints_out_of_range_are_rejected() {
    let good = translations(&[0.0], 2);
    assert_rejected(
        &[good, translations(&[0.0], 3)],
        "clip \"walk\", track 1: expected a joint below 3, found 3",
    );
    let keys = Keys::Rotations { joint: JointId::new(usize::MAX), values: &[IDENTITY_ROTATION] };
    let message = format!("clip \"walk\", track 0: expected a joint below 3, found {}", u32::MAX);
    assert_rejected(&[linear_track(&[0.0], keys)], &message);
    let keys = Keys::Scales { joint: JointId::new(4), values: &[[1.0; 3]] };
    assert_rejected(
        &[linear_track(&[0.0], keys)],
        "clip \"walk\", track 0: expected a joint below 3, found 4",
    );
}

#[test]
fn morph_weights_out_of_range_are_rejected() {
    for (first, count, end) in [(2, 3, 5), (4, 1, 5), (1, 0, 1), (0, usize::MAX, usize::MAX)] {
        let track = linear_track(&[0.0], Keys::Weights { first, count, values: &[0.0; 3] });
        let found = format!("found {first}..{end}");
        let expected = "expected one or more morph weights within 0..4";
        assert_rejected(&[track], &format!("clip \"walk\", track 0: {expected}, {found}"));
    }
    let track = linear_track(&[0.0], Keys::Weights { first: usize::MAX, count: 2, values: &[0.0; 2] });
    assert!(Clip::new("walk", &skeleton(), &[track]).is_err());
}

#[test]
fn value_counts_that_do_not_match_the_times_are_rejected() {
    for (interpolation, values, expected) in
        [(Interpolation::Linear, 3, 2), (Interpolation::Step, 1, 2), (Interpolation::Cubic, 2, 6)]
    {
        let keys = Keys::Translations { joint: JointId::new(0), values: &ZEROS[..values] };
        let track = Track { times: &[0.0, 1.0], keys, interpolation };
        let message = format!("clip \"walk\", track 0: expected {expected} values, found {values}");
        assert_rejected(&[track], &message);
    }
    let keys = Keys::Weights { first: 0, count: 2, values: &[0.0; 5] };
    let message = "clip \"walk\", track 0: expected 4 values, found 5";
    assert_rejected(&[linear_track(&[0.0, 1.0], keys)], message);
    let keys = Keys::Rotations { joint: JointId::new(0), values: &[] };
    assert_rejected(&[linear_track(&[0.0], keys)], "clip \"walk\", track 0: expected 1 values, found 0");
}

#[test]
fn tracks_without_keys_are_rejected() {
    assert_rejected(&[translations(&[], 0)], "clip \"walk\", track 0: expected at least one key, found none");
}

#[test]
fn negative_and_non_finite_times_are_rejected() {
    for (bad, found) in [(-1.0, "-1.0"), (f32::NAN, "NaN"), (f32::INFINITY, "inf"), (-1e-45, "-1e-45")] {
        let expected = "expected a finite time from zero up";
        assert_rejected(
            &[translations(&[0.0, bad], 0)],
            &format!("clip \"walk\", track 0, key 1: {expected}, found {found}"),
        );
    }
}

#[test]
fn times_that_do_not_increase_are_rejected() {
    for (times, key, message) in [
        ([0.0, 1.0, 1.0], 2, "expected a time after 1.0, found 1.0"),
        ([0.5, 0.25, 1.0], 1, "expected a time after 0.5, found 0.25"),
        ([0.0, -0.0, 1.0], 1, "expected a time after 0.0, found -0.0"),
    ] {
        assert_rejected(&[translations(&times, 0)], &format!("clip \"walk\", track 0, key {key}: {message}"));
    }
}

#[test]
fn non_finite_values_are_rejected() {
    let with_bad_value = |at: usize, bad: f32| {
        let mut values = ZEROS;
        values.as_flattened_mut()[at] = bad;
        values
    };
    let values = with_bad_value(7, f32::NAN);
    let keys = Keys::Scales { joint: JointId::new(0), values: &values[..3] };
    let message = "clip \"walk\", track 0, key 2: expected finite numbers, found NaN";
    assert_rejected(&[linear_track(&[0.0, 1.0, 2.0], keys)], message);
    // Tangents of cubic keys are checked, too.
    let values = with_bad_value(15, f32::INFINITY);
    let keys = Keys::Translations { joint: JointId::new(0), values: &values };
    let track = Track { times: &[0.0, 1.0], keys, interpolation: Interpolation::Cubic };
    assert_rejected(&[track], "clip \"walk\", track 0, key 1: expected finite numbers, found inf");
    let keys = Keys::Weights { first: 0, count: 2, values: &[0.0, 0.0, 0.0, f32::NEG_INFINITY] };
    let message = "clip \"walk\", track 0, key 1: expected finite numbers, found -inf";
    assert_rejected(&[linear_track(&[0.0, 1.0], keys)], message);
}

#[test]
fn rotations_of_length_zero_are_rejected() {
    for short in [[0.0; 4], [0.0, 9e-9, 0.0, 0.0]] {
        let keys = Keys::Rotations { joint: JointId::new(0), values: &[IDENTITY_ROTATION, short] };
        let message = "clip \"walk\", track 0, key 1: expected a rotation of length one, found length zero";
        assert_rejected(&[linear_track(&[0.0, 1.0], keys)], message);
    }
    // Tangents may be zero, values may not.
    let zero = [0.0; 4];
    let (valid, spoiled) = (
        [zero, IDENTITY_ROTATION, zero, zero, IDENTITY_ROTATION, zero],
        [IDENTITY_ROTATION, IDENTITY_ROTATION, IDENTITY_ROTATION, IDENTITY_ROTATION, zero, IDENTITY_ROTATION],
    );
    let cubic = |values| {
        let keys = Keys::Rotations { joint: JointId::new(0), values };
        Track { times: &[0.0, 1.0], keys, interpolation: Interpolation::Cubic }
    };
    assert!(Clip::new("walk", &skeleton(), &[cubic(&valid)]).is_ok());
    let message = "clip \"walk\", track 0, key 1: expected a rotation of length one, found length zero";
    assert_rejected(&[cubic(&spoiled)], message);
}

#[test]
fn two_tracks_for_one_channel_are_rejected() {
    let turns =
        linear_track(&[0.0], Keys::Rotations { joint: JointId::new(1), values: &[IDENTITY_ROTATION] });
    let message =
        "clip \"walk\", track 2: expected a channel that no other track moves, found that of track 0";
    assert_rejected(&[translations(&[0.0], 1), turns, translations(&[0.0, 1.0], 1)], message);
    assert!(
        Clip::new("walk", &skeleton(), &[translations(&[0.0], 1), turns, translations(&[0.0], 0)]).is_ok()
    );

    let weights =
        |first, count| linear_track(&[0.0], Keys::Weights { first, count, values: &[0.0; 4][..count] });
    let message =
        "clip \"walk\", track 1: expected a channel that no other track moves, found that of track 0";
    assert_rejected(&[weights(2, 2), weights(0, 3)], message);
    assert_rejected(&[weights(0, 4), weights(1, 1)], message);
    assert!(Clip::new("walk", &skeleton(), &[weights(2, 2), weights(0, 2)]).is_ok());
}
