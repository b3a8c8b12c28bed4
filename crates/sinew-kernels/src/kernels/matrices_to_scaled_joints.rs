//! Any matrices to joints and scales, and how far those are from the matrix.

use super::rotation::quaternion_of;
use super::vector::{Vector, cross, dot};
use crate::lanes::Lanes;
use crate::lanes::quads::{gather, scatter};
use crate::{BLOCK, Joint, Matrix, Scale};

/// Takes matrices apart into translation x rotation x scale. All slices have the same length.
///
/// The rotation's x axis is the matrix's first column, its y axis what the second column adds to it. A mirror
/// comes back as a negative x scale. An axis shorter than 2^-60 has scale zero, and the rotation is completed
/// from the others. Scales up to 2^60 are safe.
#[derive(Debug)]
pub struct MatricesToScaledJoints<'a> {
    /// Any affine transforms.
    pub matrices: &'a [Matrix],
    /// Written: rotation and translation.
    pub joints: &'a mut [Joint],
    /// Written: scale.
    pub scales: &'a mut [Scale],
    /// Written: the shear that rotation and scale cannot hold, as the length (root of the sum of squares) of
    /// the difference between the matrix and rotation x scale. Zero, up to rounding, where there is none.
    pub residuals: &'a mut [f32],
}

/// Axes shorter than this squared are zero: 2^-120.
const TINY: f32 = 7.523_164e-37;

#[inline(always)]
pub(crate) fn body<L: Lanes>(token: L::Token, contract: &mut MatricesToScaledJoints<'_>) {
    let MatricesToScaledJoints { matrices, joints, scales, residuals } = contract;
    assert!(matrices.len() == joints.len(), "as many joints as matrices");
    assert!(matrices.len() == scales.len(), "as many scales as matrices");
    assert!(matrices.len() == residuals.len(), "as many residuals as matrices");
    let (matrix_blocks, matrix_tail) = matrices.as_chunks::<BLOCK>();
    let (joint_blocks, joint_tail) = joints.as_chunks_mut::<BLOCK>();
    let (scale_blocks, scale_tail) = scales.as_chunks_mut::<BLOCK>();
    let (residual_blocks, residual_tail) = residuals.as_chunks_mut::<BLOCK>();
    let outputs = joint_blocks.iter_mut().zip(scale_blocks).zip(residual_blocks);
    for (matrices, ((joints, scales), residuals)) in matrix_blocks.iter().zip(outputs) {
        block::<L>(token, matrices, joints, scales, residuals);
    }
    let mut residuals = [0.0; BLOCK];
    block::<L>(token, matrix_tail, joint_tail, scale_tail, &mut residuals);
    for (to, from) in residual_tail.iter_mut().zip(residuals) {
        *to = from;
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
    for group in 0..L::GROUPS {
        let a = gather::<L, _>(token, matrices, 0, group);
        let b = gather::<L, _>(token, matrices, 1, group);
        let c = gather::<L, _>(token, matrices, 2, group);
        let zero = L::splat(token, 0.0);
        let parts = take_apart(token, [[a[0], b[0], c[0]], [a[1], b[1], c[1]], [a[2], b[2], c[2]]]);
        let [x, y, z] = parts.axes;
        let rows = [[x[0], y[0], z[0]], [x[1], y[1], z[1]], [x[2], y[2], z[2]]];
        scatter(quaternion_of(token, rows), joints, 0, group);
        scatter([a[3], b[3], c[3], zero], joints, 1, group);
        scatter([parts.scale[0], parts.scale[1], parts.scale[2], zero], scales, 0, group);
        parts.residual.store(residuals, group);
    }
}

/// A matrix taken apart.
struct Parts<L> {
    /// Right-handed, of length one, at right angles.
    axes: [Vector<L>; 3],
    scale: Vector<L>,
    residual: L,
}

/// Gram-Schmidt on the columns, with an axis made up where a column is zero.
#[inline(always)]
fn take_apart<L: Lanes>(token: L::Token, [c0, c1, c2]: [Vector<L>; 3]) -> Parts<L> {
    let zero = L::splat(token, 0.0);
    let mirrored = dot(cross(c0, c1), c2).lt(zero);

    // x: the first column, or at right angles to the others, or to the one that is there, or anything.
    let spare = unit_or(token, c2, [L::splat(token, 1.0), zero, zero]);
    let spare = unit_or(token, cross(c1, c2), perpendicular(token, unit_or(token, c1, spare)));
    let (x, first) = unit_and_length(token, c0, spare);
    let sx = L::negate_where(mirrored, first);
    let x =
        [L::negate_where(mirrored, x[0]), L::negate_where(mirrored, x[1]), L::negate_where(mirrored, x[2])];

    let along = dot(x, c1);
    let rest =
        [x[0].neg_mul_add(along, c1[0]), x[1].neg_mul_add(along, c1[1]), x[2].neg_mul_add(along, c1[2])];
    let (y, sy) = unit_and_length(token, rest, unit_or(token, cross(c2, x), perpendicular(token, x)));
    let z = cross(x, y);
    let sz = dot(z, c2);

    let (xz, yz) = (dot(x, c2), dot(y, c2));
    let residual = along.mul_add(along, xz.mul_add(xz, yz * yz)).sqrt();
    Parts { axes: [x, y, z], scale: [sx, sy, sz], residual }
}

/// `v` at length one and its length; `otherwise` and zero where `v` is too short.
#[inline(always)]
fn unit_and_length<L: Lanes>(token: L::Token, v: Vector<L>, otherwise: Vector<L>) -> (Vector<L>, L) {
    let squared = dot(v, v);
    let short = squared.lt(L::splat(token, TINY));
    let length = squared.max(L::splat(token, TINY)).sqrt();
    let inverse = L::splat(token, 1.0) / length;
    let unit = [
        L::select(short, otherwise[0], v[0] * inverse),
        L::select(short, otherwise[1], v[1] * inverse),
        L::select(short, otherwise[2], v[2] * inverse),
    ];
    (unit, L::select(short, L::splat(token, 0.0), length))
}

#[inline(always)]
fn unit_or<L: Lanes>(token: L::Token, v: Vector<L>, otherwise: Vector<L>) -> Vector<L> {
    unit_and_length(token, v, otherwise).0
}

/// Some direction at right angles to a direction.
#[inline(always)]
fn perpendicular<L: Lanes>(token: L::Token, v: Vector<L>) -> Vector<L> {
    let zero = L::splat(token, 0.0);
    let steep = L::splat(token, 0.5).lt(v[2].abs());
    let u = [L::select(steep, zero, v[1]), L::select(steep, v[2], -v[0]), L::select(steep, -v[1], zero)];
    unit_or(token, u, [zero, L::splat(token, 1.0), zero])
}
