//! Decomposes palette matrices into dual quaternions and the scale and shear left over.

use super::decompose::decompose;
use super::rotation::quaternion_from_matrix;
use super::vector::dot;
use crate::lanes::Lanes;
use crate::lanes::inline_zip::InlineZip;
use crate::lanes::quads::{gather, scatter};
use crate::{BLOCK, DualQuaternion, Matrix};

/// Decomposes palette matrices: matrix = rigid transform x scale-shear. All slices have the same
/// length.
///
/// The rotation is chosen as in [`MatricesToScaledJoints`](crate::MatricesToScaledJoints), so it is
/// a rotation for any columns. The scale-shear matrix is the rest: scale along the axes, shear
/// above the diagonal, a mirror as a negative x scale; the identity, up to rounding, if the matrix
/// is rigid.
#[derive(Debug)]
pub struct PaletteToDualQuaternions<'a> {
    /// Any affine transforms, with columns of up to 2^60. One that is not finite affects only its
    /// own results.
    pub palette: &'a [Matrix],
    /// Written: the rigid transforms.
    pub dual_quaternions: &'a mut [DualQuaternion],
    /// Written: the scale-shear matrices, applied before the rigid transforms. Their translations
    /// are zero.
    pub scale_shears: &'a mut [Matrix],
    /// Written: the largest difference between an element of the scale-shear matrices and the
    /// identity's. Rounding alone gives less than 1e-6 for each matrix multiplied into the
    /// palette's; if it is no more, the scale-shear matrices can be left out. NaNs are ignored.
    pub max_deviation: &'a mut f32,
}

#[inline(always)]
pub(crate) fn body<L: Lanes>(token: L::Token, contract: &mut PaletteToDualQuaternions<'_>) {
    let PaletteToDualQuaternions { palette, dual_quaternions, scale_shears, max_deviation } = contract;
    assert!(palette.len() == dual_quaternions.len(), "as many dual quaternions as palette matrices");
    assert!(palette.len() == scale_shears.len(), "as many scale-shear matrices as palette matrices");
    let mut far = L::splat(token, 0.0);
    let outputs = dual_quaternions.chunks_mut(BLOCK).inline_zip(scale_shears.chunks_mut(BLOCK));
    // The tail is handled like the blocks: the bounds check per element costs little here.
    for (palette, (dual_quaternions, scale_shears)) in palette.chunks(BLOCK).inline_zip(outputs) {
        far = block::<L>(token, palette, dual_quaternions, scale_shears, far);
    }
    let mut lanes = [0.0; BLOCK];
    far.store(&mut lanes, 0);
    let mut most = 0.0;
    for far in lanes {
        most = if far > most { far } else { most };
    }
    **max_deviation = most;
}

/// Decomposes up to a block of matrices. Returns the larger of `far` and the distance of the
/// scale-shear matrices from the identity.
#[inline(always)]
fn block<L: Lanes>(
    token: L::Token,
    palette: &[Matrix],
    dual_quaternions: &mut [DualQuaternion],
    scale_shears: &mut [Matrix],
    mut far: L,
) -> L {
    let (zero, one) = (L::splat(token, 0.0), L::splat(token, 1.0));
    for group in L::groups() {
        let a = gather::<L, _>(token, palette, 0, group);
        let b = gather::<L, _>(token, palette, 1, group);
        let c = gather::<L, _>(token, palette, 2, group);
        let columns = [[a[0], b[0], c[0]], [a[1], b[1], c[1]], [a[2], b[2], c[2]]];
        let axes = decompose(token, columns).axes;
        // All nine products, though some are zero up to rounding: so the result multiplies back to
        // the matrix even with fallback axes.
        for (r, axis) in axes.into_iter().enumerate() {
            let row = [dot(axis, columns[0]), dot(axis, columns[1]), dot(axis, columns[2])];
            for (i, element) in row.into_iter().enumerate() {
                let rest = if i == r { element - one } else { element };
                far = rest.abs().max(far);
            }
            scatter([row[0], row[1], row[2], zero], scale_shears, r, group);
        }
        let [x, y, z] = axes;
        let real =
            quaternion_from_matrix(token, [[x[0], y[0], z[0]], [x[1], y[1], z[1]], [x[2], y[2], z[2]]]);
        scatter(real, dual_quaternions, 0, group);
        scatter(half_product(token, [a[3], b[3], c[3]], real), dual_quaternions, 1, group);
    }
    far
}

/// Half of `t` as a quaternion with w = 0, times `q`.
#[inline(always)]
fn half_product<L: Lanes>(token: L::Token, t: [L; 3], [x, y, z, w]: [L; 4]) -> [L; 4] {
    let half = L::splat(token, 0.5);
    let t = [t[0] * half, t[1] * half, t[2] * half];
    [
        t[0].mul_add(w, t[2].neg_mul_add(y, t[1] * z)),
        t[1].mul_add(w, t[0].neg_mul_add(z, t[2] * x)),
        t[2].mul_add(w, t[1].neg_mul_add(x, t[0] * y)),
        // Not the negative of a sum, whose zero may get the other sign where lanes fuse.
        t[0].neg_mul_add(x, t[1].neg_mul_add(y, -(t[2] * z))),
    ]
}
