//! The rotations of the file as the usual quaternions, and what joints need of them, in `f64`.

/// A vector of three.
pub(super) type Vector = [f64; 3];

/// A quaternion (x, y, z, w).
pub(super) type Quaternion = [f64; 4];

/// How far beyond one the squared length of (x, y, z) may be by rounding in the file.
const ROUNDING: f64 = 1e-4;

/// The rotation of which the file has x, y and z, and whether they are too long for one.
///
/// The file's kind of quaternion has a matrix that is the transpose of the usual one, and a w that is not negative. The
/// usual quaternion is its conjugate, and (x, y, z, -w) is the same rotation as that. What is too long has no w, and comes
/// to length one.
pub(super) fn unpacked([x, y, z]: Vector) -> (Quaternion, bool) {
    let squared = x * x + y * y + z * z;
    if squared <= 1.0 {
        return ([x, y, z, -(1.0 - squared).sqrt()], false);
    }
    // The largest numbers of an `f32` have squares in `f64`.
    let length = squared.sqrt();
    ([x / length, y / length, z / length, 0.0], squared > 1.0 + ROUNDING)
}

pub(super) fn conjugate([x, y, z, w]: Quaternion) -> Quaternion {
    [-x, -y, -z, w]
}

/// First `b`, then `a`.
pub(super) fn product(a: Quaternion, b: Quaternion) -> Quaternion {
    let ([ax, ay, az, aw], [bx, by, bz, bw]) = (a, b);
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by + ay * bw + az * bx - ax * bz,
        aw * bz + az * bw + ax * by - ay * bx,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}

/// The vector turned.
pub(super) fn turned(rotation: Quaternion, vector: Vector) -> Vector {
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
    fn what_is_unpacked_has_length_one_and_w_below_zero() {
        for xyz in [[0.0; 3], [0.5, -0.5, 0.5], [0.0, 1.0, 0.0], [0.6, 0.0, 0.1]] {
            let (q, over) = unpacked(xyz);
            let squared: f64 = q.iter().map(|element| element * element).sum();
            assert!((squared - 1.0).abs() < 1e-15 && q[3] <= 0.0 && !over, "{q:?}");
        }
    }

    #[test]
    fn what_is_too_long_has_no_w() {
        assert_eq!(unpacked([0.0, 2.0, 0.0]), ([0.0, 1.0, 0.0, 0.0], true));
        assert_eq!(unpacked([0.0, 0.0, 1.000_001]), ([0.0, 0.0, 1.0, 0.0], false));
        let longest = f64::from(f32::MAX);
        assert_eq!(unpacked([longest, 0.0, 0.0]).0, [1.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn a_product_turns_twice_and_a_conjugate_turns_back() {
        let (a, b) = (unpacked([0.1, 0.5, -0.3]).0, unpacked([-0.7, 0.2, 0.1]).0);
        let v = [1.0, -2.0, 0.5];
        let (once, twice) = (turned(product(a, b), v), turned(a, turned(b, v)));
        let back = turned(conjugate(a), turned(a, v));
        for i in 0..3 {
            assert!((once[i] - twice[i]).abs() < 1e-14 && (back[i] - v[i]).abs() < 1e-14);
        }
    }
}
