//! Curves with given slopes (cubic Hermite splines), as glTF defines them.
//!
//! In `f32`, and where that overflows or leaves nothing, again in `f64`, where no finite keys can overflow. All operations
//! are exactly rounded: the same bits everywhere.

use super::timeline::Place;

/// What the four ends of a piece of curve count for: value and slope out of the key before, slope in and value of the key
/// after.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shares {
    exact: [f64; 4],
    rounded: [f32; 4],
}

impl Shares {
    pub(super) fn at(place: Place) -> Self {
        let t = f64::from(place.factor);
        let (squared, cubed) = (t * t, t * t * t);
        // At and after the last key the distance is infinite, and the slopes count for nothing.
        let distance = if place.key == place.next { 0.0 } else { f64::from(place.distance) };
        let exact = [
            2.0 * cubed - 3.0 * squared + 1.0,
            distance * (cubed - 2.0 * squared + t),
            distance * (cubed - squared),
            3.0 * squared - 2.0 * cubed,
        ];
        Self { exact, rounded: exact.map(|share| share as f32) }
    }

    #[inline]
    fn mix(self, ends: [f32; 4]) -> f32 {
        let [a, b, c, d] = self.rounded;
        (a * ends[0] + d * ends[3]) + (b * ends[1] + c * ends[2])
    }

    fn mix_exactly(self, ends: [f32; 4]) -> f64 {
        let [a, b, c, d] = self.exact;
        let [from, slope_out, slope_in, to] = ends.map(f64::from);
        (a * from + d * to) + (b * slope_out + c * slope_in)
    }

    /// A number on the curve; what is too large for an `f32` is the largest there is.
    #[inline]
    pub(super) fn number(self, from: f32, slope_out: f32, slope_in: f32, to: f32) -> f32 {
        self.numbers([[from, slope_out, slope_in, to]])[0]
    }

    /// A vector on the curve.
    #[inline]
    pub(super) fn vector(
        self,
        from: [f32; 3],
        slope_out: [f32; 3],
        slope_in: [f32; 3],
        to: [f32; 3],
    ) -> [f32; 3] {
        self.numbers(std::array::from_fn(|i| [from[i], slope_out[i], slope_in[i], to[i]]))
    }

    #[inline]
    fn numbers<const N: usize>(self, ends: [[f32; 4]; N]) -> [f32; N] {
        let numbers = ends.map(|ends| self.mix(ends));
        // Zero times what is not finite is not a number: one test for all.
        let zero: f32 = numbers.iter().map(|number| 0.0 * number).sum();
        if zero == 0.0 { numbers } else { self.large_numbers(ends) }
    }

    #[cold]
    fn large_numbers<const N: usize>(self, ends: [[f32; 4]; N]) -> [f32; N] {
        ends.map(|ends| self.mix_exactly(ends).clamp(f32::MIN.into(), f32::MAX.into()) as f32)
    }

    /// A rotation on the curve, at length one; the identity where the curve has no length.
    #[inline]
    pub(super) fn rotation(
        self,
        from: [f32; 4],
        slope_out: [f32; 4],
        slope_in: [f32; 4],
        to: [f32; 4],
    ) -> [f32; 4] {
        let ends: [[f32; 4]; 4] = std::array::from_fn(|i| [from[i], slope_out[i], slope_in[i], to[i]]);
        let q = ends.map(|ends| self.mix(ends));
        let squared = (q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]);
        if !(SMALL..LARGE).contains(&squared) {
            return self.extreme_rotation(ends);
        }
        let over = 1.0 / squared.sqrt();
        q.map(|element| element * over)
    }

    /// The same for rotations of any length.
    #[cold]
    fn extreme_rotation(self, ends: [[f32; 4]; 4]) -> [f32; 4] {
        let q = ends.map(|ends| self.mix_exactly(ends));
        let squared = (q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]);
        if squared < SHORTEST * SHORTEST {
            return [0.0, 0.0, 0.0, 1.0];
        }
        let length = squared.sqrt();
        q.map(|element| (element / length) as f32)
    }
}

/// Squared lengths between these are safe in `f32`, and what its rounding leaves of them is accurate.
const SMALL: f32 = 1e-3;
const LARGE: f32 = 1e30;

/// A rotation below this length has no direction that rounding did not give it.
const SHORTEST: f64 = 1e-8;
