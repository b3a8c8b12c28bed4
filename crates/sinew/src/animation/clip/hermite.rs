//! Cubic Hermite interpolation, as glTF defines it.
//!
//! Computes in `f32`, and again in `f64` if a result overflows or is too small. Finite keys cannot
//! overflow `f64`. All operations are exactly rounded: the same bits on every machine.

use super::timeline::KeySpan;

/// The weights of the four inputs of a segment: value and slope out of the key before, slope in and
/// value of the key after.
#[derive(Clone, Copy, Debug)]
pub(super) struct HermiteBasis {
    weights_f64: [f64; 4],
    weights: [f32; 4],
}

impl HermiteBasis {
    pub(super) fn new(span: KeySpan) -> Self {
        let t = f64::from(span.factor);
        let (squared, cubed) = (t * t, t * t * t);
        // At and after the last key the distance is infinite; the slopes get weight zero.
        let distance = if span.key == span.next { 0.0 } else { f64::from(span.distance) };
        let weights_f64 = [
            2.0 * cubed - 3.0 * squared + 1.0,
            distance * (cubed - 2.0 * squared + t),
            distance * (cubed - squared),
            3.0 * squared - 2.0 * cubed,
        ];
        Self { weights_f64, weights: weights_f64.map(|weight| weight as f32) }
    }

    #[inline]
    fn combine(self, ends: [f32; 4]) -> f32 {
        let [a, b, c, d] = self.weights;
        (a * ends[0] + d * ends[3]) + (b * ends[1] + c * ends[2])
    }

    fn combine_f64(self, ends: [f32; 4]) -> f64 {
        let [a, b, c, d] = self.weights_f64;
        let [from, slope_out, slope_in, to] = ends.map(f64::from);
        (a * from + d * to) + (b * slope_out + c * slope_in)
    }

    /// Interpolates a number. A result that overflows `f32` is clamped to the largest finite
    /// number.
    #[inline]
    pub(super) fn scalar(self, from: f32, slope_out: f32, slope_in: f32, to: f32) -> f32 {
        self.scalars([[from, slope_out, slope_in, to]])[0]
    }

    /// Interpolates a vector.
    #[inline]
    pub(super) fn vector(
        self,
        from: [f32; 3],
        slope_out: [f32; 3],
        slope_in: [f32; 3],
        to: [f32; 3],
    ) -> [f32; 3] {
        self.scalars(std::array::from_fn(|i| [from[i], slope_out[i], slope_in[i], to[i]]))
    }

    #[inline]
    fn scalars<const N: usize>(self, ends: [[f32; 4]; N]) -> [f32; N] {
        let numbers = ends.map(|ends| self.combine(ends));
        // Zero times a number that is not finite is NaN, so one comparison tests all numbers.
        let zero: f32 = numbers.iter().map(|number| 0.0 * number).sum();
        if zero == 0.0 { numbers } else { self.scalars_f64(ends) }
    }

    #[cold]
    fn scalars_f64<const N: usize>(self, ends: [[f32; 4]; N]) -> [f32; N] {
        ends.map(|ends| self.combine_f64(ends).clamp(f32::MIN.into(), f32::MAX.into()) as f32)
    }

    /// Interpolates and normalizes a rotation. The identity where the curve has length zero.
    #[inline]
    pub(super) fn rotation(
        self,
        from: [f32; 4],
        slope_out: [f32; 4],
        slope_in: [f32; 4],
        to: [f32; 4],
    ) -> [f32; 4] {
        let ends: [[f32; 4]; 4] = std::array::from_fn(|i| [from[i], slope_out[i], slope_in[i], to[i]]);
        let q = ends.map(|ends| self.combine(ends));
        let squared = (q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]);
        if !(MIN_SQUARED..MAX_SQUARED).contains(&squared) {
            return self.rotation_f64(ends);
        }
        let over = 1.0 / squared.sqrt();
        q.map(|element| element * over)
    }

    /// The `f64` version of `rotation`, for any length.
    #[cold]
    fn rotation_f64(self, ends: [[f32; 4]; 4]) -> [f32; 4] {
        let q = ends.map(|ends| self.combine_f64(ends));
        let squared = (q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]);
        if squared < MIN_LENGTH * MIN_LENGTH {
            return [0.0, 0.0, 0.0, 1.0];
        }
        let length = squared.sqrt();
        q.map(|element| (element / length) as f32)
    }
}

/// Squared lengths in this range are computed accurately in `f32`.
const MIN_SQUARED: f32 = 1e-3;
const MAX_SQUARED: f32 = 1e30;

/// A rotation shorter than this consists of rounding errors.
const MIN_LENGTH: f64 = 1e-8;
