//! The weighted mean of several layers of a joint.

use super::algebra::{Quaternion, dot, length, scaled, sum};

/// The weighted mean of vectors.
#[must_use]
pub fn mean<const N: usize>(layers: &[([f64; N], f64)]) -> [f64; N] {
    layers.iter().fold([0.0; N], |total, &(vector, share)| sum(total, scaled(vector, share)))
}

/// The weighted mean of unit quaternions, normalized. Each is added with the sign nearer to the sum
/// so far.
#[must_use]
pub fn mean_rotation(layers: &[(Quaternion, f64)]) -> Quaternion {
    let total = layers.iter().fold([0.0; 4], |total, &(rotation, share)| {
        sum(total, scaled(rotation, if dot(total, rotation) < 0.0 { -share } else { share }))
    });
    scaled(total, 1.0 / length(total))
}
