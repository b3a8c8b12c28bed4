//! Differences between joints, and offsets, added to a joint.

use super::algebra::{Quaternion, Vector, length, quaternion_product, scaled};
use super::interpolate::nlerp;

/// The rotation after the rotation from `from` to `to`, times a weight, is added in its own space.
#[must_use]
pub fn add_rotation(base: Quaternion, from: Quaternion, to: Quaternion, weight: f64) -> Quaternion {
    let difference = quaternion_product([-from[0], -from[1], -from[2], from[3]], to);
    let sum = quaternion_product(base, nlerp([0.0, 0.0, 0.0, 1.0], difference, weight));
    scaled(sum, 1.0 / length(sum))
}

/// The scale after the ratio of two others, times a weight, is added.
#[must_use]
pub fn add_scale(base: f64, from: f64, to: f64, weight: f64) -> f64 {
    if from == 0.0 { base + weight * (to - from) } else { base + weight * (base * to / from - base) }
}

/// The rotation after an offset, given as the axis times the tangent of a quarter of the angle.
#[must_use]
pub fn add_offset(base: Quaternion, parameters: Vector) -> Quaternion {
    let tangent = length(parameters);
    if tangent == 0.0 {
        return base;
    }
    let (sine, cosine) = (2.0 * tangent.atan()).sin_cos();
    let [x, y, z] = scaled(parameters, sine / tangent);
    quaternion_product([x, y, z, cosine], base)
}
