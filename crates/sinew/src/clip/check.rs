//! Whether tracks can be sampled, before anything is made of them.

use super::{Interpolation, Keys, Track};
use crate::{Error, Skeleton, TrackName};

/// Below this length a rotation is one of rounding errors.
const SHORTEST: f64 = 1e-8;

/// Which track is being checked.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) clip: &'a str,
    pub(super) track: usize,
}

impl Place<'_> {
    fn name(self) -> TrackName {
        TrackName::new(self.clip, self.track)
    }
}

/// Demands all that a track must be, by itself.
pub(super) fn check_track(track: &Track<'_>, at: Place<'_>, skeleton: &Skeleton) -> Result<(), Error> {
    check_target(&track.keys, at, skeleton)?;
    check_times(track.times, at)?;
    let per_key = track.interpolation.width().saturating_mul(track.keys.count());
    let (expected, found) = (track.times.len().saturating_mul(per_key), track.keys.len());
    if expected != found {
        return Err(Error::TrackLength { track: at.name(), expected, found });
    }
    match track.keys {
        Keys::Rotations { values, .. } => {
            check_finite(values.as_flattened(), 4 * per_key, at)?;
            check_rotations(values, track.interpolation, at)
        }
        Keys::Translations { values, .. } | Keys::Scales { values, .. } => {
            check_finite(values.as_flattened(), 3 * per_key, at)
        }
        Keys::Weights { values, .. } => check_finite(values, per_key, at),
    }
}

/// Demands a joint of the skeleton, or weights of its poses.
fn check_target(keys: &Keys<'_>, at: Place<'_>, skeleton: &Skeleton) -> Result<(), Error> {
    match *keys {
        Keys::Rotations { joint, .. } | Keys::Translations { joint, .. } | Keys::Scales { joint, .. } => {
            let len = skeleton.len();
            if joint < len {
                return Ok(());
            }
            Err(Error::TrackJointOutOfRange { track: at.name(), joint, len })
        }
        Keys::Weights { first, count, .. } => {
            let len = skeleton.rest().morph_weights().len();
            let end = first.saturating_add(count);
            // Weights are numbered in 32 bits.
            if count > 0 && end <= len && u32::try_from(end).is_ok() {
                return Ok(());
            }
            Err(Error::TrackWeightsOutOfRange { track: at.name(), start: first, end, len })
        }
    }
}

/// Demands times, from zero up, each after the one before it.
fn check_times(times: &[f32], at: Place<'_>) -> Result<(), Error> {
    if times.is_empty() {
        return Err(Error::TrackWithoutKeys { track: at.name() });
    }
    if let Some(key) = times.iter().position(|&time| !(time >= 0.0 && time.is_finite())) {
        return Err(Error::BadKeyTime { track: at.name(), key, found: times[key] });
    }
    match times.windows(2).position(|pair| pair[0] >= pair[1]) {
        Some(key) => Err(Error::KeyNotAfter {
            track: at.name(),
            key: key + 1,
            before: times[key],
            found: times[key + 1],
        }),
        None => Ok(()),
    }
}

fn check_finite(floats: &[f32], per_key: usize, at: Place<'_>) -> Result<(), Error> {
    match floats.iter().position(|float| !float.is_finite()) {
        Some(float) => {
            Err(Error::KeyNotFinite { track: at.name(), key: float / per_key, found: floats[float] })
        }
        None => Ok(()),
    }
}

/// Demands a direction of every rotation; slopes need none.
fn check_rotations(values: &[[f32; 4]], interpolation: Interpolation, at: Place<'_>) -> Result<(), Error> {
    let rotations = values.iter().skip(interpolation.value_row()).step_by(interpolation.width());
    for (key, rotation) in rotations.enumerate() {
        let squared: f64 = rotation.iter().map(|&element| f64::from(element) * f64::from(element)).sum();
        if squared < SHORTEST * SHORTEST {
            return Err(Error::KeyZeroRotation { track: at.name(), key });
        }
    }
    Ok(())
}

/// Demands that no two tracks move the same.
pub(super) fn check_twice(clip: &str, tracks: &[Track<'_>]) -> Result<(), Error> {
    // Channel, first and last target, and which track.
    let mut moved: Vec<(u8, usize, usize, usize)> = (tracks.iter().enumerate())
        .map(|(track, Track { keys, .. })| match *keys {
            Keys::Rotations { joint, .. } => (0, joint, joint, track),
            Keys::Translations { joint, .. } => (1, joint, joint, track),
            Keys::Scales { joint, .. } => (2, joint, joint, track),
            Keys::Weights { first, count, .. } => (3, first, first + count - 1, track),
        })
        .collect();
    moved.sort_unstable();
    for pair in moved.windows(2) {
        let ((channel, _, last, one), (next_channel, next_first, _, other)) = (pair[0], pair[1]);
        if channel == next_channel && next_first <= last {
            let track = TrackName::new(clip, one.max(other));
            return Err(Error::TrackTwice { track, other: one.min(other) });
        }
    }
    Ok(())
}
