//! Blocks of eight vertices as a destination.

use std::ops::Range;

use super::columns::skin_blocks;
use super::sinks::{BlockWriter, Sink};
use crate::VectorBlock;
use crate::kernels::vector::Vector;
use crate::lanes::Lanes;
use crate::lanes::column_table::ColumnVertices;

/// The vectors of each block in turn.
///
/// `NON_TEMPORAL`: whether there are non-temporal stores.
pub(super) struct Blocks<'a, const NON_TEMPORAL: bool, const V: usize> {
    pub(super) to: &'a mut [[VectorBlock; V]],
    /// Whether blocks whose vertices share joints are written with them.
    pub(super) non_temporal: bool,
}

/// A block.
pub(super) struct Block<'a, const NON_TEMPORAL: bool, const V: usize> {
    to: &'a mut [VectorBlock; V],
    non_temporal: bool,
}

impl<'a, const NON_TEMPORAL: bool, const V: usize> Sink<V> for Blocks<'a, NON_TEMPORAL, V> {
    type Block = Block<'a, NON_TEMPORAL, V>;
    type Part<'p>
        = Blocks<'p, NON_TEMPORAL, V>
    where
        Self: 'p;

    #[inline(always)]
    fn part(&mut self, blocks: Range<usize>) -> Blocks<'_, NON_TEMPORAL, V> {
        let to = self.to.get_mut(blocks).unwrap_or_default();
        Blocks { to, non_temporal: self.non_temporal }
    }

    #[inline(always)]
    fn next<L: Lanes>(&mut self, token: L::Token) -> Option<Block<'a, NON_TEMPORAL, V>> {
        let (to, rest) = std::mem::take(&mut self.to).split_first_mut()?;
        self.to = rest;
        if NON_TEMPORAL && self.non_temporal {
            L::prefetch_page(token, to);
        }
        Some(Block { to, non_temporal: self.non_temporal })
    }

    /// Non-temporal stores take a tenth longer with it.
    #[inline(always)]
    fn reads_ahead(&self) -> bool {
        !NON_TEMPORAL || !self.non_temporal
    }

    #[inline(always)]
    fn skin_columns<L: Lanes>(&mut self, token: L::Token, vertices: ColumnVertices<'_>, blocks: usize) {
        let all = std::mem::take(&mut self.to);
        let (to, rest) = all.split_at_mut(blocks.min(all.len()));
        self.to = rest;
        skin_blocks::<L, V>(token, vertices, to);
    }
}

impl<const NON_TEMPORAL: bool, const V: usize> BlockWriter<V> for Block<'_, NON_TEMPORAL, V> {
    #[inline(always)]
    fn store<L: Lanes>(&mut self, _: L::Token, group: usize, vectors: [Vector<L>; V]) {
        // One branch around the stores, not two loops: it halves the code.
        if NON_TEMPORAL && self.non_temporal {
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
