//! Interpolation between two joints.

use super::algebra::{Quaternion, dot, length, scaled, sum};

/// Linear interpolation.
#[must_use]
pub fn lerp<const N: usize>(from: [f64; N], to: [f64; N], factor: f64) -> [f64; N] {
    sum(scaled(from, 1.0 - factor), scaled(to, factor))
}

/// Normalized linear interpolation of unit quaternions, along the shorter arc.
#[must_use]
pub fn nlerp(from: Quaternion, to: Quaternion, factor: f64) -> Quaternion {
    let chord = lerp(from, near(from, to), factor);
    scaled(chord, 1.0 / length(chord))
}

/// Spherical linear interpolation of unit quaternions, along the shorter arc.
#[must_use]
pub fn slerp(from: Quaternion, to: Quaternion, factor: f64) -> Quaternion {
    let to = near(from, to);
    // The tangent of half the angle: unlike the arc cosine it is accurate for near rotations.
    let angle = 2.0 * length(sum(to, scaled(from, -1.0))).atan2(length(sum(to, from)));
    if angle < 1e-9 {
        return lerp(from, to, factor);
    }
    let from = scaled(from, ((1.0 - factor) * angle).sin() / angle.sin());
    sum(from, scaled(to, (factor * angle).sin() / angle.sin()))
}

/// Of the two quaternions of the rotation `to`, the one nearer to `from`.
fn near(from: Quaternion, to: Quaternion) -> Quaternion {
    if dot(from, to) < 0.0 { scaled(to, -1.0) } else { to }
}
