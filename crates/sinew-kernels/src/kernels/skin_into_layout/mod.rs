//! Linear blend skinning into the caller's vertex layout.
//!
//! Vertices come as stretches of blocks, in the order of the output: their vertices share joints
//! ([`shared_joints`]) or have joints of their own ([`columns`]). Each block goes to a sink
//! ([`sinks`]) while its vectors are in registers.

mod blocks;
mod columns;
mod shared_joints;
mod sinks;
mod stretches;

use std::ops::Range;

use blocks::Blocks;
use sinks::{Buffers, Packed};
use stretches::Stretches;

use super::skin_vertices::Run;
use crate::lanes::Lanes;
use crate::lanes::column_table::ColumnTable;
use crate::lanes::segments::SegmentSlice;
use crate::lanes::vertex_stores::{LastPacked, LastQuads, QuadStores, direct_stores};
use crate::{BLOCK, Matrix, ScalarBlock, Segments, VectorBlock, VertexWriter};

/// Skins vertices by linear blending, directly into a vertex layout or into blocks, from which
/// [`StoreVertices`](crate::StoreVertices) stores every other layout.
#[derive(Debug)]
pub struct SkinIntoLayout<'a> {
    /// One matrix per joint of the skin.
    pub palette: &'a [Matrix],
    /// The vertices at rest and their influences.
    pub source: SkinSource<'a>,
    /// The range of blocks to skin.
    pub window: Range<usize>,
    /// Number of vectors to skin per vertex: 1 to 3.
    pub vectors: usize,
    /// The bitangent signs of each block of the mesh. Read if a tangent has four components. If
    /// empty, all are 1.
    pub signs: &'a [ScalarBlock],
    /// Write-only: the output vertices of the window.
    pub output: LayoutOutput<'a>,
}

/// Vertices at rest, with their influences.
#[derive(Clone, Copy, Debug)]
pub enum SkinSource<'a> {
    /// Runs over the blocks of a mesh.
    Runs {
        /// The runs, in the order of their blocks.
        groups: &'a [RunGroup<'a>],
        /// Base (rest) vectors: `base_vectors` for each block of the mesh.
        base: &'a [VectorBlock],
        /// Vectors per block in `base`: at least as many as are skinned.
        base_vectors: usize,
    },
    /// Segments.
    Segments(&'a Segments),
}

/// Runs with the same number of influences.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunGroup<'a> {
    /// Joints per run: one or more.
    pub influences: usize,
    /// The runs. Weights are indexed in units of `influences - 1` scalar blocks.
    pub runs: &'a [Run],
    /// `influences` joints per run. A joint outside the palette counts as the identity, except
    /// [`NO_JOINT`](crate::NO_JOINT) as the last one, which counts as zero.
    pub joints: &'a [u32],
    /// Per block, the weights of all joints of the run except the last, whose weight is one minus
    /// the others.
    pub weights: &'a [ScalarBlock],
}

/// Where skinned vertices go.
#[derive(Debug)]
pub enum LayoutOutput<'a> {
    /// Vertex buffers that are [direct](VertexWriter::is_direct): one vertex for every vertex of the
    /// window; the last block may have fewer.
    Buffers(VertexWriter<'a>),
    /// Blocks: the vectors of each block of the window in turn.
    Blocks(&'a mut [VectorBlock]),
    /// The same, with non-temporal stores where those are faster.
    NonTemporalBlocks(&'a mut [VectorBlock]),
}

impl SkinIntoLayout<'_> {
    #[inline(always)]
    fn check(&self) {
        let (blocks, base_vectors) = match self.source {
            SkinSource::Runs { groups, base, base_vectors } => {
                for group in groups {
                    assert!(group.influences >= 1, "one influence or more");
                    let joints = group.runs.len().checked_mul(group.influences);
                    assert!(joints == Some(group.joints.len()), "the joints of every run");
                }
                let blocks = base.len() / base_vectors.max(1);
                assert!(blocks * base_vectors == base.len(), "whole blocks of base vectors");
                (blocks, base_vectors)
            }
            SkinSource::Segments(segments) => (segments.blocks(), segments.vectors()),
        };
        assert!((1..=3).contains(&self.vectors) && self.vectors <= base_vectors, "one to three vectors");
        assert!(self.window.start <= self.window.end && self.window.end <= blocks, "a window in the mesh");
        assert!(self.signs.is_empty() || self.signs.len() == blocks, "the signs of every block");
        match &self.output {
            LayoutOutput::Buffers(writer) => {
                assert!(
                    writer.vectors() == self.vectors && writer.is_direct(),
                    "a layout that is stored directly"
                );
                let fit = writer.len().div_ceil(BLOCK) == self.window.len();
                assert!(fit, "a vertex for every vertex of the window");
            }
            LayoutOutput::Blocks(to) | LayoutOutput::NonTemporalBlocks(to) => {
                assert!(to.len() == self.vectors * self.window.len(), "the vectors of every block");
            }
        }
    }
}

#[inline(always)]
pub(crate) fn body<L: Lanes>(token: L::Token, contract: &mut SkinIntoLayout<'_>) {
    contract.check();
    match contract.vectors {
        1 => fixed_vector_count::<L, 1>(token, contract),
        2 => fixed_vector_count::<L, 2>(token, contract),
        _ => fixed_vector_count::<L, 3>(token, contract),
    }
}

#[inline(always)]
fn fixed_vector_count<L: Lanes, const V: usize>(token: L::Token, contract: &mut SkinIntoLayout<'_>) {
    let SkinIntoLayout { palette, source, window, signs, output, .. } = contract;
    let signs = signs.get(window.start..).unwrap_or_default();
    // Column segments are stored through `buffers` in all cases: those of the caller, or one block
    // of scratch memory that is then stored as a block.
    let (mut last_packed, mut last_quads) = (LastPacked::new(), LastQuads::new());
    let (mut packed, stores, mut blocks) = match output {
        LayoutOutput::Buffers(writer) => {
            let (packed, stores) = direct_stores::<V>(writer, &mut last_packed, &mut last_quads);
            (packed.map(|stores| Packed { stores }), stores, None)
        }
        LayoutOutput::Blocks(blocks) => {
            (None, QuadStores::scratch(&mut last_quads), Some(Blocks { blocks, non_temporal: false }))
        }
        LayoutOutput::NonTemporalBlocks(blocks) => {
            (None, QuadStores::scratch(&mut last_quads), Some(Blocks { blocks, non_temporal: true }))
        }
    };
    let mut buffers = Buffers::new::<L>(token, stores, signs);
    let mut table = ColumnTable::new();
    let mut stretches = Stretches::new(source, window);
    let base_vectors = stretches.base_vectors();
    while let Some(stretch) = stretches.next() {
        match (stretch, &mut packed, &mut blocks) {
            (SegmentSlice::Shared(segment), Some(packed), _) => {
                shared_joints::skin::<L, _, V>(token, palette, &segment, base_vectors, packed);
            }
            (SegmentSlice::Shared(segment), None, Some(blocks)) => {
                shared_joints::skin::<L, _, V>(token, palette, &segment, base_vectors, blocks);
            }
            (SegmentSlice::Shared(segment), None, None) => {
                shared_joints::skin::<L, _, V>(token, palette, &segment, base_vectors, &mut buffers);
            }
            (SegmentSlice::Columns(mut rest), _, blocks) => {
                while !rest.blocks.is_empty() {
                    let len = if blocks.is_some() { 1 } else { rest.blocks.len() };
                    let segment = rest.take(len);
                    let matrices = table.matrices::<L>(token, &segment, palette);
                    columns::skin::<L, V>(token, &segment, matrices, &mut buffers);
                    if let Some(blocks) = blocks {
                        blocks.set_quads::<L, V>(token, segment.blocks.start, buffers.stores.last_block());
                    }
                }
            }
        }
    }
    if let Some(packed) = packed {
        packed.stores.finish();
    }
    if blocks.is_some() {
        L::store_fence(token);
    } else {
        buffers.stores.finish();
    }
}
