//! Errors of clips, blending and pose modifiers.

use std::{error, fmt};

use super::{ModifierId, SpringError, TrackName};
use crate::length::LengthError;
use crate::skeleton::{JointName, NameError, SkeletonError};

/// Why a clip, a blend or a pose modifier was rejected. Messages say which item, what was expected,
/// what was found, and where.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum AnimationError {
    /// A slice, pose or palette of the wrong length.
    Length(LengthError),
    /// A name that does not exist or is ambiguous.
    Name(NameError),
    /// An error of the skeleton, a skin or a pose.
    Skeleton(SkeletonError),
    /// A track for a joint that is not in the skeleton.
    TrackJointOutOfRange {
        /// The track.
        track: TrackName,
        /// The joint's index.
        joint: usize,
        /// The number of joints in the skeleton.
        len: usize,
    },
    /// A track for no morph weights, or for morph weights that the skeleton does not have.
    TrackWeightsOutOfRange {
        /// The track.
        track: TrackName,
        /// The first weight.
        start: usize,
        /// One past the last weight.
        end: usize,
        /// The number of morph weights of the skeleton.
        len: usize,
    },
    /// A bound of the error of nlerp that is negative, infinite or NaN.
    BadNlerpError {
        /// The bound in radians.
        found: f32,
    },
    /// A track without keys.
    TrackWithoutKeys {
        /// The track.
        track: TrackName,
    },
    /// A clip with more keys than indices can address.
    TooManyKeys {
        /// The name of the clip.
        clip: String,
        /// The maximum.
        limit: usize,
        /// The number of keys of all tracks.
        found: usize,
    },
    /// A track whose number of values does not match its times.
    TrackLength {
        /// The track.
        track: TrackName,
        /// The number of values that the times and the interpolation require. Each weight counts as
        /// one value.
        expected: usize,
        /// The number of values found.
        found: usize,
    },
    /// A key time that is negative, infinite or NaN.
    BadKeyTime {
        /// The track.
        track: TrackName,
        /// The key's index.
        key: usize,
        /// The time.
        found: f32,
    },
    /// A key whose time is not after the time of the previous key.
    KeyNotAfter {
        /// The track.
        track: TrackName,
        /// The key's index.
        key: usize,
        /// The time of the previous key.
        before: f32,
        /// The key's time.
        found: f32,
    },
    /// A key with a number that is infinite or NaN.
    KeyNotFinite {
        /// The track.
        track: TrackName,
        /// The key's index.
        key: usize,
        /// The first such number.
        found: f32,
    },
    /// A key with a rotation that is too short to be normalized.
    KeyZeroRotation {
        /// The track.
        track: TrackName,
        /// The key's index.
        key: usize,
    },
    /// Two tracks that animate the same channel.
    DuplicateTrack {
        /// The later track.
        track: TrackName,
        /// The index of the earlier track.
        other: usize,
    },
    /// An event whose time is NaN or outside its clip.
    EventOutOfRange {
        /// The name of the clip.
        clip: String,
        /// The index of the event.
        index: usize,
        /// The name of the event.
        name: String,
        /// The time.
        found: f32,
        /// The start of the clip.
        start: f32,
        /// The end of the clip.
        end: f32,
    },
    /// A blend space with too few or too many points.
    BlendSpaceLength {
        /// The smallest number of points.
        min: usize,
        /// The largest number of points.
        max: usize,
        /// The number of points found.
        found: usize,
    },
    /// A point of a blend space, or a position in it, that is infinite or NaN.
    BadBlendPoint {
        /// The point's index, or `None` for a position.
        point: Option<usize>,
        /// The first such coordinate.
        found: f32,
    },
    /// Two points of a blend space that are equal, up to a billionth of the space's extent.
    DuplicateBlendPoint {
        /// The later point's index.
        point: usize,
        /// The earlier point's index.
        other: usize,
    },
    /// A two-dimensional blend space whose points all lie on one line.
    CollinearBlendPoints,
    /// A blend space of another set of clips than the animator's.
    ForeignBlendSpace,
    /// A blend position of a playback that plays a clip, not a blend space.
    NotABlendSpace,
    /// A duration that is negative, infinite or NaN.
    BadDuration {
        /// What the duration is of.
        what: &'static str,
        /// The duration in seconds.
        found: f32,
    },
    /// A blend layer whose weight is negative, infinite or NaN.
    BadLayerWeight {
        /// The layer's index.
        layer: usize,
        /// The weight.
        weight: f32,
    },
    /// An additive layer whose weight is negative, infinite or NaN.
    BadAdditiveWeight {
        /// The weight.
        weight: f32,
    },
    /// A mask factor that is not from zero to one.
    BadMaskFactor {
        /// The joint's index.
        joint: usize,
        /// The factor.
        factor: f32,
    },
    /// A number that is not from zero to one.
    BadFactor {
        /// What the number is.
        what: &'static str,
        /// The number.
        found: f32,
    },
    /// A cosine that is not from minus one to one.
    BadCosine {
        /// What the cosine is.
        what: &'static str,
        /// The cosine.
        found: f32,
    },
    /// An error of spring bones.
    Spring(SpringError),
    /// A stack without a modifier of this id.
    ModifierNotFound {
        /// The id.
        id: ModifierId,
    },
    /// An attachment of a joint to itself, or to a joint below it.
    AttachedToItself {
        /// The joint.
        joint: JointName,
    },
    /// An error of a program's own modifier.
    Modifier {
        /// What was expected and found.
        message: String,
    },
    /// A joint that is not a descendant of another joint.
    NotDescendant {
        /// The joint.
        joint: JointName,
        /// The joint that must be its ancestor.
        ancestor: JointName,
    },
}

impl fmt::Display for AnimationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length(error) => error.fmt(f),
            Self::Name(error) => error.fmt(f),
            Self::Skeleton(error) => error.fmt(f),
            Self::TrackJointOutOfRange { track, joint, len } => {
                write!(f, "{track}: expected a joint below {len}, found {joint}")
            }
            Self::TrackWeightsOutOfRange { track, start, end, len } => {
                write!(f, "{track}: expected one or more morph weights within 0..{len}, found {start}..{end}")
            }
            Self::TrackWithoutKeys { track } => write!(f, "{track}: expected at least one key, found none"),
            Self::TooManyKeys { clip, limit, found } => {
                write!(f, "clip {clip:?}: expected at most {limit} keys, found {found}")
            }
            Self::TrackLength { track, expected, found } => {
                write!(f, "{track}: expected {expected} values, found {found}")
            }
            Self::BadNlerpError { found } => {
                write!(f, "error of nlerp: expected a finite angle from zero up, found {found:?}")
            }
            Self::BadKeyTime { track, key, found } => {
                write!(f, "{track}, key {key}: expected a finite time from zero up, found {found:?}")
            }
            Self::KeyNotAfter { track, key, before, found } => {
                write!(f, "{track}, key {key}: expected a time after {before:?}, found {found:?}")
            }
            Self::KeyNotFinite { track, key, found } => {
                write!(f, "{track}, key {key}: expected finite numbers, found {found:?}")
            }
            Self::KeyZeroRotation { track, key } => {
                write!(f, "{track}, key {key}: expected a rotation of length one, found length zero")
            }
            Self::DuplicateTrack { track, other } => {
                write!(
                    f,
                    "{track}: expected a channel that no other track moves, found that of track {other}"
                )
            }
            Self::EventOutOfRange { clip, index, name, found, start, end } => write!(
                f,
                "clip {clip:?}, event {index} {name:?}: expected a time from {start:?} to {end:?}, found {found:?}"
            ),
            Self::BlendSpaceLength { min, max, found } => {
                write!(f, "blend space: expected from {min} to {max} points, found {found}")
            }
            Self::BadBlendPoint { point: Some(point), found } => {
                write!(f, "point {point} of the blend space: expected finite coordinates, found {found:?}")
            }
            Self::BadBlendPoint { point: None, found } => {
                write!(f, "position in the blend space: expected finite coordinates, found {found:?}")
            }
            Self::DuplicateBlendPoint { point, other } => write!(
                f,
                "point {point} of the blend space: expected a place of its own, found that of point {other}"
            ),
            Self::CollinearBlendPoints => f.write_str(
                "blend space: expected points in a plane, found all on one line, which a space of one \
                 dimension is for",
            ),
            Self::ForeignBlendSpace => {
                f.write_str("blend space: expected one of the animator's clips, found one of another set")
            }
            Self::NotABlendSpace => {
                f.write_str("blend position: expected the playback of a blend space, found that of a clip")
            }
            Self::BadDuration { what, found } => {
                write!(f, "{what}: expected finite seconds from zero up, found {found:?}")
            }
            Self::BadLayerWeight { layer, weight } => {
                write!(f, "weight of layer {layer}: expected a finite number from zero up, found {weight:?}")
            }
            Self::BadAdditiveWeight { weight } => write!(
                f,
                "weight of the additive layer: expected a finite number from zero up, found {weight:?}"
            ),
            Self::BadMaskFactor { joint, factor } => {
                write!(f, "mask at joint {joint}: expected a number from 0 to 1, found {factor:?}")
            }
            Self::BadFactor { what, found } => {
                write!(f, "{what}: expected a number from 0 to 1, found {found:?}")
            }
            Self::BadCosine { what, found } => {
                write!(f, "{what}: expected a cosine from -1 to 1, found {found:?}")
            }
            Self::Spring(error) => error.fmt(f),
            Self::ModifierNotFound { id } => {
                write!(f, "expected a modifier of the stack, found id {id}, which it does not have")
            }
            Self::AttachedToItself { joint } => {
                write!(
                    f,
                    "{joint}: expected an attachment to a joint that is not below it, found one that is"
                )
            }
            Self::Modifier { message } => f.write_str(message),
            Self::NotDescendant { joint, ancestor } => {
                write!(f, "{joint}: expected a joint below {ancestor}, found one that is not")
            }
        }
    }
}

impl error::Error for AnimationError {}

impl From<LengthError> for AnimationError {
    fn from(error: LengthError) -> Self {
        Self::Length(error)
    }
}

impl From<NameError> for AnimationError {
    fn from(error: NameError) -> Self {
        Self::Name(error)
    }
}

impl From<SkeletonError> for AnimationError {
    fn from(error: SkeletonError) -> Self {
        Self::Skeleton(error)
    }
}
