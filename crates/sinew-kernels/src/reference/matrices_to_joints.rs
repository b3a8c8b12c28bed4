//! Converts a rotation matrix to its quaternion.

use super::algebra::{Affine, Quaternion, length, scaled};

/// The unit quaternion of the matrix's rotation, with arbitrary sign.
#[must_use]
pub fn matrix_to_rotation(m: &Affine) -> Quaternion {
    // Four times each product of two components: a symmetric table whose rows are all multiples of
    // the quaternion. The row with the largest diagonal element is the most accurate.
    let (xx, yy, zz) = (m[0][0], m[1][1], m[2][2]);
    let (xy, xz, yz) = (m[0][1] + m[1][0], m[0][2] + m[2][0], m[1][2] + m[2][1]);
    let (wx, wy, wz) = (m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]);
    let rows = [
        [1.0 + xx - yy - zz, xy, xz, wx],
        [xy, 1.0 - xx + yy - zz, yz, wy],
        [xz, yz, 1.0 - xx - yy + zz, wz],
        [wx, wy, wz, 1.0 + xx + yy + zz],
    ];
    let mut best = 0;
    for i in 1..4 {
        if rows[i][i] > rows[best][best] {
            best = i;
        }
    }
    scaled(rows[best], 1.0 / length(rows[best]))
}
