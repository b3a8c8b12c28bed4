//! What kernels over blocks of joints share: factors, and loads and stores of whole blocks.

use crate::lanes::Lanes;
use crate::{BLOCK, RotationBlock, VectorBlock};

/// Interpolation factors or weights.
#[derive(Clone, Copy, Debug)]
pub enum Factor<'a> {
    /// The same for every joint.
    All(f32),
    /// One for each joint. Kernels over blocks need eight for each block.
    Each(&'a [f32]),
}

impl Factor<'_> {
    /// Asserts that there are as many factors as the blocks need.
    #[inline(always)]
    pub(super) fn check_blocks(self, blocks: usize) {
        if let Factor::Each(factors) = self {
            assert!(factors.len() == BLOCK * blocks, "eight factors for each block");
        }
    }

    /// The factors of one register; zero past the end.
    #[inline(always)]
    pub(super) fn load<L: Lanes>(self, token: L::Token, block: usize, group: usize) -> L {
        match self {
            Factor::All(factor) => L::splat(token, factor),
            Factor::Each(factors) => {
                L::load(token, factors.as_chunks().0.get(block).unwrap_or(&[0.0; BLOCK]), group)
            }
        }
    }
}

#[inline(always)]
pub(super) fn load_rotation<L: Lanes>(token: L::Token, block: &RotationBlock, group: usize) -> [L; 4] {
    let row = |r: usize| L::load(token, &block.rows[r], group);
    [row(0), row(1), row(2), row(3)]
}

#[inline(always)]
pub(super) fn store_rotation<L: Lanes>(rotation: [L; 4], block: &mut RotationBlock, group: usize) {
    for r in 0..4 {
        rotation[r].store(&mut block.rows[r], group);
    }
}

#[inline(always)]
pub(super) fn load_vector<L: Lanes>(token: L::Token, block: &VectorBlock, group: usize) -> [L; 3] {
    let row = |r: usize| L::load(token, &block.rows[r], group);
    [row(0), row(1), row(2)]
}

#[inline(always)]
pub(super) fn store_vector<L: Lanes>(vector: [L; 3], block: &mut VectorBlock, group: usize) {
    for r in 0..3 {
        vector[r].store(&mut block.rows[r], group);
    }
}
