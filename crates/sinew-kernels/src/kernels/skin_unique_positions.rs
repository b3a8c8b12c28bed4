//! Skins positions in the order that is best for skinning, and stores them in the order of the
//! vertices, each for as many vertices as have it.
//!
//! Vertices are repeated along seams of normals or texture coordinates: a fifth of them, often
//! more. And neighbors of the same joints, of which blocks are made, are rarely neighbors in
//! memory. A copy of positions is cheap enough to have both. It is not for vertices with
//! directions.

use std::ops::Range;

use super::skin_into_layout::{self, LayoutOutput, SkinIntoLayout, SkinSource};
use crate::lanes::position_scratch::{MAX_BLOCKS, PositionRemap, PositionScratch, VertexPositions};
use crate::lanes::vertex_stores::{LastQuads, QuadPair, QuadPairs, QuadStores};
use crate::lanes::{Lanes, Outlined};
use crate::{BLOCK, Matrix, Segments, VertexWriter};

/// Skins a window of positions by linear blending, and stores them as those of vertices.
#[derive(Debug)]
pub struct SkinUniquePositions<'a> {
    /// One matrix per joint of the skin.
    pub palette: &'a [Matrix],
    /// The positions at rest and their influences: one vector each.
    pub positions: &'a Segments,
    /// The window: blocks of at most [`MAX_UNIQUE_POSITIONS`](crate::MAX_UNIQUE_POSITIONS).
    pub window: Range<usize>,
    /// Which position of the window each of its vertices has.
    pub remap: &'a PositionRemap,
    /// The range of vertices to store.
    pub vertices: Range<usize>,
    /// Write-only: as many vertices, with nothing but positions, which are
    /// [stored directly](VertexWriter::is_direct).
    pub output: VertexWriter<'a>,
}

#[inline(always)]
pub(crate) fn body<L: Lanes>(token: L::Token, contract: &mut SkinUniquePositions<'_>) {
    let SkinUniquePositions { positions, window, remap, vertices, output, .. } = &*contract;
    assert!(window.start <= window.end && window.end <= positions.blocks(), "a window of the positions");
    assert!(window.len() <= MAX_BLOCKS, "no more positions than fit");
    assert!(remap.required_positions() <= BLOCK * window.len(), "a position for every index");
    assert!(vertices.start <= vertices.end && vertices.end <= remap.len(), "an index for every vertex");
    assert!(vertices.len() == output.len(), "as many vertices as output");
    assert!(output.vectors() == 1 && output.is_direct(), "positions that are stored directly");
    L::outline(token, SkinWindow(contract));
}

/// Skins the positions that vertices need, then stores them. A function of its own, since its stack
/// frame is large: 48 KiB, on which that of a table of columns may lie.
struct SkinWindow<'c, 'a>(&'c mut SkinUniquePositions<'a>);

impl<L: Lanes> Outlined<L> for SkinWindow<'_, '_> {
    #[inline(always)]
    fn run(self, token: L::Token) {
        let SkinUniquePositions { palette, positions, window, remap, vertices, output } = self.0;
        let mut scratch = PositionScratch::new();
        let skinned = scratch.cleared::<L>(token, window.len());
        let mut needed = NeededBlocks::new(remap, vertices.clone(), window.len());
        while let Some(blocks) = needed.next() {
            let to = skinned.get_mut(BLOCK * blocks.start..BLOCK * blocks.end).unwrap_or_default();
            let mut job = SkinIntoLayout {
                palette,
                source: SkinSource::Segments(positions),
                window: window.start + blocks.start..window.start + blocks.end,
                vectors: 1,
                signs: &[],
                output: LayoutOutput::Buffers(VertexWriter::of_positions(to)),
            };
            skin_into_layout::body::<L>(token, &mut job);
        }
        store::<L>(token, scratch.vertices(remap, vertices.clone()), output);
    }
}

/// The blocks of the positions that vertices need: all, unless the vertices are few.
struct NeededBlocks {
    /// A bit for each block.
    needed: [u64; MAX_BLOCKS / 64],
    /// The first block that was not looked at.
    next: usize,
    len: usize,
}

impl NeededBlocks {
    #[inline(always)]
    fn new(remap: &PositionRemap, vertices: Range<usize>, len: usize) -> Self {
        let all = 2 * vertices.len() >= BLOCK * len;
        let mut needed = [if all { u64::MAX } else { 0 }; MAX_BLOCKS / 64];
        if !all {
            for vertex in vertices {
                let Some(block) = remap.block_of(vertex) else { break };
                if let Some(word) = needed.get_mut(block / 64) {
                    *word |= 1 << (block % 64);
                }
            }
        }
        Self { needed, next: 0, len }
    }

    #[inline(always)]
    fn is_needed(&self, block: usize) -> bool {
        block < self.len && self.needed.get(block / 64).is_some_and(|word| word >> (block % 64) & 1 == 1)
    }

    /// The next blocks in sequence, with those between them that take less time than another call.
    #[inline(always)]
    fn next(&mut self) -> Option<Range<usize>> {
        const GAP: usize = 8;
        while self.next < self.len && !self.is_needed(self.next) {
            self.next += 1;
        }
        let (first, mut end) = (self.next, self.next);
        while self.next < self.len && self.next < end + GAP {
            self.next += 1;
            end = if self.is_needed(self.next - 1) { self.next } else { end };
        }
        (first < end).then_some(first..end)
    }
}

/// Stores the position of every vertex.
#[inline(always)]
fn store<L: Lanes>(token: L::Token, mut from: VertexPositions<'_>, output: &mut VertexWriter<'_>) {
    let mut scratch = LastQuads::<1>::new();
    let packed = output.is_packed();
    let mut stores = QuadStores::new(output, &mut scratch);
    let pairs = stores.blocks().take_pairs(usize::MAX);
    if packed {
        store_pairs::<L, true>(token, &mut from, pairs);
    } else {
        store_pairs::<L, false>(token, &mut from, pairs);
    }
    // The last block, which nothing follows.
    let mut last = stores.last_block().take_pairs(1);
    while let (Some(first), Some(to)) = (from.next_one(), last.next::<false>()) {
        let second = from.next_one().unwrap_or(first);
        store_pair::<L, false>(token, [first, second], to);
    }
    stores.finish();
}

/// Stores as many pairs of vertices as there is room for.
#[inline(always)]
fn store_pairs<L: Lanes, const PACKED: bool>(
    token: L::Token,
    from: &mut VertexPositions<'_>,
    mut to: QuadPairs<'_, 1>,
) {
    while let Some(to) = to.next::<PACKED>() {
        let Some(pair) = from.next_pair() else { return };
        store_pair::<L, PACKED>(token, pair, to);
    }
}

#[inline(always)]
fn store_pair<L: Lanes, const PACKED: bool>(token: L::Token, pair: [&[f32; 4]; 2], to: QuadPair<'_, 1>) {
    for step in 0..2 / L::QUADS {
        let positions = L::load_quads(token, |quad| pair[(step * L::QUADS + quad) % 2]);
        let positions = if PACKED { positions } else { positions.with_lane_3(L::splat(token, 1.0)) };
        to.store::<L>(step, [positions]);
    }
}
