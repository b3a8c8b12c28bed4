//! Conversion of MD5 rotations to the usual quaternions.

use crate::math::{Quaternion, Vector};

/// How far the squared length of (x, y, z) may exceed one by rounding in the file.
const ROUNDING: f64 = 1e-4;

/// Reconstructs a rotation from its x, y and z, and tells whether they are longer than one.
///
/// An MD5 quaternion has a non-negative w, and its matrix is the transpose of the usual one. So the
/// usual quaternion is the conjugate, and (x, y, z, -w) is the same rotation as the conjugate.
/// Components longer than one are normalized, with w = 0.
pub(super) fn unpack_rotation([x, y, z]: Vector) -> (Quaternion, bool) {
    let squared = x * x + y * y + z * z;
    if squared <= 1.0 {
        return ([x, y, z, -(1.0 - squared).sqrt()], false);
    }
    // The square of the largest `f32` is finite in `f64`.
    let length = squared.sqrt();
    ([x / length, y / length, z / length, 0.0], squared > 1.0 + ROUNDING)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unpacked_rotations_are_unit_with_negative_w() {
        for xyz in [[0.0; 3], [0.5, -0.5, 0.5], [0.0, 1.0, 0.0], [0.6, 0.0, 0.1]] {
            let (q, over) = unpack_rotation(xyz);
            let squared: f64 = q.iter().map(|element| element * element).sum();
            assert!((squared - 1.0).abs() < 1e-15 && q[3] <= 0.0 && !over, "{q:?}");
        }
    }

    #[test]
    fn rotations_longer_than_one_are_normalized_with_zero_w() {
        assert_eq!(unpack_rotation([0.0, 2.0, 0.0]), ([0.0, 1.0, 0.0, 0.0], true));
        assert_eq!(unpack_rotation([0.0, 0.0, 1.000_001]), ([0.0, 0.0, 1.0, 0.0], false));
        let longest = f64::from(f32::MAX);
        assert_eq!(unpack_rotation([longest, 0.0, 0.0]).0, [1.0, 0.0, 0.0, 0.0]);
    }
}
