//! Blocks of eight vertices as a destination.

use super::sinks::{BlockWriter, Sink};
use crate::kernels::vector::Vector;
use crate::lanes::Lanes;
use crate::lanes::quads::gather_from;
use crate::{BLOCK, VectorBlock};

/// The vectors of each block of the window in turn.
pub(super) struct Blocks<'a> {
    pub(super) blocks: &'a mut [VectorBlock],
    /// Whether to use non-temporal stores.
    pub(super) non_temporal: bool,
}

impl Blocks<'_> {
    /// Stores a block whose vertices are in quads.
    #[inline(always)]
    pub(super) fn set_quads<L: Lanes, const V: usize>(
        &mut self,
        token: L::Token,
        block: usize,
        quads: &[[[f32; 4]; BLOCK]; V],
    ) {
        let Some(to) = self.blocks.as_chunks_mut::<V>().0.get_mut(block) else { return };
        for v in 0..V {
            for group in L::groups() {
                let components = gather_from::<L>(token, |i| &quads[v][(group * L::LEN + i) % BLOCK]);
                for r in 0..3 {
                    components[r].store(&mut to[v].rows[r], group);
                }
            }
        }
    }
}

/// A block.
pub(super) struct Block<'a, const V: usize> {
    to: &'a mut [VectorBlock; V],
    non_temporal: bool,
}

impl<'b, const V: usize> Sink<V> for Blocks<'b> {
    type Block<'a>
        = Block<'a, V>
    where
        'b: 'a;

    #[inline(always)]
    fn block_writer<L: Lanes>(&mut self, token: L::Token, block: usize) -> Option<Self::Block<'_>> {
        let to = self.blocks.as_chunks_mut::<V>().0.get_mut(block)?;
        if self.non_temporal {
            L::prefetch_page(token, to);
        }
        Some(Block { to, non_temporal: self.non_temporal })
    }
}

impl<const V: usize> BlockWriter<V> for Block<'_, V> {
    #[inline(always)]
    fn store<L: Lanes>(&mut self, _: L::Token, group: usize, vectors: [Vector<L>; V]) {
        // One branch around the stores, not two loops: it halves the code.
        if self.non_temporal {
            for v in 0..V {
                for r in 0..3 {
                    vectors[v][r].store_non_temporal(&mut self.to[v], r, group);
                }
            }
        } else {
            for v in 0..V {
                for r in 0..3 {
                    vectors[v][r].store(&mut self.to[v].rows[r], group);
                }
            }
        }
    }
}
