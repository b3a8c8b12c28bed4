//! Model to local space over a range of joints, in place, for any scale.

use std::ops::Range;

use super::vector::{cross, dot};
use crate::Matrix;
use crate::lanes::Lanes;
use crate::lanes::quads::{Quads, gather_from, scatter};

/// For each joint of the range, last to first: `matrices[joint] = inverse(matrices[parent]) x
/// matrices[joint]`.
///
/// The inverse of [`LocalToModel`](crate::LocalToModel); undo ranges in reverse order. If a
/// parent's determinant is zero, subnormal or not finite, there is no local matrix and zeros are
/// written. A parent that is singular only up to rounding still has an inverse, with huge elements.
#[derive(Debug)]
pub struct ModelToLocal<'a> {
    /// The parent of each joint of `matrices`. A value not below the joint's own index marks a
    /// root, which is not changed.
    pub parents: &'a [u32],
    /// The joints to transform; within `matrices`.
    pub range: Range<usize>,
    /// Model space before, local space after. As long as `parents`.
    pub matrices: &'a mut [Matrix],
}

impl ModelToLocal<'_> {
    #[inline(always)]
    pub(super) fn check(&self) {
        assert!(self.parents.len() == self.matrices.len(), "as many parents as matrices");
        let Range { start, end } = self.range;
        assert!(start <= end && end <= self.matrices.len(), "a range within the matrices");
    }
}

/// The parent's matrix; the identity for a root.
#[inline(always)]
pub(super) fn parent_of<'a>(matrices: &'a [Matrix], parents: &[u32], joint: usize) -> &'a Matrix {
    match parents.get(joint) {
        Some(&parent) if (parent as usize) < joint => {
            matrices.get(parent as usize).unwrap_or(Matrix::PADDING)
        }
        _ => Matrix::PADDING,
    }
}

#[inline(always)]
pub(crate) fn body<L: Lanes>(token: L::Token, contract: &mut ModelToLocal<'_>) {
    contract.check();
    let ModelToLocal { parents, range, matrices } = contract;
    let mut end = range.end;
    // Last to first, a register of joints at a time: a parent precedes its child, so it is still in
    // model space, and within a register every matrix is read before any is written.
    while end > range.start {
        let start = end.saturating_sub(L::LEN).max(range.start);
        let Some(matrices) = matrices.get_mut(..end) else { return };
        joints::<L>(token, parents, start, matrices);
        end = start;
    }
}

/// The joints from `start` to the end, at most a register of them.
#[inline(always)]
fn joints<L: Lanes>(token: L::Token, parents: &[u32], start: usize, matrices: &mut [Matrix]) {
    let parent_row = |r: usize| gather_from::<L>(token, |i| &parent_of(matrices, parents, start + i).rows[r]);
    let child_row =
        |r: usize| gather_from::<L>(token, |i| &matrices.get(start + i).unwrap_or(Matrix::PADDING).rows[r]);
    let (a, b, c) = (parent_row(0), parent_row(1), parent_row(2));
    let (d, e, f) = (child_row(0), child_row(1), child_row(2));

    let xyz = |row: [L; 4]| [row[0], row[1], row[2]];
    let (bc, ca, ab) = (cross(xyz(b), xyz(c)), cross(xyz(c), xyz(a)), cross(xyz(a), xyz(b)));
    let determinant = dot(xyz(a), bc);
    let (zero, one) = (L::splat(token, 0.0), L::splat(token, 1.0));
    // Dividing by a subnormal may overflow, and an infinite determinant has no inverse.
    let small = determinant.abs().lt(L::splat(token, f32::MIN_POSITIVE));
    let finite = determinant.abs().lt(L::splat(token, f32::INFINITY));
    let inverse = one / determinant;
    let scale_cofactor = |cofactor: L| L::select(finite, L::select(small, zero, cofactor * inverse), zero);

    // Columns of the child, with its translation relative to the parent's.
    let columns =
        [[d[0], e[0], f[0]], [d[1], e[1], f[1]], [d[2], e[2], f[2]], [d[3] - a[3], e[3] - b[3], f[3] - c[3]]];
    for r in 0..3 {
        let row = [scale_cofactor(bc[r]), scale_cofactor(ca[r]), scale_cofactor(ab[r])];
        let local = [dot(row, columns[0]), dot(row, columns[1]), dot(row, columns[2]), dot(row, columns[3])];
        scatter(local, matrices.get_mut(start..).unwrap_or_default(), r, 0);
    }
}
