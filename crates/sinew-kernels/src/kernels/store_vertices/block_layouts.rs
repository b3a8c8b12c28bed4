//! Layouts that keep components apart: blocks, and one stream per component.

use std::hint::black_box;

use super::tile::Tile;
use crate::kernels::vector::Vector;
use crate::lanes::Lanes;
use crate::{BLOCK, VectorBlock};

/// The position of one vector of one register of vertices.
#[derive(Clone, Copy)]
pub(super) struct VectorSlot {
    pub(super) block: usize,
    pub(super) group: usize,
    pub(super) vector: usize,
}

/// A destination of vertices.
pub(super) trait Sink {
    /// Stores one vector; `sign` is the fourth component of tangents.
    fn store<L: Lanes>(&mut self, slot: VectorSlot, vector: Vector<L>, sign: L);
}

#[inline(always)]
pub(super) fn store_all<L: Lanes, S: Sink>(token: L::Token, tile: &Tile<'_>, sink: &mut S) {
    for (block, own) in tile.blocks.chunks_exact(tile.vectors).enumerate() {
        for group in L::groups() {
            let sign = L::load(token, &tile.signs(block).0, group);
            for vector in 0..4 {
                if let Some(source) = tile.source(vector) {
                    let components = source.load(token, own, sign, group);
                    sink.store(VectorSlot { block, group, vector }, components, sign);
                }
            }
        }
    }
}

/// Copies a block.
#[inline(always)]
pub(super) fn copy<L: Lanes>(token: L::Token, from: &VectorBlock, to: &mut VectorBlock) {
    for r in 0..3 {
        for group in 0..L::GROUPS {
            L::load(token, &from.rows[r], group).store(&mut to.rows[r], group);
        }
        // Otherwise the compiler merges two rows into one 512-bit copy.
        black_box(&to.rows[r][0]);
    }
}

pub(super) struct Blocks<'a> {
    pub(super) to: &'a mut [VectorBlock],
    pub(super) output_vectors: usize,
}

impl Sink for Blocks<'_> {
    #[inline(always)]
    fn store<L: Lanes>(
        &mut self,
        VectorSlot { block, group, vector }: VectorSlot,
        components: Vector<L>,
        _sign: L,
    ) {
        let Some(to) = self.to.get_mut(block * self.output_vectors + vector) else { return };
        for r in 0..3 {
            components[r].store(&mut to.rows[r], group);
            // Otherwise the compiler merges two rows into one 512-bit copy.
            black_box(&to.rows[r][0]);
        }
    }
}

pub(super) struct NonTemporal<'a> {
    pub(super) to: &'a mut [VectorBlock],
    pub(super) output_vectors: usize,
}

impl Sink for NonTemporal<'_> {
    #[inline(always)]
    fn store<L: Lanes>(
        &mut self,
        VectorSlot { block, group, vector }: VectorSlot,
        components: Vector<L>,
        _sign: L,
    ) {
        if let Some(to) = self.to.get_mut(block * self.output_vectors + vector) {
            for r in 0..3 {
                components[r].store_non_temporal(to, r, group);
            }
        }
    }
}

pub(super) struct Streams<'a, 'b> {
    pub(super) to: &'a mut [&'b mut [f32]; 12],
}

impl Sink for Streams<'_, '_> {
    #[inline(always)]
    fn store<L: Lanes>(
        &mut self,
        VectorSlot { block, group, vector }: VectorSlot,
        components: Vector<L>,
        _sign: L,
    ) {
        for axis in 0..3 {
            let Some(stream) = self.to.get_mut(3 * vector + axis) else { return };
            if let Some(row) = stream.as_chunks_mut().0.get_mut(block) {
                components[axis].store(row, group);
            }
        }
    }
}

pub(super) struct RemappedStreams<'a, 'b> {
    pub(super) to: &'a mut [&'b mut [f32]; 12],
    pub(super) remap: &'a [u32],
}

impl Sink for RemappedStreams<'_, '_> {
    #[inline(always)]
    fn store<L: Lanes>(
        &mut self,
        VectorSlot { block, group, vector }: VectorSlot,
        components: Vector<L>,
        _sign: L,
    ) {
        let Some(remap) = self.remap.as_chunks::<BLOCK>().0.get(block) else { return };
        for axis in 0..3 {
            let Some(stream) = self.to.get_mut(3 * vector + axis) else { return };
            let mut row = [0.0; BLOCK];
            components[axis].store(&mut row, group);
            for i in 0..L::LEN {
                let lane = (group * L::LEN + i) % BLOCK;
                if let Some(to) = stream.get_mut(remap[lane] as usize) {
                    *to = row[lane];
                }
            }
        }
    }
}
