//! Rotations as quaternions (x, y, z, w) in `f64`, rounded to `f32` once at the end.
//!
//! Uses only + - * / and square roots, so results have the same bits on every machine. glam's
//! `DQuat` multiplies and normalizes in another order, which gives different bits.

use crate::math::vector::{Vector, any_perpendicular};

pub(crate) type Quaternion = [f64; 4];

pub(crate) const IDENTITY: Quaternion = [0.0, 0.0, 0.0, 1.0];

/// Converts to `f64` and normalizes. A quaternion of length zero becomes the identity.
pub(crate) fn to_unit_f64(q: [f32; 4]) -> Quaternion {
    normalize_or_identity(q.map(f64::from))
}

pub(crate) fn to_f32(q: Quaternion) -> [f32; 4] {
    q.map(|element| element as f32)
}

/// The product `a * b`: rotates by `b` first, then by `a`.
pub(crate) fn multiply(a: Quaternion, b: Quaternion) -> Quaternion {
    let (u, v) = (vector_part(a), vector_part(b));
    let Vector { x, y, z } = v * a[3] + u * b[3] + u.cross(v);
    [x, y, z, a[3] * b[3] - u.dot(v)]
}

fn vector_part([x, y, z, _]: Quaternion) -> Vector {
    Vector::new(x, y, z)
}

/// The inverse of a unit quaternion.
pub(crate) fn conjugate([x, y, z, w]: Quaternion) -> Quaternion {
    [-x, -y, -z, w]
}

pub(crate) fn rotate(q: Quaternion, v: Vector) -> Vector {
    let u = vector_part(q);
    let twice = u.cross(v) * 2.0;
    v + twice * q[3] + u.cross(twice)
}

/// Normalizes. A quaternion of length zero, or with an element that is not finite, becomes the
/// identity.
pub(crate) fn normalize_or_identity(q: Quaternion) -> Quaternion {
    let length = q.iter().map(|element| element * element).sum::<f64>().sqrt();
    if length > f64::MIN_POSITIVE && length.is_finite() {
        q.map(|element| element / length)
    } else {
        IDENTITY
    }
}

/// Linear interpolation along the shorter path. The result is not normalized.
fn lerp(from: Quaternion, to: Quaternion, factor: f64) -> Quaternion {
    let cosine: f64 = from.iter().zip(to).map(|(a, b)| a * b).sum();
    let signed_factor = if cosine < 0.0 { -factor } else { factor };
    [0, 1, 2, 3].map(|i| (1.0 - factor) * from[i] + signed_factor * to[i])
}

/// Normalized linear interpolation along the shorter path.
pub(crate) fn nlerp(from: Quaternion, to: Quaternion, factor: f64) -> Quaternion {
    normalize_or_identity(lerp(from, to, factor))
}

/// The rotation about a unit axis by the angle with this cosine and sine.
pub(crate) fn rotation_about(axis: Vector, cosine: f64, sine: f64) -> Quaternion {
    // The half-angle quaternion times `2 cos(half)` or times `2 sin(half)`, whichever factor is not
    // small.
    let (part, w) = if cosine >= 0.0 { (sine, 1.0 + cosine) } else { (1.0 - cosine, sine) };
    let Vector { x, y, z } = axis * part;
    normalize_or_identity([x, y, z, w])
}

/// The shortest rotation that takes the unit vector `from` to the unit vector `to`. Opposite
/// vectors are rotated about an arbitrary perpendicular axis.
pub(crate) fn rotation_arc(from: Vector, to: Vector) -> Quaternion {
    let cosine = from.dot(to);
    let Vector { x, y, z } = from.cross(to);
    if cosine > -1.0 + 1e-12 {
        return normalize_or_identity([x, y, z, 1.0 + cosine]);
    }
    let Vector { x, y, z } = any_perpendicular(from);
    [x, y, z, 0.0]
}

/// The twist part of a rotation about a unit axis (swing-twist decomposition). The identity where
/// the twist is undefined.
pub(crate) fn twist_about(q: Quaternion, axis: Vector) -> Quaternion {
    let Vector { x, y, z } = axis * vector_part(q).dot(axis);
    normalize_or_identity([x, y, z, q[3]])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotation_about_rotates_by_its_angle() {
        for (cosine, sine) in [(1.0, 0.0), (0.6, 0.8), (0.0, 1.0), (-0.6, -0.8), (-1.0, 0.0), (0.28, -0.96)] {
            let rotated = rotate(rotation_about(Vector::Z, cosine, sine), Vector::X);
            assert!(rotated.distance(Vector::new(cosine, sine, 0.0)) < 1e-15, "{rotated:?}");
        }
    }

    #[test]
    fn rotation_arc_takes_one_direction_to_the_other() {
        let slanted = Vector::new(0.0, 0.6, 0.8);
        let directions = [Vector::X, slanted, -Vector::X, -slanted];
        for from in directions {
            for to in directions {
                assert!(rotate(rotation_arc(from, to), from).distance(to) < 1e-15);
            }
        }
    }

    #[test]
    fn a_product_applies_both_rotations_in_order() {
        let (a, b) =
            (normalize_or_identity([0.1, 0.2, 0.3, 0.4]), normalize_or_identity([-0.5, 0.1, 0.7, 0.2]));
        let vector = Vector::new(1.0, 2.0, 3.0);
        let (once, twice) = (rotate(multiply(a, b), vector), rotate(a, rotate(b, vector)));
        assert!(once.distance(twice) < 1e-14);
        assert!(rotate(conjugate(b), rotate(b, vector)).distance(vector) < 1e-14);
    }

    #[test]
    fn the_twist_about_the_rotation_axis_is_the_whole_rotation() {
        let axis = Vector::new(0.0, 0.6, 0.8);
        let q = rotation_about(axis, 0.28, 0.96);
        assert!(twist_about(q, axis).iter().zip(q).all(|(a, b)| (a - b).abs() < 1e-15));
        assert_eq!(twist_about([1.0, 0.0, 0.0, 0.0], Vector::Y), IDENTITY);
    }
}
