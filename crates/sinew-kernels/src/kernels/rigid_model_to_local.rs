//! Model to local space over a range of rigid joints, in place: the inverse of a rotation is its transpose.

use super::model_to_local::{ModelToLocal, parent_of};
use crate::Matrix;
use crate::lanes::Lanes;
use crate::lanes::quads::Quads;

#[inline(always)]
pub(crate) fn body<L: Lanes>(token: L::Token, contract: &mut ModelToLocal<'_>) {
    contract.check();
    let ModelToLocal { parents, range, matrices } = contract;
    let mut end = range.end;
    // Backwards, one joint per quad: a parent comes before its child, so it is still in model space, and both
    // joints of a register are read before either is written.
    while end > range.start {
        let start = end.saturating_sub(L::QUADS).max(range.start);
        let Some(matrices) = matrices.get_mut(..end) else { return };
        joints::<L>(token, parents, start, matrices);
        end = start;
    }
}

/// The joints from `start` to the end, at most one per quad.
#[inline(always)]
fn joints<L: Lanes>(token: L::Token, parents: &[u32], start: usize, matrices: &mut [Matrix]) {
    let (children, parents) = family::<L>(matrices, parents, start);
    let parent_row = |r: usize| L::load_quads(token, |i| &parents[i].rows[r]);
    let child_row = |r: usize| L::load_quads(token, |i| &children[i].rows[r]);
    let (a, b, c) = (parent_row(0), parent_row(1), parent_row(2));
    // The child's translation as seen from the parent's.
    let (d, e, f) = (
        child_row(0) - a.last_of_quads(),
        child_row(1) - b.last_of_quads(),
        child_row(2) - c.last_of_quads(),
    );
    let local = [
        turned_back(a.splat_in_quads::<0>(), b.splat_in_quads::<0>(), c.splat_in_quads::<0>(), [d, e, f]),
        turned_back(a.splat_in_quads::<1>(), b.splat_in_quads::<1>(), c.splat_in_quads::<1>(), [d, e, f]),
        turned_back(a.splat_in_quads::<2>(), b.splat_in_quads::<2>(), c.splat_in_quads::<2>(), [d, e, f]),
    ];
    L::store_matrices(local, matrices.get_mut(start..).unwrap_or_default());
}

/// The joints from `start` and their parents, the first `QUADS` of each.
#[inline(always)]
fn family<'a, L: Lanes>(
    matrices: &'a [Matrix],
    parents: &[u32],
    start: usize,
) -> ([&'a Matrix; 2], [&'a Matrix; 2]) {
    let mut children = [Matrix::REST; 2];
    let mut ancestors = [Matrix::REST; 2];
    for i in 0..L::QUADS {
        if let Some(child) = matrices.get(start + i) {
            children[i] = child;
            ancestors[i] = parent_of(matrices, parents, start + i);
        }
    }
    (children, ancestors)
}

/// One row of the transposed rotation times the child's rows.
#[inline(always)]
fn turned_back<L: Lanes>(a: L, b: L, c: L, [d, e, f]: [L; 3]) -> L {
    c.mul_add(f, b.mul_add(e, a * d))
}
