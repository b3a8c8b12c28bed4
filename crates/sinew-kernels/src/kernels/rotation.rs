//! Quaternions to rotation matrices and back, one rotation per lane.

use crate::lanes::Lanes;

/// Rows of the rotation matrix of a unit quaternion (x, y, z, w).
#[inline(always)]
pub(super) fn rotation_matrix<L: Lanes>(token: L::Token, [x, y, z, w]: [L; 4]) -> [[L; 3]; 3] {
    rotation_matrix_scaled(token, [x, y, z, w], [x + x, y + y, z + z])
}

/// Rows of the rotation matrix of a quaternion (x, y, z, w) of any length. The second argument is
/// its vector part times two over the squared length.
#[inline(always)]
pub(super) fn rotation_matrix_scaled<L: Lanes>(
    token: L::Token,
    [x, y, z, w]: [L; 4],
    [x2, y2, z2]: [L; 3],
) -> [[L; 3]; 3] {
    let one = L::splat(token, 1.0);
    let (xy, xz, yz) = (x * y2, x * z2, y * z2);
    [
        [y.neg_mul_add(y2, z.neg_mul_add(z2, one)), w.neg_mul_add(z2, xy), w.mul_add(y2, xz)],
        [w.mul_add(z2, xy), x.neg_mul_add(x2, z.neg_mul_add(z2, one)), w.neg_mul_add(x2, yz)],
        [w.neg_mul_add(y2, xz), w.mul_add(x2, yz), x.neg_mul_add(x2, y.neg_mul_add(y2, one))],
    ]
}

/// The quaternion (x, y, z, w) of a rotation matrix.
///
/// Each squared component appears in a signed sum of the diagonal. The largest of the four sums is
/// at least one, so its component is at least 1/2 and safe to divide the off-diagonal sums and
/// differences by. That sum is always `1 + |m22| + |m00 -+ m11|`, so choosing it takes two
/// comparisons.
#[inline(always)]
pub(super) fn quaternion_from_matrix<L: Lanes>(token: L::Token, m: [[L; 3]; 3]) -> [L; 4] {
    let (zero, half, one) = (L::splat(token, 0.0), L::splat(token, 0.5), L::splat(token, 1.0));
    // a: the divisor is x or y, else z or w. b: it is y or z, else x or w.
    let a = m[2][2].lt(zero);
    let difference = L::select(a, m[0][0] - m[1][1], m[0][0] + m[1][1]);
    let b = difference.lt(zero);
    let sum = one + m[2][2].abs() + difference.abs();
    let scale = half / sum.sqrt();

    let (xy, xz, yz) = (m[1][0] + m[0][1], m[0][2] + m[2][0], m[2][1] + m[1][2]);
    let (wx, wy, wz) = (m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]);
    let x = L::select(b, L::select(a, xy, xz), L::select(a, sum, wx));
    let y = L::select(b, L::select(a, sum, yz), L::select(a, xy, wy));
    let z = L::select(b, L::select(a, yz, sum), L::select(a, xz, wz));
    let w = L::select(b, L::select(a, wy, wz), L::select(a, wx, sum));
    [x * scale, y * scale, z * scale, w * scale]
}
