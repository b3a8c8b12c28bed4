//! Model to local space over a range of rigid joints, in place: the inverse of a rotation is its
//! transpose.

use super::model_to_local::{ModelToLocal, parent_of};
use crate::Matrix;
use crate::lanes::Lanes;
use crate::lanes::quads::Quads;

#[inline(always)]
pub(crate) fn body<L: Lanes>(token: L::Token, contract: &mut ModelToLocal<'_>) {
    contract.check();
    let ModelToLocal { parents, range, matrices } = contract;
    let Some(matrices) = matrices.get_mut(..range.end) else { return };
    let mut end = range.end;
    // Last to first, one joint per quad: a parent precedes its child, so it is still in model
    // space, and both joints of a register are read before either is written.
    while end - range.start >= L::QUADS {
        end -= L::QUADS;
        joints::<L>(token, parents, end, matrices);
    }
    if let Some(matrices) = matrices.get_mut(..end)
        && end > range.start
    {
        joints::<L>(token, parents, range.start, matrices);
    }
}

/// The joints from `start`, one per quad, up to the end.
#[inline(always)]
fn joints<L: Lanes>(token: L::Token, parents: &[u32], start: usize, matrices: &mut [Matrix]) {
    let mut child = [Matrix::PADDING; 2];
    let mut parent = [Matrix::PADDING; 2];
    for i in 0..L::QUADS {
        if let Some(matrix) = matrices.get(start + i) {
            child[i] = matrix;
            parent[i] = parent_of(matrices, parents, start + i);
        }
    }
    let parent_row = |r: usize| L::load_quads(token, |i| &parent[i].rows[r]);
    let child_row = |r: usize| L::load_quads(token, |i| &child[i].rows[r]);
    let (a, b, c) = (parent_row(0), parent_row(1), parent_row(2));
    // The child's translation relative to the parent's.
    let (d, e, f) =
        (child_row(0) - a.keep_lane_3(), child_row(1) - b.keep_lane_3(), child_row(2) - c.keep_lane_3());
    let local = [
        transposed_row(a.broadcast_lane::<0>(), b.broadcast_lane::<0>(), c.broadcast_lane::<0>(), [d, e, f]),
        transposed_row(a.broadcast_lane::<1>(), b.broadcast_lane::<1>(), c.broadcast_lane::<1>(), [d, e, f]),
        transposed_row(a.broadcast_lane::<2>(), b.broadcast_lane::<2>(), c.broadcast_lane::<2>(), [d, e, f]),
    ];
    L::store_matrices(L::to_sequential_rows(local), matrices.get_mut(start..).unwrap_or_default());
}

/// One row of the transposed rotation times the child's rows.
#[inline(always)]
fn transposed_row<L: Lanes>(a: L, b: L, c: L, [d, e, f]: [L; 3]) -> L {
    c.mul_add(f, b.mul_add(e, a * d))
}
