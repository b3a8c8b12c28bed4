//! How a clip is built.

use crate::animation::AnimationError;

/// How a clip is built from tracks. The default interpolates exactly.
///
/// ```
/// use sinew::animation::ClipOptions;
///
/// let options = ClipOptions::default().nlerp_error(1e-4);
/// assert_eq!(options.nlerp_error, 1e-4);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ClipOptions {
    /// The largest angle, in radians, by which an interpolated rotation of a joint may differ from
    /// slerp. Not negative and finite. Zero, the default, interpolates by slerp.
    ///
    /// Rotations whose keys are near enough for that are interpolated by nlerp, which
    /// needs four bytes less per key and is faster with registers of four lanes (SSE2). With wider
    /// ones it takes as long as slerp. Nlerp turns about the same axis as slerp, but slightly too
    /// slowly near the keys and too fast between them. With an angle `a` between two keys, of at
    /// most half a turn, the difference is at most `a^3 (1 + a^2 / 68) / 249.4`, which is within
    /// one percent of the largest difference: 0.0013 degrees for keys 10 degrees apart, 0.16
    /// degrees for 50. Rounding adds less than a millionth.
    ///
    /// The choice is made for blocks of eight joints, whose indices divided by eight are equal:
    /// all their linear rotation tracks are within the bound, or all are interpolated by slerp.
    /// Keys more than a third of a turn apart are always interpolated by slerp.
    pub nlerp_error: f32,
}

impl ClipOptions {
    /// Sets [`nlerp_error`](Self::nlerp_error), in radians.
    #[must_use]
    pub fn nlerp_error(mut self, radians: f32) -> Self {
        self.nlerp_error = radians;
        self
    }

    pub(super) fn check(&self) -> Result<(), AnimationError> {
        match self.nlerp_error {
            radians if radians >= 0.0 && radians.is_finite() => Ok(()),
            found => Err(AnimationError::BadNlerpError { found }),
        }
    }
}
