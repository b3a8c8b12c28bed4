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

/// Checks a single track. `previous` are the times of the track before it, which were checked:
/// tracks often share their times.
pub(super) fn check_track(
    track: &Track<'_>,
    location: TrackLocation<'_>,
    skeleton: &Skeleton,
    previous: Option<&[f32]>,
) -> Result<(), AnimationError> {
    check_target(&track.keys, location, skeleton)?;
    if !previous.is_some_and(|previous| std::ptr::eq(previous, track.times)) {
        check_times(track.times, location)?;
    }
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

/// Checks that 32-bit indices can address all keys of a clip. Of one track they always can: there
/// are fewer than 2^31 ascending times.
pub(super) fn check_key_count(clip: &str, found: usize) -> Result<(), AnimationError> {
    let limit = u32::MAX as usize;
    if found <= limit {
        return Ok(());
    }
    Err(AnimationError::TooManyKeys { clip: clip.to_owned(), limit, found })
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
    // Without exits, these loops compile to SIMD instructions. Not a number compares false.
    let all_valid = times.iter().fold(true, |all, &time| all & (0.0..f32::INFINITY).contains(&time));
    let ascends = times.windows(2).fold(true, |all, pair| all & (pair[0] < pair[1]));
    if all_valid & ascends {
        return Ok(());
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
    // Without an exit, this loop compiles to SIMD instructions.
    if floats.iter().fold(true, |all, float| all & (float.abs() < f32::INFINITY)) {
        return Ok(());
    }
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

/// Whether no track animates morph weights, and no two the same channel of a joint: most clips.
fn are_distinct(tracks: &[Track<'_>], joints: usize) -> bool {
    // Memory for all joints is not worth it for few tracks.
    if joints > 64 * tracks.len() {
        return false;
    }
    // A bit for each channel of each joint.
    let mut animated = vec![0_u8; joints];
    tracks.iter().all(|track| {
        let (joint, bit) = match track.keys {
            Keys::Rotations { joint, .. } => (joint, 1),
            Keys::Translations { joint, .. } => (joint, 2),
            Keys::Scales { joint, .. } => (joint, 4),
            Keys::Weights { .. } => return false,
        };
        let channels = &mut animated[joint.index()];
        std::mem::replace(channels, *channels | bit) & bit == 0
    })
}

/// Checks that no two tracks animate the same channel.
pub(super) fn check_duplicates(
    clip: &str,
    tracks: &[Track<'_>],
    skeleton: &Skeleton,
) -> Result<(), AnimationError> {
    if are_distinct(tracks, skeleton.len()) {
        return Ok(());
    }
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

#[cfg(all(test, target_pointer_width = "64"))]
mod tests {
    use super::*;

    #[test]
    fn more_keys_than_32_bit_indices_address_are_an_error() {
        let limit = u32::MAX as usize;
        assert_eq!(check_key_count("run", limit), Ok(()));
        let error = check_key_count("run", limit + 1).unwrap_err();
        assert_eq!(error.to_string(), "clip \"run\": expected at most 4294967295 keys, found 4294967296");
    }

    #[test]
    fn no_track_has_more_ascending_times_than_32_bit_indices_address() {
        // All finite times from zero on, in order: their bits count them.
        let (first, last) = (0.0_f32.to_bits(), f32::MAX.to_bits());
        assert!(last - first < u32::MAX / 2);
        let location = TrackLocation { clip: "run", track: 0 };
        for bits in [first, first + 1, 0x3f80_0000, last - 1] {
            let times = [f32::from_bits(bits), f32::from_bits(bits + 1)];
            assert_eq!(check_times(&times, location), Ok(()), "{times:?}");
        }
        assert!(check_times(&[0.0, -0.0], location).is_err());
        assert!(check_times(&[-0.0, 0.0], location).is_err());
        assert!(check_times(&[f32::MAX, f32::from_bits(last + 1)], location).is_err());
    }
}
