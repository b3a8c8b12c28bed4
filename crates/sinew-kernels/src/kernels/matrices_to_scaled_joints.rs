//! Any matrices to joints and scales, and how far those are from the matrix.

use super::rotation::quaternion_of;
use super::vector::{Vector, cross, dot};
use crate::lanes::Lanes;
use crate::lanes::quads::{gather, scatter};
use crate::{BLOCK, Joint, Matrix, Scale};

/// Takes matrices apart into translation x rotation x scale. All slices have the same length.
///
/// The rotation's x axis is the matrix's first column, its y axis what the second column adds to it. A mirror
/// comes back as a negative x scale. A column shorter than 2^-60, or one that adds nothing to those before it, has
/// scale zero, and the rotation is completed from the others. Columns up to 2^60 long are safe.
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

/// Axes shorter than 2^-60 are zero; this is that squared.
const TINY: f32 = 7.523_164e-37;

/// A difference smaller than 2^-20 of what it was made from is mostly rounding; this is that squared.
const ROUNDING: f32 = 9.094_947e-13;

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
    // Counted to the block, not to the tail, or the compiler makes a call of memcpy of it.
    for (i, residual) in residuals.into_iter().enumerate() {
        if let Some(to) = residual_tail.get_mut(i) {
            *to = residual;
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

/// Gram-Schmidt on the columns, with an axis made up where a column adds nothing to those before it.
#[inline(always)]
fn take_apart<L: Lanes>(token: L::Token, [c0, c1, c2]: [Vector<L>; 3]) -> Parts<L> {
    let (zero, one) = (L::splat(token, 0.0), L::splat(token, 1.0));
    // Directions before products, whose squares would not fit a float.
    let ((u1, _), (u2, _)) = (unit_or(token, c1, zero, [zero; 3]), unit_or(token, c2, zero, [zero; 3]));

    // x: the first column, or at right angles to the others, or to the one that is there, or anything.
    let (spare, _) = unit_or(token, u2, zero, [one, zero, zero]);
    let (spare, _) = unit_or(token, u1, zero, spare);
    let (spare, _) = unit_or(token, cross(u1, u2), one, perpendicular(token, spare));
    let (x, sx) = unit_or(token, c0, zero, spare);

    // y: what the second column adds, or at right angles to x and the third column, or to x alone.
    let (spare, _) = unit_or(token, cross(u2, x), one, perpendicular(token, x));
    let along = dot(x, c1);
    let (y, sy) = unit_or(token, without(c1, x, along), dot(c1, c1), spare);
    // Little may have been left of the column, and much of that was rounding: once more.
    let (y, _) = unit_or(token, without(y, x, dot(x, y)), zero, spare);

    // z: where the third column lies on the other side, the matrix mirrors, and x and z turn round.
    let z = cross(x, y);
    let sz = dot(z, c2);
    let mirrored = sz.lt(zero);
    let residual = {
        let (xz, yz) = (dot(x, c2), dot(y, c2));
        along.mul_add(along, xz.mul_add(xz, yz * yz)).sqrt()
    };
    let axes = [negated_where::<L>(mirrored, x), y, negated_where::<L>(mirrored, z)];
    Parts { axes, scale: [L::negate_where(mirrored, sx), sy, sz.abs()], residual }
}

/// `v` less its part along the direction `axis`.
#[inline(always)]
fn without<L: Lanes>(v: Vector<L>, axis: Vector<L>, part: L) -> Vector<L> {
    [axis[0].neg_mul_add(part, v[0]), axis[1].neg_mul_add(part, v[1]), axis[2].neg_mul_add(part, v[2])]
}

/// `v` at length one and its length; `otherwise` and zero where nothing but rounding is left of what `v` was made
/// from, whose squared length is `made_from`.
#[inline(always)]
fn unit_or<L: Lanes>(token: L::Token, v: Vector<L>, made_from: L, otherwise: Vector<L>) -> (Vector<L>, L) {
    let squared = dot(v, v);
    let least = (made_from * L::splat(token, ROUNDING)).max(L::splat(token, TINY));
    let short = squared.lt(least);
    let length = L::select(short, L::splat(token, 1.0), squared).sqrt();
    let inverse = L::splat(token, 1.0) / length;
    let unit = [
        L::select(short, otherwise[0], v[0] * inverse),
        L::select(short, otherwise[1], v[1] * inverse),
        L::select(short, otherwise[2], v[2] * inverse),
    ];
    (unit, L::select(short, L::splat(token, 0.0), length))
}

/// Some direction at right angles to a direction.
#[inline(always)]
fn perpendicular<L: Lanes>(token: L::Token, v: Vector<L>) -> Vector<L> {
    let zero = L::splat(token, 0.0);
    let steep = L::splat(token, 0.5).lt(v[2].abs());
    let u = [L::select(steep, zero, v[1]), L::select(steep, v[2], -v[0]), L::select(steep, -v[1], zero)];
    unit_or(token, u, zero, [zero, L::splat(token, 1.0), zero]).0
}

#[inline(always)]
fn negated_where<L: Lanes>(mask: L::Mask, v: Vector<L>) -> Vector<L> {
    [L::negate_where(mask, v[0]), L::negate_where(mask, v[1]), L::negate_where(mask, v[2])]
}
