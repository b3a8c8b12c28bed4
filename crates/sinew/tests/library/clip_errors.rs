//! Tracks that cannot be sampled are refused, with a message that says which and why.

use sinew::{Bone, Clip, Interpolation, Keys, Skeleton, Track, Transform};

fn skeleton() -> Skeleton {
    let bones = ["hip", "spine", "head"].map(|name| Bone::new(name, None, Transform::IDENTITY));
    let skeleton = Skeleton::new(&bones).expect("three roots");
    skeleton.with_morph_weights(&[0.0; 4]).expect("finite weights")
}

#[track_caller]
fn refused(tracks: &[Track<'_>], message: &str) {
    let error = Clip::new("walk", &skeleton(), tracks).expect_err(message);
    assert_eq!(error.to_string(), message);
}

fn linear<'a>(times: &'a [f32], keys: Keys<'a>) -> Track<'a> {
    Track { times, keys, interpolation: Interpolation::Linear }
}

const STILL: [[f32; 3]; 6] = [[0.0; 3]; 6];
const TURN: [f32; 4] = [0.0, 0.0, 0.0, 1.0];

/// A track of places of a joint.
fn moves<'a>(times: &'a [f32], joint: usize) -> Track<'a> {
    linear(times, Keys::Translations { joint, values: &STILL[..times.len()] })
}

#[test]
fn joints_that_the_skeleton_does_not_have() {
    let good = moves(&[0.0], 2);
    refused(&[good, moves(&[0.0], 3)], "clip \"walk\", track 1: expected a joint below 3, found 3");
    let keys = Keys::Rotations { joint: usize::MAX, values: &[TURN] };
    let message = format!("clip \"walk\", track 0: expected a joint below 3, found {}", usize::MAX);
    refused(&[linear(&[0.0], keys)], &message);
    let keys = Keys::Scales { joint: 4, values: &[[1.0; 3]] };
    refused(&[linear(&[0.0], keys)], "clip \"walk\", track 0: expected a joint below 3, found 4");
}

#[test]
fn weights_that_the_skeleton_does_not_have() {
    for (first, count, end) in [(2, 3, 5), (4, 1, 5), (1, 0, 1), (0, usize::MAX, usize::MAX)] {
        let track = linear(&[0.0], Keys::Weights { first, count, values: &[0.0; 3] });
        let found = format!("found {first}..{end}");
        let expected = "expected one or more morph weights within 0..4";
        refused(&[track], &format!("clip \"walk\", track 0: {expected}, {found}"));
    }
    let track = linear(&[0.0], Keys::Weights { first: usize::MAX, count: 2, values: &[0.0; 2] });
    assert!(Clip::new("walk", &skeleton(), &[track]).is_err());
}

#[test]
fn numbers_of_values_that_do_not_fit_the_times() {
    for (interpolation, values, expected) in
        [(Interpolation::Linear, 3, 2), (Interpolation::Step, 1, 2), (Interpolation::Cubic, 2, 6)]
    {
        let keys = Keys::Translations { joint: 0, values: &STILL[..values] };
        let track = Track { times: &[0.0, 1.0], keys, interpolation };
        let message = format!("clip \"walk\", track 0: expected {expected} values, found {values}");
        refused(&[track], &message);
    }
    let keys = Keys::Weights { first: 0, count: 2, values: &[0.0; 5] };
    let message = "clip \"walk\", track 0: expected 4 values, found 5";
    refused(&[linear(&[0.0, 1.0], keys)], message);
    let keys = Keys::Rotations { joint: 0, values: &[] };
    refused(&[linear(&[0.0], keys)], "clip \"walk\", track 0: expected 1 values, found 0");
}

#[test]
fn tracks_without_keys() {
    refused(&[moves(&[], 0)], "clip \"walk\", track 0: expected at least one key, found none");
}

#[test]
fn times_that_are_not_times() {
    for (bad, found) in [(-1.0, "-1.0"), (f32::NAN, "NaN"), (f32::INFINITY, "inf"), (-1e-45, "-1e-45")] {
        let expected = "expected a finite time from zero up";
        refused(
            &[moves(&[0.0, bad], 0)],
            &format!("clip \"walk\", track 0, key 1: {expected}, found {found}"),
        );
    }
}

#[test]
fn times_that_do_not_rise() {
    for (times, key, message) in [
        ([0.0, 1.0, 1.0], 2, "expected a time after 1.0, found 1.0"),
        ([0.5, 0.25, 1.0], 1, "expected a time after 0.5, found 0.25"),
        ([0.0, -0.0, 1.0], 1, "expected a time after 0.0, found -0.0"),
    ] {
        refused(&[moves(&times, 0)], &format!("clip \"walk\", track 0, key {key}: {message}"));
    }
}

#[test]
fn values_that_are_not_finite() {
    let spoiled = |at: usize, bad: f32| {
        let mut values = STILL;
        values.as_flattened_mut()[at] = bad;
        values
    };
    let values = spoiled(7, f32::NAN);
    let keys = Keys::Scales { joint: 0, values: &values[..3] };
    let message = "clip \"walk\", track 0, key 2: expected finite numbers, found NaN";
    refused(&[linear(&[0.0, 1.0, 2.0], keys)], message);
    // Slopes, too.
    let values = spoiled(15, f32::INFINITY);
    let keys = Keys::Translations { joint: 0, values: &values };
    let track = Track { times: &[0.0, 1.0], keys, interpolation: Interpolation::Cubic };
    refused(&[track], "clip \"walk\", track 0, key 1: expected finite numbers, found inf");
    let keys = Keys::Weights { first: 0, count: 2, values: &[0.0, 0.0, 0.0, f32::NEG_INFINITY] };
    let message = "clip \"walk\", track 0, key 1: expected finite numbers, found -inf";
    refused(&[linear(&[0.0, 1.0], keys)], message);
}

#[test]
fn rotations_without_length() {
    for short in [[0.0; 4], [0.0, 9e-9, 0.0, 0.0]] {
        let keys = Keys::Rotations { joint: 0, values: &[TURN, short] };
        let message = "clip \"walk\", track 0, key 1: expected a rotation of length one, found length zero";
        refused(&[linear(&[0.0, 1.0], keys)], message);
    }
    // Slopes may be zero, the values between them not.
    let zero = [0.0; 4];
    let (sound, spoiled) = ([zero, TURN, zero, zero, TURN, zero], [TURN, TURN, TURN, TURN, zero, TURN]);
    let cubic = |values| {
        let keys = Keys::Rotations { joint: 0, values };
        Track { times: &[0.0, 1.0], keys, interpolation: Interpolation::Cubic }
    };
    assert!(Clip::new("walk", &skeleton(), &[cubic(&sound)]).is_ok());
    let message = "clip \"walk\", track 0, key 1: expected a rotation of length one, found length zero";
    refused(&[cubic(&spoiled)], message);
}

#[test]
fn two_tracks_for_the_same() {
    let turns = linear(&[0.0], Keys::Rotations { joint: 1, values: &[TURN] });
    let message =
        "clip \"walk\", track 2: expected a channel that no other track moves, found that of track 0";
    refused(&[moves(&[0.0], 1), turns, moves(&[0.0, 1.0], 1)], message);
    assert!(Clip::new("walk", &skeleton(), &[moves(&[0.0], 1), turns, moves(&[0.0], 0)]).is_ok());

    let weights = |first, count| linear(&[0.0], Keys::Weights { first, count, values: &[0.0; 4][..count] });
    let message =
        "clip \"walk\", track 1: expected a channel that no other track moves, found that of track 0";
    refused(&[weights(2, 2), weights(0, 3)], message);
    refused(&[weights(0, 4), weights(1, 1)], message);
    assert!(Clip::new("walk", &skeleton(), &[weights(2, 2), weights(0, 2)]).is_ok());
}
