//! Palette = model x inverse bind, for the joints of a skin.

use crate::Matrix;
use crate::lanes::Lanes;
use crate::lanes::quads::Quads;

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
    #[cfg(sinew_broken_body)]
    let joints = stays_a_call(joints);
    assert!(joints.len() == palette.len(), "as many joints as palette matrices");
    assert!(inverse_binds.len() == palette.len(), "as many inverse binds as palette matrices");
    let inputs = joints.chunks(L::QUADS).zip(inverse_binds.chunks(L::QUADS));
    for ((joints, inverse_binds), palette) in inputs.zip(palette.chunks_mut(L::QUADS)) {
        matrices::<L>(token, models, joints, inverse_binds, palette);
    }
}

/// One product per quad.
#[inline(always)]
fn matrices<L: Lanes>(
    token: L::Token,
    models: &[Matrix],
    joints: &[u32],
    inverse_binds: &[Matrix],
    palette: &mut [Matrix],
) {
    let model =
        |i: usize| joints.get(i).and_then(|&joint| models.get(joint as usize)).unwrap_or(Matrix::REST);
    let bind_row = |r: usize| L::load_quads(token, |i| &inverse_binds.get(i).unwrap_or(Matrix::REST).rows[r]);
    let (a, b, c) = (bind_row(0), bind_row(1), bind_row(2));
    for r in 0..3 {
        let left = L::load_quads(token, |i| &model(i).rows[r]);
        let product = left.splat_in_quads::<0>().mul_add(a, left.last_of_quads());
        let product = left.splat_in_quads::<1>().mul_add(b, product);
        let product = left.splat_in_quads::<2>().mul_add(c, product);
        for (i, matrix) in palette.iter_mut().enumerate().take(L::QUADS) {
            product.store_quad(i, &mut matrix.rows[r]);
        }
    }
}

/// A fault that the check of the emitted code must find; never in a program.
#[cfg(sinew_broken_body)]
#[inline(never)]
fn stays_a_call<T>(value: T) -> T {
    std::hint::black_box(value)
}
