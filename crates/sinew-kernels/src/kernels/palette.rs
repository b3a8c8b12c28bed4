//! The palette of a skin: model x inverse bind.

use crate::lanes::Lanes;
use crate::lanes::joint_list::ListedModels;
use crate::lanes::quads::Quads;
use crate::{BLOCK, JointList, Matrix};

/// `palette[i] = models[joints[i]] x inverse_binds[i]`. `joints`, `inverse_binds` and `palette`
/// have the same length.
#[derive(Debug)]
pub struct ToPalette<'a> {
    /// The skeleton's joints in model space: at least as many as [`JointList::required_models`].
    pub models: &'a [Matrix],
    /// The skin's joints.
    pub joints: &'a JointList,
    /// From model space at rest to each of the skin's joints.
    pub inverse_binds: &'a [Matrix],
    /// Output.
    pub palette: &'a mut [Matrix],
}

#[inline(always)]
pub(crate) fn body<L: Lanes>(token: L::Token, contract: &mut ToPalette<'_>) {
    let ToPalette { models, joints, inverse_binds, palette } = contract;
    #[cfg(sinew_broken_body)]
    let joints = stays_a_call(joints);
    let models = ListedModels::new(models, joints);
    assert!(models.len() == palette.len(), "as many joints as palette matrices");
    assert!(inverse_binds.len() == palette.len(), "as many inverse binds as palette matrices");
    if L::QUADS == 1 {
        one_by_one::<L>(token, models, inverse_binds, palette);
    } else {
        in_pairs::<L>(token, models, inverse_binds, palette);
    }
}

#[inline(always)]
fn one_by_one<L: Lanes>(
    token: L::Token,
    models: ListedModels<'_>,
    inverse_binds: &[Matrix],
    palette: &mut [Matrix],
) {
    for i in 0..palette.len() {
        let (Some(left), Some(right), Some(matrix)) =
            (models.get(i), inverse_binds.get(i), palette.get_mut(i))
        else {
            break;
        };
        let row = |k: usize| row::<L>(token, [left; 2], [right; 2], k);
        L::store_matrices([row(0), row(1), row(2)], std::slice::from_mut(matrix));
    }
}

/// In blocks, so that the loop is unrolled.
#[inline(always)]
fn in_pairs<L: Lanes>(
    token: L::Token,
    models: ListedModels<'_>,
    inverse_binds: &[Matrix],
    palette: &mut [Matrix],
) {
    let (bind_blocks, bind_tail) = inverse_binds.as_chunks::<BLOCK>();
    let (palette_blocks, palette_tail) = palette.as_chunks_mut::<BLOCK>();
    for (b, palette) in palette_blocks.iter_mut().enumerate() {
        let (Some(models), Some(inverse_binds)) = (models.block(b), bind_blocks.get(b)) else { break };
        pairs::<L>(token, BLOCK / L::QUADS, models, inverse_binds, palette);
    }
    let count = palette_tail.len().div_ceil(L::QUADS);
    pairs::<L>(token, count, models.tail(), bind_tail, palette_tail);
}

/// A number of pairs, the last of which may be half.
#[inline(always)]
fn pairs<L: Lanes>(
    token: L::Token,
    count: usize,
    models: ListedModels<'_>,
    inverse_binds: &[Matrix],
    palette: &mut [Matrix],
) {
    for pair in 0..count {
        let element = |i: usize| pair * L::QUADS + i;
        let mut left = [Matrix::PADDING; 2];
        let mut right = [Matrix::PADDING; 2];
        for i in 0..L::QUADS {
            if let (Some(model), Some(bind)) = (models.get(element(i)), inverse_binds.get(element(i))) {
                left[i] = model;
                right[i] = bind;
            }
        }
        let product =
            [row::<L>(token, left, right, 0), row(token, left, right, 1), row(token, left, right, 2)];
        L::store_matrices(product, palette.get_mut(element(0)..).unwrap_or_default());
    }
}

/// Register `k` of the products' rows, in sequence.
///
/// Two matrices in three registers: (a0 a1) (a2 b0) (b1 b2). Adjacent in memory is adjacent in
/// registers, so that most loads and all stores are whole.
#[inline(always)]
fn row<L: Lanes>(token: L::Token, left: [&Matrix; 2], right: [&Matrix; 2], k: usize) -> L {
    let index = |i: usize| k * L::QUADS + i;
    let left = L::load_quads(token, |i| &left[index(i) / 3].rows[index(i) % 3]);
    let right_row = |r: usize| L::load_quads(token, |i| &right[index(i) / 3].rows[r]);
    // The last lane last: it takes the place of the row.
    let (x, y, z) = (left.broadcast_lane::<0>(), left.broadcast_lane::<1>(), left.broadcast_lane::<2>());
    let sum = x.mul_add(right_row(0), left.keep_lane_3());
    z.mul_add(right_row(2), y.mul_add(right_row(1), sum))
}

/// A fault that the check of the machine code must find; never part of a program.
#[cfg(sinew_broken_body)]
#[inline(never)]
fn stays_a_call<T>(value: T) -> T {
    std::hint::black_box(value)
}
