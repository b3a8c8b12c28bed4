//! Rotations as unit quaternions.

use super::vector::{Vector, cross};

/// A quaternion (x, y, z, w).
pub(crate) type Quaternion = [f64; 4];

pub(crate) const IDENTITY: Quaternion = [0.0, 0.0, 0.0, 1.0];

/// The rotation `b` followed by `a`.
pub(crate) fn product(a: Quaternion, b: Quaternion) -> Quaternion {
    let ([ax, ay, az, aw], [bx, by, bz, bw]) = (a, b);
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}

/// The inverse of a unit quaternion.
pub(crate) fn conjugate([x, y, z, w]: Quaternion) -> Quaternion {
    [-x, -y, -z, w]
}

/// Rotates a vector by a unit quaternion.
pub(crate) fn rotate([x, y, z, w]: Quaternion, vector: Vector) -> Vector {
    let axis = [x, y, z];
    let twice = cross(axis, vector).map(|component| 2.0 * component);
    let across = cross(axis, twice);
    std::array::from_fn(|i| vector[i] + w * twice[i] + across[i])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_compose_rotations_and_conjugates_invert_them() {
        let unit = |q: Quaternion| q.map(|part| part / q.iter().map(|part| part * part).sum::<f64>().sqrt());
        let (a, b) = (unit([0.1, 0.5, -0.3, 0.8]), unit([-0.7, 0.2, 0.1, -0.4]));
        let v = [1.0, -2.0, 0.5];
        let (once, twice) = (rotate(product(a, b), v), rotate(a, rotate(b, v)));
        let back = rotate(conjugate(a), rotate(a, v));
        for i in 0..3 {
            assert!((once[i] - twice[i]).abs() < 1e-14 && (back[i] - v[i]).abs() < 1e-14);
        }
        assert_eq!(rotate(IDENTITY, v), v);
    }
}
