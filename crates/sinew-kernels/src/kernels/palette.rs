//! Palette = model x inverse bind, for the joints of a skin.

use crate::lanes::Lanes;
use crate::lanes::quads::Quads;
use crate::{BLOCK, Matrix};

/// `palette[i] = models[joints[i]] x inverse_binds[i]`. `joints`, `inverse_binds` and `palette` have the same
/// length.
#[derive(Debug)]
pub struct ToPalette<'a> {
    /// The skeleton's joints in model space.
    pub models: &'a [Matrix],
    /// The skin's joints; one that is not in `models` counts as the identity.
    pub joints: &'a [u32],
    /// From model space at rest to each of the skin's joints.
    pub inverse_binds: &'a [Matrix],
    /// Written.
    pub palette: &'a mut [Matrix],
}

#[inline(always)]
pub(crate) fn body<L: Lanes>(token: L::Token, contract: &mut ToPalette<'_>) {
    let ToPalette { models, joints, inverse_binds, palette } = contract;
    assert!(joints.len() == palette.len(), "as many joints as palette matrices");
    assert!(inverse_binds.len() == palette.len(), "as many inverse binds as palette matrices");
    let (joint_blocks, joint_tail) = joints.as_chunks::<BLOCK>();
    let (bind_blocks, bind_tail) = inverse_binds.as_chunks::<BLOCK>();
    let (palette_blocks, palette_tail) = palette.as_chunks_mut::<BLOCK>();
    for ((joints, inverse_binds), palette) in joint_blocks.iter().zip(bind_blocks).zip(palette_blocks) {
        block::<L>(token, models, joints, inverse_binds, palette);
    }
    block::<L>(token, models, joint_tail, bind_tail, palette_tail);
}

/// Up to a block of matrices, one per quad.
#[inline(always)]
fn block<L: Lanes>(
    token: L::Token,
    models: &[Matrix],
    joints: &[u32],
    inverse_binds: &[Matrix],
    palette: &mut [Matrix],
) {
    for first in 0..BLOCK / L::QUADS {
        let element = |i: usize| first * L::QUADS + i;
        let model = |i: usize| {
            joints.get(element(i)).and_then(|&joint| models.get(joint as usize)).unwrap_or(Matrix::REST)
        };
        let bind = |i: usize| inverse_binds.get(element(i)).unwrap_or(Matrix::REST);
        let bind_row = |r: usize| L::load_quads(token, |i| &bind(i).rows[r]);
        let model_row = |r: usize| L::load_quads(token, |i| &model(i).rows[r]);
        let binds = [bind_row(0), bind_row(1), bind_row(2)];
        let product = [row(model_row(0), binds), row(model_row(1), binds), row(model_row(2), binds)];
        L::store_matrices(product, palette.get_mut(element(0)..).unwrap_or_default());
    }
}

/// A row of the left matrix times the right matrix.
#[inline(always)]
fn row<L: Lanes>(left: L, [a, b, c]: [L; 3]) -> L {
    let sum = left.splat_in_quads::<0>().mul_add(a, left.last_of_quads());
    let sum = left.splat_in_quads::<1>().mul_add(b, sum);
    left.splat_in_quads::<2>().mul_add(c, sum)
}
