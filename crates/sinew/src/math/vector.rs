//! Vectors in `f64`, rounded to `f32` once at the end.
//!
//! Adds what glam's `DVec3` lacks, with only + - * / and square roots, so results have the same
//! bits on every machine.

use glam::DVec3;

pub(crate) type Vector = DVec3;

pub(crate) fn to_f64(a: [f32; 3]) -> Vector {
    DVec3::from_array(a.map(f64::from))
}

pub(crate) fn to_f32(a: Vector) -> [f32; 3] {
    a.to_array().map(|element| element as f32)
}

/// Normalizes. `None` for a vector of length zero or with an element that is not finite.
pub(crate) fn try_normalize(a: Vector) -> Option<Vector> {
    let length = a.length();
    (length > f64::MIN_POSITIVE && length.is_finite()).then(|| a * (1.0 / length))
}

/// The normalized part of `a` that is perpendicular to a unit axis. `None` if the sine of the angle
/// between `a` and `axis` is at most `min_sine`.
pub(crate) fn perpendicular_part(a: Vector, axis: Vector, min_sine: f64) -> Option<Vector> {
    let part = try_normalize(a)?.reject_from_normalized(axis);
    if part.length() > min_sine { try_normalize(part) } else { None }
}

/// An arbitrary but deterministic unit vector that is perpendicular to a unit axis.
pub(crate) fn any_perpendicular(axis: Vector) -> Vector {
    let Vector { x, y, z } = axis;
    let other = if x.abs() < 0.6 { DVec3::new(0.0, -z, y) } else { DVec3::new(z, 0.0, -x) };
    other * (1.0 / other.length())
}
