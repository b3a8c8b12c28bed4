//! Decomposes any matrices into joints and scales, with the residual.

use super::decompose::decompose;
use super::rotation::quaternion_from_matrix;
use crate::lanes::Lanes;
use crate::lanes::inline_zip::InlineZip;
use crate::lanes::quads::{gather, scatter};
use crate::{BLOCK, Joint, Matrix, Scale};

/// Decomposes matrices into translation x rotation x scale. All slices have the same length.
///
/// The rotation's x axis is the direction of the first column; its y axis is the second column
/// orthogonalized. A mirror gives a negative x scale. A column that is shorter than 2^-60 or
/// depends linearly on earlier columns has scale zero, and the rotation is completed from the
/// others. Columns may be up to 2^60 long.
#[derive(Debug)]
pub struct MatricesToScaledJoints<'a> {
    /// Any affine transforms.
    pub matrices: &'a [Matrix],
    /// Output: rotation and translation.
    pub joints: &'a mut [Joint],
    /// Output: scale.
    pub scales: &'a mut [Scale],
    /// Output: the shear that rotation and scale cannot represent, as the length (root of the sum
    /// of squares) of matrix minus rotation x scale. Zero, up to rounding, if there is none.
    pub residuals: &'a mut [f32],
}

#[inline(always)]
pub(crate) fn body<L: Lanes>(token: L::Token, contract: &mut MatricesToScaledJoints<'_>) {
    let MatricesToScaledJoints { matrices, joints, scales, residuals } = contract;
    assert!(matrices.len() == joints.len(), "as many joints as matrices");
    assert!(matrices.len() == scales.len(), "as many scales as matrices");
    assert!(matrices.len() == residuals.len(), "as many residuals as matrices");
    let outputs =
        joints.chunks_mut(BLOCK).inline_zip(scales.chunks_mut(BLOCK)).inline_zip(residuals.chunks_mut(BLOCK));
    // The tail is handled like the blocks: the bounds check per element costs little here.
    for (matrices, ((joints, scales), to)) in matrices.chunks(BLOCK).inline_zip(outputs) {
        let mut residuals = [0.0; BLOCK];
        block::<L>(token, matrices, joints, scales, &mut residuals);
        // Loops over the whole block, not the tail, which the compiler would turn into a call of
        // memcpy.
        for (i, residual) in residuals.into_iter().enumerate() {
            if let Some(to) = to.get_mut(i) {
                *to = residual;
            }
        }
    }
}

/// Up to a block of matrices.
#[inline(always)]
fn block<L: Lanes>(
    token: L::Token,
    matrices: &[Matrix],
    joints: &mut [Joint],
    scales: &mut [Scale],
    residuals: &mut [f32; BLOCK],
) {
    for group in L::groups() {
        let a = gather::<L, _>(token, matrices, 0, group);
        let b = gather::<L, _>(token, matrices, 1, group);
        let c = gather::<L, _>(token, matrices, 2, group);
        let zero = L::splat(token, 0.0);
        let parts = decompose(token, [[a[0], b[0], c[0]], [a[1], b[1], c[1]], [a[2], b[2], c[2]]]);
        let [x, y, z] = parts.axes;
        let rows = [[x[0], y[0], z[0]], [x[1], y[1], z[1]], [x[2], y[2], z[2]]];
        scatter(quaternion_from_matrix(token, rows), joints, 0, group);
        scatter([a[3], b[3], c[3], zero], joints, 1, group);
        scatter([parts.scale[0], parts.scale[1], parts.scale[2], zero], scales, 0, group);
        parts.residual.store(residuals, group);
    }
}
