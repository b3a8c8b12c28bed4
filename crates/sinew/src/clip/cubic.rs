//! Curves with given slopes (cubic Hermite splines), as glTF defines them.
//!
//! In `f64`: no finite keys can overflow there, and the operations are exactly rounded, the same everywhere.

use super::timeline::Place;

/// What the four ends of a piece of curve count for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shares {
    from: f64,
    slope_out: f64,
    to: f64,
    slope_in: f64,
}

impl Shares {
    pub(super) fn at(place: Place) -> Self {
        let t = f64::from(place.factor);
        let (squared, cubed) = (t * t, t * t * t);
        // At and after the last key the distance is infinite, and the slopes count for nothing.
        let distance = if place.key == place.next { 0.0 } else { f64::from(place.distance) };
        Self {
            from: 2.0 * cubed - 3.0 * squared + 1.0,
            slope_out: distance * (cubed - 2.0 * squared + t),
            to: 3.0 * squared - 2.0 * cubed,
            slope_in: distance * (cubed - squared),
        }
    }

    fn mix(self, from: f32, slope_out: f32, slope_in: f32, to: f32) -> f64 {
        self.from * f64::from(from)
            + self.slope_out * f64::from(slope_out)
            + self.to * f64::from(to)
            + self.slope_in * f64::from(slope_in)
    }

    /// A number on the curve; what is too large for an `f32` is the largest there is.
    pub(super) fn number(self, from: f32, slope_out: f32, slope_in: f32, to: f32) -> f32 {
        self.mix(from, slope_out, slope_in, to).clamp(f32::MIN.into(), f32::MAX.into()) as f32
    }

    /// A vector on the curve.
    pub(super) fn vector(
        self,
        from: [f32; 3],
        slope_out: [f32; 3],
        slope_in: [f32; 3],
        to: [f32; 3],
    ) -> [f32; 3] {
        std::array::from_fn(|i| self.number(from[i], slope_out[i], slope_in[i], to[i]))
    }

    /// A rotation on the curve, at length one; the identity where the curve has no length.
    pub(super) fn rotation(
        self,
        from: [f32; 4],
        slope_out: [f32; 4],
        slope_in: [f32; 4],
        to: [f32; 4],
    ) -> [f32; 4] {
        let q: [f64; 4] = std::array::from_fn(|i| self.mix(from[i], slope_out[i], slope_in[i], to[i]));
        let squared = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
        if squared < SHORTEST * SHORTEST {
            return [0.0, 0.0, 0.0, 1.0];
        }
        let length = squared.sqrt();
        q.map(|element| (element / length) as f32)
    }
}

/// A rotation below this length has no direction that rounding did not give it.
const SHORTEST: f64 = 1e-8;
