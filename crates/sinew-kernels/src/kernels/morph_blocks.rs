//! Morph targets: vertices moved by sums of weighted deltas, before skinning takes them.

use std::hint::black_box;
use std::ops::Range;

use crate::VectorBlock;
use crate::lanes::Lanes;
use crate::lanes::inline_zip::InlineZip;

/// Moves the vertices of a mesh: base + the sum over targets of weight x delta, in the order of the targets.
///
/// A target lists the blocks that it moves. Dense targets list all of them, sparse ones few; there is no other
/// difference.
#[derive(Debug)]
pub struct MorphBlocks<'a> {
    /// For each block of the mesh `base_vectors` vectors: position, normal, tangent, bitangent.
    pub base: &'a [VectorBlock],
    /// Vectors of each block: 1 to 4.
    pub base_vectors: usize,
    /// What moves the vertices.
    pub targets: &'a [MorphTarget],
    /// The blocks that targets move, each target's in ascending order; what comes after a higher one may be left out.
    /// Those outside of the window are skipped.
    pub blocks: &'a [u32],
    /// The deltas of those blocks.
    pub deltas: &'a [VectorBlock],
    /// For each target how much of it. Nothing is read of one with zero, whatever its deltas are.
    pub weights: &'a [f32],
    /// Which blocks of the mesh to write.
    pub window: Range<usize>,
    /// `base_vectors` for each block of the window. What was there does not matter; the sum is kept here between
    /// targets, so it is read again, and should be memory that the caches hold.
    pub output: &'a mut [VectorBlock],
}

/// Where a morph target's blocks and deltas lie.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MorphTarget {
    /// How many of a vertex's vectors it moves: 1 is the position, 2 adds the normal, and so on; at most all.
    pub vectors: usize,
    /// Its first in the list of blocks.
    pub first: usize,
    /// How many blocks it moves.
    pub blocks: usize,
    /// The first of its deltas: `vectors` for each of its blocks.
    pub deltas: usize,
}

impl MorphTarget {
    /// Its blocks and deltas.
    #[inline(always)]
    fn slices<'a>(
        &self,
        blocks: &'a [u32],
        deltas: &'a [VectorBlock],
    ) -> Option<(&'a [u32], &'a [VectorBlock])> {
        let blocks = blocks.get(self.first..)?.get(..self.blocks)?;
        let deltas = deltas.get(self.deltas..)?.get(..self.blocks.checked_mul(self.vectors)?)?;
        Some((blocks, deltas))
    }
}

impl MorphBlocks<'_> {
    #[inline(always)]
    fn check(&self) {
        let base_vectors = self.base_vectors;
        assert!((1..=4).contains(&base_vectors), "one to four base vectors");
        let blocks = self.base.len() / base_vectors;
        assert!(blocks * base_vectors == self.base.len(), "whole blocks of base vectors");
        let Range { start, end } = self.window;
        assert!(start <= end && end <= blocks, "a window in the mesh");
        assert!(self.output.len() == (end - start) * base_vectors, "as much output as the window");
        assert!(self.weights.len() == self.targets.len(), "a weight for every target");
        for target in self.targets {
            assert!(
                (1..=base_vectors).contains(&target.vectors),
                "one vector of a target or more, of the base"
            );
            assert!(
                target.slices(self.blocks, self.deltas).is_some(),
                "the blocks and deltas of every target"
            );
        }
    }
}

#[inline(always)]
pub(crate) fn body<L: Lanes>(token: L::Token, contract: &mut MorphBlocks<'_>) {
    contract.check();
    let Range { start, end } = contract.window;
    let MorphBlocks { base, base_vectors, targets, blocks, deltas, weights, .. } = *contract;
    let Some(base) = base.get(start * base_vectors..end * base_vectors) else { return };
    copy::<L>(token, base, contract.output);
    for (target, &weight) in targets.iter().inline_zip(weights) {
        if weight == 0.0 {
            continue;
        }
        let Some((blocks, deltas)) = target.slices(blocks, deltas) else { continue };
        let target_deltas = WeightedTarget { weight: L::splat(token, weight), blocks, deltas };
        let mut to = Window { start, base_vectors, blocks: contract.output };
        match target.vectors {
            1 => add_deltas::<L, 1>(token, &target_deltas, &mut to),
            2 => add_deltas::<L, 2>(token, &target_deltas, &mut to),
            3 => add_deltas::<L, 3>(token, &target_deltas, &mut to),
            _ => add_deltas::<L, 4>(token, &target_deltas, &mut to),
        }
    }
}

#[inline(always)]
fn copy<L: Lanes>(token: L::Token, from: &[VectorBlock], to: &mut [VectorBlock]) {
    for (b, to) in to.iter_mut().enumerate() {
        let Some(from) = from.get(b) else { break };
        for group in L::groups() {
            for r in 0..3 {
                L::load(token, &from.rows[r], group).store(&mut to.rows[r], group);
                // Or the compiler makes one 512-bit copy of two rows.
                black_box(&to.rows[r][0]);
            }
        }
    }
}

/// What one target does.
struct WeightedTarget<'a, L> {
    weight: L,
    blocks: &'a [u32],
    deltas: &'a [VectorBlock],
}

/// The blocks that are written.
struct Window<'a> {
    start: usize,
    base_vectors: usize,
    blocks: &'a mut [VectorBlock],
}

impl Window<'_> {
    /// The first vectors of a block; `None` where it is outside.
    #[inline(always)]
    fn vectors<const V: usize>(&mut self, block: u32) -> Option<&mut [VectorBlock; V]> {
        let from = (block as usize).checked_sub(self.start)?.checked_mul(self.base_vectors)?;
        self.blocks.get_mut(from..)?.first_chunk_mut()
    }
}

/// How many of these rising numbers are below `start`. Not `partition_point`, which stays a call
/// where a program is compiled without LTO.
#[inline(always)]
fn blocks_before(blocks: &[u32], start: usize) -> usize {
    let (mut first, mut end) = (0, blocks.len());
    while first < end {
        let middle = first + (end - first) / 2;
        match blocks.get(middle) {
            Some(&block) if (block as usize) < start => first = middle + 1,
            _ => end = middle,
        }
    }
    first
}

/// Adds the deltas of one target, `V` vectors for each block.
#[inline(always)]
fn add_deltas<L: Lanes, const V: usize>(
    token: L::Token,
    target_deltas: &WeightedTarget<'_, L>,
    to: &mut Window<'_>,
) {
    let first = blocks_before(target_deltas.blocks, to.start);
    let Some(blocks) = target_deltas.blocks.get(first..) else { return };
    let Some(deltas) = target_deltas.deltas.as_chunks::<V>().0.get(first..) else { return };
    for (i, &block) in blocks.iter().enumerate() {
        let Some(deltas) = deltas.get(i) else { break };
        // Those that come after are outside as well.
        let Some(vectors) = to.vectors::<V>(block) else { break };
        for group in L::groups() {
            for v in 0..V {
                for r in 0..3 {
                    let row = &mut vectors[v].rows[r];
                    let sum = L::load(token, row, group);
                    target_deltas
                        .weight
                        .mul_add(L::load(token, &deltas[v].rows[r], group), sum)
                        .store(row, group);
                }
            }
        }
    }
}
