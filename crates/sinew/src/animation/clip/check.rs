//! Validation of tracks before a clip is built.

use super::{Interpolation, Keys, Track};
use crate::animation::{AnimationError, TrackName};
use crate::math::sort::heap_sort;
use crate::skeleton::Skeleton;

/// A rotation shorter than this consists of rounding errors.
const MIN_LENGTH: f64 = 1e-8;

/// The track that is being checked.
#[derive(Clone, Copy)]
pub(super) struct TrackLocation<'a> {
    pub(super) clip: &'a str,
    pub(super) track: usize,
}

impl TrackLocation<'_> {
    fn name(self) -> TrackName {
        TrackName::new(self.clip, self.track)
    }
}

/// Checks a single track.
pub(super) fn check_track(
    track: &Track<'_>,
    location: TrackLocation<'_>,
    skeleton: &Skeleton,
) -> Result<(), AnimationError> {
    check_target(&track.keys, location, skeleton)?;
    check_times(track.times, location)?;
    let per_key = track.interpolation.values_per_key().saturating_mul(track.keys.count());
    let (expected, found) = (track.times.len().saturating_mul(per_key), track.keys.len());
    if expected != found {
        return Err(AnimationError::TrackLength { track: location.name(), expected, found });
    }
    match track.keys {
        Keys::Rotations { values, .. } => {
            check_finite(values.as_flattened(), 4 * per_key, location)?;
            check_rotations(values, track.interpolation, location)
        }
        Keys::Translations { values, .. } | Keys::Scales { values, .. } => {
            check_finite(values.as_flattened(), 3 * per_key, location)
        }
        Keys::Weights { values, .. } => check_finite(values, per_key, location),
    }
}

/// Checks that the joint, or the morph weights, are in the skeleton.
fn check_target(
    keys: &Keys<'_>,
    location: TrackLocation<'_>,
    skeleton: &Skeleton,
) -> Result<(), AnimationError> {
    match *keys {
        Keys::Rotations { joint, .. } | Keys::Translations { joint, .. } | Keys::Scales { joint, .. } => {
            let (joint, len) = (joint.index(), skeleton.len());
            if joint < len {
                return Ok(());
            }
            Err(AnimationError::TrackJointOutOfRange { track: location.name(), joint, len })
        }
        Keys::Weights { first, count, .. } => {
            let len = skeleton.rest().morph_weights().len();
            let end = first.saturating_add(count);
            // Weights are stored as 32-bit indices.
            if count > 0 && end <= len && u32::try_from(end).is_ok() {
                return Ok(());
            }
            Err(AnimationError::TrackWeightsOutOfRange { track: location.name(), start: first, end, len })
        }
    }
}

/// Checks that times are finite, not negative and strictly ascending.
fn check_times(times: &[f32], location: TrackLocation<'_>) -> Result<(), AnimationError> {
    if times.is_empty() {
        return Err(AnimationError::TrackWithoutKeys { track: location.name() });
    }
    if let Some(key) = times.iter().position(|&time| !(time >= 0.0 && time.is_finite())) {
        return Err(AnimationError::BadKeyTime { track: location.name(), key, found: times[key] });
    }
    match times.windows(2).position(|pair| pair[0] >= pair[1]) {
        Some(key) => Err(AnimationError::KeyNotAfter {
            track: location.name(),
            key: key + 1,
            before: times[key],
            found: times[key + 1],
        }),
        None => Ok(()),
    }
}

fn check_finite(floats: &[f32], per_key: usize, location: TrackLocation<'_>) -> Result<(), AnimationError> {
    match floats.iter().position(|float| !float.is_finite()) {
        Some(float) => Err(AnimationError::KeyNotFinite {
            track: location.name(),
            key: float / per_key,
            found: floats[float],
        }),
        None => Ok(()),
    }
}

/// Checks that every rotation can be normalized. Slopes may be zero.
fn check_rotations(
    values: &[[f32; 4]],
    interpolation: Interpolation,
    location: TrackLocation<'_>,
) -> Result<(), AnimationError> {
    let rotations = values.iter().skip(interpolation.value_row()).step_by(interpolation.values_per_key());
    for (key, rotation) in rotations.enumerate() {
        let squared: f64 = rotation.iter().map(|&element| f64::from(element) * f64::from(element)).sum();
        if squared < MIN_LENGTH * MIN_LENGTH {
            return Err(AnimationError::KeyZeroRotation { track: location.name(), key });
        }
    }
    Ok(())
}

/// Checks that no two tracks animate the same channel.
pub(super) fn check_duplicates(clip: &str, tracks: &[Track<'_>]) -> Result<(), AnimationError> {
    // Channel, first and last target, and track index.
    let mut animated: Vec<(u8, usize, usize, usize)> = (tracks.iter().enumerate())
        .map(|(track, Track { keys, .. })| match *keys {
            Keys::Rotations { joint, .. } => (0, joint.index(), joint.index(), track),
            Keys::Translations { joint, .. } => (1, joint.index(), joint.index(), track),
            Keys::Scales { joint, .. } => (2, joint.index(), joint.index(), track),
            Keys::Weights { first, count, .. } => (3, first, first + count - 1, track),
        })
        .collect();
    heap_sort(&mut animated, |a, b| a < b);
    for pair in animated.windows(2) {
        let ((channel, _, last, one), (next_channel, next_first, _, other)) = (pair[0], pair[1]);
        if channel == next_channel && next_first <= last {
            let track = TrackName::new(clip, one.max(other));
            return Err(AnimationError::DuplicateTrack { track, other: one.min(other) });
        }
    }
    Ok(())
}
