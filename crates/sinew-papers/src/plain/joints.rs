//! The joint routines, scalar: one joint at a time.

use sinew_kernels::{Joint, Matrix};

use crate::Parents;

/// `matrices[i]` = the papers' matrix of `joints[i]`, which is sinew's matrix of the conjugate
/// rotation.
///
/// # Panics
///
/// When the lengths differ.
pub fn joints_to_matrices(joints: &[Joint], matrices: &mut [Matrix]) {
    assert!(joints.len() == matrices.len(), "as many matrices as joints");
    for (joint, matrix) in joints.iter().zip(matrices) {
        let [x, y, z, w] = joint.rotation;
        let [tx, ty, tz] = joint.translation;
        let (x2, y2, z2) = (x + x, y + y, z + z);
        let (xx, yy, zz) = (x * x2, y * y2, z * z2);
        let (yz, wx) = (y * z2, w * x2);
        let (xy, wz) = (x * y2, w * z2);
        let (xz, wy) = (x * z2, w * y2);
        matrix.rows = [
            [1.0 - yy - zz, xy + wz, xz - wy, tx],
            [xy - wz, 1.0 - xx - zz, yz + wx, ty],
            [xz + wy, yz - wx, 1.0 - xx - yy, tz],
        ];
    }
}

/// `joints[i]` = rotation, in the papers' convention, and translation of `matrices[i]`, which must
/// be rigid.
///
/// The diagonal tells which component is large. That one comes from a reciprocal square root, the
/// others are sums and differences across the diagonal times that root. The error of the root is
/// below 0.18 %, and so is that of the quaternion's length.
///
/// # Panics
///
/// When the lengths differ.
pub fn matrices_to_joints(matrices: &[Matrix], joints: &mut [Joint]) {
    assert!(matrices.len() == joints.len(), "as many joints as matrices");
    for (matrix, joint) in matrices.iter().zip(joints) {
        let [[a, xy, xz, tx], [yx, b, yz, ty], [zx, zy, c, tz]] = matrix.rows;
        let rotation = if a + b + c > 0.0 {
            let t = a + b + c + 1.0;
            let s = reciprocal_sqrt(t) * 0.5;
            [(yz - zy) * s, (zx - xz) * s, (xy - yx) * s, s * t]
        } else if a > b && a > c {
            let t = a - b - c + 1.0;
            let s = reciprocal_sqrt(t) * 0.5;
            [s * t, (xy + yx) * s, (zx + xz) * s, (yz - zy) * s]
        } else if b > c {
            let t = b - a - c + 1.0;
            let s = reciprocal_sqrt(t) * 0.5;
            [(xy + yx) * s, s * t, (yz + zy) * s, (zx - xz) * s]
        } else {
            let t = c - a - b + 1.0;
            let s = reciprocal_sqrt(t) * 0.5;
            [(zx + xz) * s, (yz + zy) * s, s * t, (xy - yx) * s]
        };
        *joint = Joint::new(rotation, [tx, ty, tz]);
    }
}

/// The bit trick: subtracting half of the bits from a constant halves and negates the exponent. One
/// Newton step follows.
#[inline(always)]
fn reciprocal_sqrt(x: f32) -> f32 {
    let half = x * 0.5;
    let estimate = f32::from_bits(0x5f37_59df_u32.wrapping_sub(x.to_bits() >> 1));
    estimate * (1.5 - estimate * estimate * half)
}

/// Local to model space, in place: each joint of the range becomes parent x joint, first to last.
///
/// # Panics
///
/// When the range exceeds `matrices`.
pub fn local_to_model(parents: &Parents<'_>, matrices: &mut [Matrix]) {
    parents.first_to_last(matrices, |parent, joint| *joint = product(parent, joint));
}

/// Model to local space, in place, last to first, by the transpose of the parent's rotation.
///
/// Correct for rigid parents only.
///
/// # Panics
///
/// When the range exceeds `matrices`.
pub fn model_to_local(parents: &Parents<'_>, matrices: &mut [Matrix]) {
    parents.last_to_first(matrices, |parent, joint| {
        let [p, q, r] = &parent.rows;
        let [a, b, c] = &mut joint.rows;
        a[3] -= p[3];
        b[3] -= q[3];
        c[3] -= r[3];
        for column in 0..4 {
            let (x, y, z) = (a[column], b[column], c[column]);
            a[column] = x * p[0] + y * q[0] + z * r[0];
            b[column] = x * p[1] + y * q[1] + z * r[1];
            c[column] = x * p[2] + y * q[2] + z * r[2];
        }
    });
}

/// `palette[i] = models[i] x inverse_binds[i]`.
///
/// # Panics
///
/// When the lengths differ.
pub fn palette(models: &[Matrix], inverse_binds: &[Matrix], palette: &mut [Matrix]) {
    assert!(models.len() == palette.len(), "as many models as palette matrices");
    assert!(inverse_binds.len() == palette.len(), "as many inverse binds as palette matrices");
    for ((model, inverse_bind), matrix) in models.iter().zip(inverse_binds).zip(palette) {
        *matrix = product(model, inverse_bind);
    }
}

/// `left` x `right`.
#[inline(always)]
fn product(left: &Matrix, right: &Matrix) -> Matrix {
    let [a, b, c] = &right.rows;
    let mut rows = left.rows;
    for row in &mut rows {
        let [x, y, z, t] = *row;
        let column = |i: usize| x * a[i] + y * b[i] + z * c[i];
        *row = [column(0), column(1), column(2), column(3) + t];
    }
    Matrix { rows }
}
