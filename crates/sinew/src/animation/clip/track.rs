//! Tracks: the keys of one channel, which clips are built from.

use crate::skeleton::JointId;

/// The key frames of one channel: times, values and interpolation.
#[derive(Clone, Copy, Debug)]
pub struct Track<'a> {
    /// The key times in seconds: not negative, strictly ascending, at least one.
    pub times: &'a [f32],
    /// The animated target and its values.
    pub keys: Keys<'a>,
    /// How values between keys are interpolated.
    pub interpolation: Interpolation,
}

/// The values of a track: one for each time, or three for each time with
/// [`Cubic`](Interpolation::Cubic) interpolation.
#[derive(Clone, Copy, Debug)]
pub enum Keys<'a> {
    /// Rotations of a joint in its parent's space: quaternions (x, y, z, w), which are normalized.
    Rotations {
        /// The joint.
        joint: JointId,
        /// One quaternion for each key.
        values: &'a [[f32; 4]],
    },
    /// Translations of a joint in its parent's space, in meters.
    Translations {
        /// The joint.
        joint: JointId,
        /// One translation for each key.
        values: &'a [[f32; 3]],
    },
    /// Scales of a joint along its own axes.
    Scales {
        /// The joint.
        joint: JointId,
        /// Three factors for each key.
        values: &'a [[f32; 3]],
    },
    /// Weights of consecutive morph targets of the pose.
    Weights {
        /// The index of the first weight in the pose.
        first: usize,
        /// The number of weights, at least one.
        count: usize,
        /// `count` values for each key, in key-major order.
        values: &'a [f32],
    },
}

/// How values between two keys are interpolated. Before the first key and after the last key, the
/// value of that key holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Interpolation {
    /// The value of the earlier key.
    Step,
    /// Spherical interpolation along the shorter arc for rotations, linear interpolation for other
    /// values.
    #[default]
    Linear,
    /// Cubic Hermite interpolation, as glTF's `CUBICSPLINE`. Each key has three values: slope in,
    /// value and slope out, in units per second (for weights, `count` of each). Interpolated
    /// rotations are normalized; the identity where the curve has length zero.
    Cubic,
}

impl Interpolation {
    /// The number of values per key.
    pub(super) fn values_per_key(self) -> usize {
        if self == Self::Cubic { 3 } else { 1 }
    }

    /// The index of the value, as opposed to a slope, among them.
    pub(super) fn value_row(self) -> usize {
        if self == Self::Cubic { 1 } else { 0 }
    }
}

impl Keys<'_> {
    /// The total number of values, where each weight counts as one.
    pub(super) fn len(&self) -> usize {
        match self {
            Keys::Rotations { values, .. } => values.len(),
            Keys::Translations { values, .. } | Keys::Scales { values, .. } => values.len(),
            Keys::Weights { values, .. } => values.len(),
        }
    }

    /// The number of values per time and row: the number of weights, or one.
    pub(super) fn count(&self) -> usize {
        match *self {
            Keys::Weights { count, .. } => count,
            _ => 1,
        }
    }
}
