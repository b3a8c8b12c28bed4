//! Morph targets: adds weighted deltas to vertices, before skinning.

use std::hint::black_box;
use std::ops::Range;

use crate::VectorBlock;
use crate::lanes::Lanes;
use crate::lanes::inline_zip::InlineZip;

/// Applies morph targets to a mesh: base + the sum over targets of weight x delta, in the order of
/// the targets.
///
/// A target lists the blocks that it changes. Dense targets list all blocks, sparse targets few;
/// there is no other difference.
#[derive(Debug)]
pub struct MorphBlocks<'a> {
    /// Base (rest) vectors, `base_vectors` for each block of the mesh: position, normal, tangent,
    /// bitangent.
    pub base: &'a [VectorBlock],
    /// Vectors per block: 1 to 4.
    pub base_vectors: usize,
    /// The morph targets.
    pub targets: &'a [MorphTarget],
    /// The blocks that targets change, ascending within each target. Blocks outside the window are
    /// skipped; entries out of order may be skipped too.
    pub blocks: &'a [u32],
    /// The deltas of those blocks.
    pub deltas: &'a [VectorBlock],
    /// One weight per target. The deltas of a target with weight zero are not read.
    pub weights: &'a [f32],
    /// The range of blocks of the mesh to write.
    pub window: Range<usize>,
    /// Output: `base_vectors` for each block of the window. Its previous contents do not matter. It
    /// accumulates the sum and is read again for each target, so it should fit the caches.
    pub output: &'a mut [VectorBlock],
}

/// The blocks and deltas of a morph target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MorphTarget {
    /// Number of vectors per vertex that it changes: 1 is the position, 2 adds the normal, and so
    /// on.
    pub vectors: usize,
    /// Index of its first entry in the list of blocks.
    pub first: usize,
    /// Number of blocks that it changes.
    pub blocks: usize,
    /// Index of its first delta: `vectors` for each of its blocks.
    pub deltas: usize,
}

impl MorphTarget {
    /// The target's blocks and deltas.
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
                // Otherwise the compiler merges two rows into one 512-bit copy.
                black_box(&to.rows[r][0]);
            }
        }
    }
}

/// A target's deltas and weight.
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
    /// The first vectors of a block; `None` if it is outside the window.
    #[inline(always)]
    fn vectors<const V: usize>(&mut self, block: u32) -> Option<&mut [VectorBlock; V]> {
        let from = (block as usize).checked_sub(self.start)?.checked_mul(self.base_vectors)?;
        self.blocks.get_mut(from..)?.first_chunk_mut()
    }
}

/// The number of elements below `start` in an ascending list. Not `partition_point`, which is not
/// inlined without LTO.
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

/// Adds the deltas of one target, `V` vectors per block.
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
        // All later blocks are outside as well.
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
