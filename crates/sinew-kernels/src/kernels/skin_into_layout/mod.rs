//! Linear blend skinning into the caller's vertex layout.
//!
//! Vertices come as runs or segments of blocks, in the order of the output: they share joints
//! ([`shared_joints`]) or have joints of their own ([`columns`]). Each block goes to a sink
//! ([`sinks`]) while its vectors are in registers.

mod blocks;
mod columns;
mod runs;
mod shared_joints;
mod sinks;

use std::hint::black_box;
use std::ops::Range;

use blocks::Blocks;
use runs::Runs;
use sinks::{Buffers, FormatBuffers, Sink};

use super::skin_vertices::Run;
use crate::lanes::column_table::ColumnTable;
use crate::lanes::direct_formats::{FormatBlocks, LastVertices};
use crate::lanes::segments::SegmentSlice;
use crate::lanes::vertex_stores::{LastQuads, PackedBlocks, QuadStores};
use crate::lanes::{Lanes, Outlined};
use crate::{BLOCK, Matrix, NON_TEMPORAL_STORES, ScalarBlock, Segments, VectorBlock, VertexWriter};

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
        /// The runs, in the order of their blocks, or in any order if the output is blocks, packed
        /// arrays (if kernels [allow it](crate::Kernels::packs_in_any_order)) or vertices of
        /// smaller numbers.
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
    /// Vertex buffers that are [stored directly](crate::Kernels::stores_directly): one vertex for
    /// every vertex of the window; the last block may have fewer.
    Buffers(VertexWriter<'a>),
    /// Blocks: the vectors of each block of the window in turn. Of segments only, if the library
    /// has no [non-temporal stores](crate::NON_TEMPORAL_STORES).
    Blocks(&'a mut [VectorBlock]),
    /// The same, with non-temporal stores where those are faster.
    NonTemporalBlocks(&'a mut [VectorBlock]),
}

impl SkinIntoLayout<'_> {
    #[inline(always)]
    fn check<L: Lanes>(&self) {
        let (blocks, base_vectors) = match self.source {
            SkinSource::Runs { groups, base, base_vectors } => {
                for group in groups {
                    assert!(group.influences >= 1, "one influence or more");
                    let joints = group.runs.len().checked_mul(group.influences);
                    assert!(joints == Some(group.joints.len()), "the joints of every run");
                }
                // A division takes as long as skinning a vertex.
                let blocks = match base_vectors {
                    0 | 1 => base.len(),
                    2 => base.len() / 2,
                    3 => base.len() / 3,
                    _ => base.len() / base_vectors,
                };
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
                let direct = writer.is_direct() || L::DIRECT_FORMATS && writer.is_direct_format();
                assert!(writer.vectors() == self.vectors && direct, "a layout that is stored directly");
                let fit = writer.len().div_ceil(BLOCK) == self.window.len();
                assert!(fit, "a vertex for every vertex of the window");
            }
            LayoutOutput::Blocks(to) | LayoutOutput::NonTemporalBlocks(to) => {
                assert!(to.len() == self.vectors * self.window.len(), "the vectors of every block");
                let segments = matches!(self.source, SkinSource::Segments(_));
                assert!(NON_TEMPORAL_STORES || segments, "segments, as there are no loops for runs");
            }
        }
    }
}

#[inline(always)]
pub(crate) fn body<L: Lanes>(token: L::Token, contract: &mut SkinIntoLayout<'_>) {
    contract.check::<L>();
    match contract.source {
        SkinSource::Segments(segments) if segments.column_blocks() > 0 => {
            L::outline(token, SkinWithTable(contract));
        }
        _ => L::outline(token, SkinBuffers { contract, table: None }),
    }
}

/// Skins with a table of columns. A function of its own: its stack frame is touched page by page,
/// which takes as long as skinning a few vertices.
struct SkinWithTable<'c, 'a>(&'c mut SkinIntoLayout<'a>);

impl<L: Lanes> Outlined<L> for SkinWithTable<'_, '_> {
    #[inline(always)]
    fn run(self, token: L::Token) {
        let mut table = ColumnTable::new();
        L::outline(token, SkinBuffers { contract: self.0, table: Some(&mut table) });
    }
}

/// Skins into the output. The table is there if there are columns.
struct SkinBuffers<'c, 'a> {
    contract: &'c mut SkinIntoLayout<'a>,
    table: Option<&'c mut ColumnTable>,
}

impl<L: Lanes> Outlined<L> for SkinBuffers<'_, '_> {
    #[inline(always)]
    fn run(self, token: L::Token) {
        let Self { contract, table } = self;
        match contract.vectors {
            1 => fixed_vector_count::<L, 1>(token, contract, table),
            2 => fixed_vector_count::<L, 2>(token, contract, table),
            _ => fixed_vector_count::<L, 3>(token, contract, table),
        }
    }
}

#[inline(always)]
fn fixed_vector_count<L: Lanes, const V: usize>(
    token: L::Token,
    contract: &mut SkinIntoLayout<'_>,
    table: Option<&mut ColumnTable>,
) {
    let SkinIntoLayout { palette, source, window, signs, output, .. } = contract;
    // Otherwise the range is loaded in one piece, and waits for the two that the caller stored.
    let window = window.start..black_box(window.end);
    let mut walk = Walk { palette, source, window: window.clone(), table };
    let (blocks, non_temporal) = match output {
        LayoutOutput::Buffers(writer) if L::DIRECT_FORMATS && V > 1 && writer.is_direct_format() => {
            return into_format_buffers::<L, V>(token, &mut walk, &window, signs, writer);
        }
        LayoutOutput::Buffers(writer) => {
            // Small builds have no direct layout of several vectors.
            if !cfg!(sinew_small) || V == 1 {
                into_buffers::<L, V>(token, &mut walk, &window, signs, writer);
            }
            return;
        }
        LayoutOutput::Blocks(blocks) => (blocks, false),
        LayoutOutput::NonTemporalBlocks(blocks) => (blocks, true),
    };
    let to = blocks.as_chunks_mut::<V>().0;
    match walk.source {
        SkinSource::Runs { .. } if NON_TEMPORAL_STORES => {
            walk.skin_runs::<L, _, V>(token, window, Blocks::<true, V> { to, non_temporal });
            L::store_fence(token);
        }
        SkinSource::Runs { .. } => {}
        SkinSource::Segments(segments) => {
            let sink = Blocks::<false, V> { to, non_temporal: false };
            walk.skin_segments::<L, _, V>(token, segments, window, sink);
        }
    }
}

/// Skins into vertex buffers: the last block apart from the others, since nothing follows it, and
/// it may have fewer vertices.
#[inline(always)]
fn into_buffers<L: Lanes, const V: usize>(
    token: L::Token,
    walk: &mut Walk<'_>,
    window: &Range<usize>,
    signs: &[ScalarBlock],
    writer: &mut VertexWriter<'_>,
) {
    if window.is_empty() {
        return;
    }
    let last = window.end - 1;
    let last_signs = signs.get(last..).unwrap_or_default();
    let signs = signs.get(window.start..).unwrap_or_default();
    let mut next = window.start;
    if L::PACKED_LOOPS
        && let Some(mut packed) = PackedBlocks::<V>::new(writer)
    {
        // Blocks that share joints store nothing behind them, so that the last may be among them.
        let end = if packed.len() == window.len() && walk.shares_joints(last) { window.end } else { last };
        if next < end {
            walk.skin::<L, _, V>(token, next..end, packed.take(end - next));
        }
        if end == window.end {
            return;
        }
        next = last;
    }
    let mut scratch = LastQuads::new();
    let mut stores = QuadStores::<V>::new(writer, &mut scratch);
    if next < last {
        walk.skin::<L, _, V>(token, next..last, Buffers::new(stores.blocks(), signs));
    }
    // What no run skins stays as it is.
    if walk.covers(last) {
        let to = stores.last_block();
        walk.skin::<L, _, V>(token, last..window.end, Buffers::new(to, last_signs));
        stores.finish();
    }
}

/// Skins into a vertex buffer of smaller numbers: the last vertices apart, if they are fewer than a
/// block.
#[inline(always)]
fn into_format_buffers<L: Lanes, const V: usize>(
    token: L::Token,
    walk: &mut Walk<'_>,
    window: &Range<usize>,
    signs: &[ScalarBlock],
    writer: &mut VertexWriter<'_>,
) {
    let Some(blocks) = FormatBlocks::<V>::new(writer) else { return };
    let (whole, format) = (window.start + blocks.len(), blocks.format());
    let signs_from = |block: usize| signs.get(block..).unwrap_or_default();
    if window.start < whole {
        let to = FormatBuffers::new(blocks, signs_from(window.start));
        walk.skin::<L, _, V>(token, window.start..whole, to);
    }
    // What no run skins stays as it is.
    if whole < window.end && walk.covers(whole) {
        let mut last = LastVertices::new();
        let to = FormatBuffers::new(last.blocks::<V>(format), signs_from(whole));
        walk.skin::<L, _, V>(token, whole..window.end, to);
        last.copy_to::<V>(writer);
    }
}

/// What is skinned, and memory to do it.
struct Walk<'a> {
    palette: &'a [Matrix],
    /// Not a copy: it would be loaded in one piece, and wait for the pieces that the caller stored.
    source: &'a SkinSource<'a>,
    window: Range<usize>,
    /// There if there are columns.
    table: Option<&'a mut ColumnTable>,
}

impl Walk<'_> {
    /// Skins a part of the window, in a function of its own.
    #[inline(always)]
    fn skin<L: Lanes, S: Sink<V>, const V: usize>(&mut self, token: L::Token, part: Range<usize>, sink: S) {
        match self.source {
            SkinSource::Runs { .. } => self.skin_runs::<L, S, V>(token, part, sink),
            SkinSource::Segments(segments) => self.skin_segments::<L, S, V>(token, segments, part, sink),
        }
    }

    #[inline(always)]
    fn skin_runs<L: Lanes, S: Sink<V>, const V: usize>(&self, token: L::Token, part: Range<usize>, sink: S) {
        let &Self { palette, source, ref window, .. } = self;
        let &SkinSource::Runs { groups, base, base_vectors } = source else { return };
        let runs = Runs::new(groups, base, base_vectors, window.clone(), part);
        L::outline(token, SkinRuns::<S, V> { palette, runs, sink });
    }

    #[inline(always)]
    fn skin_segments<L: Lanes, S: Sink<V>, const V: usize>(
        &mut self,
        token: L::Token,
        segments: &Segments,
        part: Range<usize>,
        sink: S,
    ) {
        let Self { palette, table, .. } = self;
        let table = table.as_deref_mut();
        L::outline(token, SkinSegments::<S, V> { palette, segments, window: part, table, sink });
    }

    /// Whether a block is in a run or segment.
    #[inline(always)]
    fn covers(&self, block: usize) -> bool {
        match *self.source {
            SkinSource::Runs { groups, base, base_vectors } => {
                let part = block..block + 1;
                Runs::new(groups, base, base_vectors, self.window.clone(), part).next().is_some()
            }
            SkinSource::Segments(_) => true,
        }
    }

    /// Whether the vertices of a block share joints.
    #[inline(always)]
    fn shares_joints(&self, block: usize) -> bool {
        match self.source {
            SkinSource::Runs { .. } => true,
            SkinSource::Segments(segments) => segments.shares_joints(block),
        }
    }
}

/// Skins runs.
struct SkinRuns<'a, S, const V: usize> {
    palette: &'a [Matrix],
    runs: Runs<'a>,
    sink: S,
}

impl<L: Lanes, S: Sink<V>, const V: usize> Outlined<L> for SkinRuns<'_, S, V> {
    #[inline(always)]
    fn run(self, token: L::Token) {
        // Locals, which stay in registers: stores might change the memory of arguments.
        let Self { palette, mut runs, mut sink } = self;
        while let Some((blocks, run)) = runs.next() {
            let mut part = sink.part(blocks);
            shared_joints::skin_run::<L, _, V>(token, palette, run, runs.base_vectors(), &mut part);
        }
    }
}

/// Skins segments.
struct SkinSegments<'a, S, const V: usize> {
    palette: &'a [Matrix],
    segments: &'a Segments,
    window: Range<usize>,
    table: Option<&'a mut ColumnTable>,
    sink: S,
}

impl<L: Lanes, S: Sink<V>, const V: usize> Outlined<L> for SkinSegments<'_, S, V> {
    #[inline(always)]
    fn run(self, token: L::Token) {
        let Self { palette, segments, window, mut table, mut sink } = self;
        let base_vectors = segments.vectors();
        for index in segments.in_window(&window) {
            match segments.slice(index, &window) {
                Some(SegmentSlice::Shared(segment)) => {
                    shared_joints::skin_segment::<L, S, V>(token, palette, segment, base_vectors, &mut sink);
                }
                Some(SegmentSlice::Columns(segment)) => {
                    let Some(table) = &mut table else { continue };
                    let vertices = table.vertices::<L>(token, &segment, palette);
                    sink.skin_columns::<L>(token, vertices, segment.blocks);
                }
                None => {}
            }
        }
    }
}
