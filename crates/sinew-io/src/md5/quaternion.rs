//! Conversion of MD5 rotations to the usual quaternions, and quaternion algebra in `f64`.

/// A vector of three components.
pub(super) type Vector = [f64; 3];

/// A quaternion (x, y, z, w).
pub(super) type Quaternion = [f64; 4];

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

pub(super) fn conjugate([x, y, z, w]: Quaternion) -> Quaternion {
    [-x, -y, -z, w]
}

/// The rotation `b` followed by `a`.
pub(super) fn multiply(a: Quaternion, b: Quaternion) -> Quaternion {
    let ([ax, ay, az, aw], [bx, by, bz, bw]) = (a, b);
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by + ay * bw + az * bx - ax * bz,
        aw * bz + az * bw + ax * by - ay * bx,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}

/// Rotates a vector.
pub(super) fn rotate(rotation: Quaternion, vector: Vector) -> Vector {
    let [x, y, z, w] = rotation;
    let axis = [x, y, z];
    let twice = cross(axis, vector).map(|component| 2.0 * component);
    let across = cross(axis, twice);
    std::array::from_fn(|i| vector[i] + w * twice[i] + across[i])
}

pub(super) fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(super) fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn sub(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
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

    #[test]
    fn products_compose_rotations_and_conjugates_invert_them() {
        let (a, b) = (unpack_rotation([0.1, 0.5, -0.3]).0, unpack_rotation([-0.7, 0.2, 0.1]).0);
        let v = [1.0, -2.0, 0.5];
        let (once, twice) = (rotate(multiply(a, b), v), rotate(a, rotate(b, v)));
        let back = rotate(conjugate(a), rotate(a, v));
        for i in 0..3 {
            assert!((once[i] - twice[i]).abs() < 1e-14 && (back[i] - v[i]).abs() < 1e-14);
        }
    }
}
