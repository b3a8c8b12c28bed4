//! Linear blend skinning of runs, stored directly in the vertex layouts that programs draw from.
//!
//! The same sums as in `skin_shared_joints`, but stored from registers as packed arrays or
//! interleaved vertices, without going through blocks; or as blocks with non-temporal stores, so
//! that memory is busy while the next sums are computed.

use std::ops::Range;

use super::skin_shared_joints::{Differences, JointSet, MAX_FIXED_JOINTS};
use super::skin_vertices::{Run, transform};
use super::store_vertices::TANGENT;
use super::vector::Vector;
use crate::lanes::Lanes;
use crate::lanes::inline_zip::InlineZip;
use crate::lanes::quads::packed_blocks_mut;
use crate::{BLOCK, Matrix, ScalarBlock, VectorBlock};

/// Skins runs of vertices with up to four influences, in run order.
#[derive(Debug)]
pub struct SkinIntoLayout<'a> {
    /// One matrix per joint of the skin.
    pub palette: &'a [Matrix],
    /// The runs. All in one call, because a call with non-temporal stores ends with a store fence.
    pub groups: &'a [RunGroup<'a>],
    /// Base (rest) vectors, `base_vectors` for each block of the mesh: position, normal, tangent.
    pub base: &'a [VectorBlock],
    /// Vectors per block in `base`: at least `vectors`.
    pub base_vectors: usize,
    /// The range of blocks to skin. Runs are clipped to it.
    pub window: Range<usize>,
    /// Number of vectors to skin per vertex: 1 to 3.
    pub vectors: usize,
    /// Write-only: the output vertices of the window.
    pub layout: FusedLayout<'a>,
}

/// Runs with the same number of influences.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunGroup<'a> {
    /// Joints per run: 1 to 4.
    pub influences: usize,
    /// The runs. Weights are indexed in units of `influences - 1` scalar blocks.
    pub runs: &'a [Run],
    /// `influences` joints per run. A joint outside the palette counts as the identity.
    pub joints: &'a [u32],
    /// Per block, the weights of all joints of the run except the last, whose weight is one minus
    /// the others.
    pub weights: &'a [ScalarBlock],
}

/// The vertex layouts that skinning can store directly. [`StoreVertices`](crate::StoreVertices)
/// stores all others.
#[derive(Debug)]
pub enum FusedLayout<'a> {
    /// One array per vector, for one to three vectors.
    Packed([&'a mut [[f32; 3]]; 3]),
    /// 32 bytes per vertex, for two vectors: position, normal, and two floats that are not written,
    /// such as texture coordinates.
    Interleaved32(&'a mut [[f32; 8]]),
    /// 48 bytes per vertex, for three vectors: position, normal, tangent with its sign, and two
    /// floats that are not written.
    Interleaved48 {
        /// The vertices.
        vertices: &'a mut [[f32; 12]],
        /// The bitangent signs of each block of the mesh.
        signs: &'a [ScalarBlock],
    },
    /// Blocks, with non-temporal stores where those are faster, for one to three vectors.
    NonTemporalBlocks(&'a mut [VectorBlock]),
}

impl SkinIntoLayout<'_> {
    #[inline(always)]
    fn check(&self) {
        for group in self.groups {
            assert!((1..=4).contains(&group.influences), "one to four influences");
            let joints = group.runs.len().checked_mul(group.influences);
            assert!(joints == Some(group.joints.len()), "the joints of every run");
        }
        assert!((1..=3).contains(&self.vectors) && self.vectors <= self.base_vectors, "one to three vectors");
        let blocks = self.base.len() / self.base_vectors;
        assert!(blocks * self.base_vectors == self.base.len(), "whole blocks of base vectors");
        assert!(self.window.start <= self.window.end && self.window.end <= blocks, "a window in the mesh");
        let slots = BLOCK * self.window.len();
        match &self.layout {
            FusedLayout::Packed(to) => {
                let fit = |array: &&mut [[f32; 3]]| array.len() == slots;
                assert!(to.iter().take(self.vectors).all(fit), "an array element for every slot");
            }
            FusedLayout::Interleaved32(vertices) => {
                assert!(self.vectors == 2, "two vectors in 32 bytes");
                assert!(vertices.len() == slots, "a vertex for every slot");
            }
            FusedLayout::Interleaved48 { vertices, signs } => {
                assert!(self.vectors == 3, "three vectors in 48 bytes");
                assert!(vertices.len() == slots, "a vertex for every slot");
                assert!(signs.len() == blocks, "the signs of every block");
            }
            FusedLayout::NonTemporalBlocks(to) => {
                assert!(to.len() == self.vectors * self.window.len(), "the vectors of every block");
            }
        }
    }
}

#[inline(always)]
pub(crate) fn body<L: Lanes>(token: L::Token, contract: &mut SkinIntoLayout<'_>) {
    contract.check();
    let SkinIntoLayout { palette, groups, base, base_vectors, window, vectors, layout } = contract;
    let source = Source { palette, groups, base, base_vectors: *base_vectors, window };
    match layout {
        FusedLayout::Packed(arrays) => {
            let [a, b, c] = arrays;
            let mut sink =
                Packed { arrays: [packed_blocks_mut(a), packed_blocks_mut(b), packed_blocks_mut(c)] };
            match vectors {
                1 => dispatch_joint_count::<L, _, 1>(token, &source, &mut sink),
                2 => dispatch_joint_count::<L, _, 2>(token, &source, &mut sink),
                _ => dispatch_joint_count::<L, _, 3>(token, &source, &mut sink),
            }
        }
        FusedLayout::Interleaved32(vertices) => {
            let mut sink = Interleaved::<6, 8> { vertices, signs: &[] };
            dispatch_joint_count::<L, _, 2>(token, &source, &mut sink);
        }
        FusedLayout::Interleaved48 { vertices, signs } => {
            let signs = signs.get(window.start..).unwrap_or_default();
            let mut sink = Interleaved::<10, 12> { vertices, signs };
            dispatch_joint_count::<L, _, 3>(token, &source, &mut sink);
        }
        FusedLayout::NonTemporalBlocks(blocks) => {
            let mut sink = NonTemporal { blocks };
            match vectors {
                1 => dispatch_joint_count::<L, _, 1>(token, &source, &mut sink),
                2 => dispatch_joint_count::<L, _, 2>(token, &source, &mut sink),
                _ => dispatch_joint_count::<L, _, 3>(token, &source, &mut sink),
            }
            L::store_fence(token);
        }
    }
}

/// The input.
struct Source<'a> {
    palette: &'a [Matrix],
    groups: &'a [RunGroup<'a>],
    base: &'a [VectorBlock],
    base_vectors: usize,
    window: &'a Range<usize>,
}

#[inline(always)]
fn dispatch_joint_count<L: Lanes, S: Sink, const V: usize>(
    token: L::Token,
    source: &Source<'_>,
    sink: &mut S,
) {
    for group in source.groups {
        match group.influences {
            _ if L::COMPACT_LOOPS => any_joint_count::<L, S, V>(token, source, group, sink),
            1 => fixed_joint_count::<L, S, 1, V>(token, source, group, sink),
            2 => fixed_joint_count::<L, S, 2, V>(token, source, group, sink),
            3 => fixed_joint_count::<L, S, 3, V>(token, source, group, sink),
            _ => fixed_joint_count::<L, S, 4, V>(token, source, group, sink),
        }
    }
}

/// The part of a run inside the window.
struct RunSlice<'a> {
    /// Its blocks, counted from the window's first.
    blocks: Range<usize>,
    base: &'a [VectorBlock],
    weights: &'a [ScalarBlock],
}

impl<'a> Source<'a> {
    /// Clips a run to the window. `None` if no block is left. Each block has `each` scalar blocks
    /// of weights.
    #[inline(always)]
    fn run_slice(&self, run: &Run, weights: &'a [ScalarBlock], each: usize) -> Option<RunSlice<'a>> {
        let Source { base, base_vectors, window, .. } = *self;
        let first = run.first as usize;
        let start = first.max(window.start);
        let end = first.saturating_add(run.blocks as usize).min(window.end);
        if start >= end {
            return None;
        }
        let before = (run.weights as usize).saturating_add(start - first).saturating_mul(each);
        let weights = weights.get(before..)?.get(..(end - start) * each)?;
        let base = base.get(start * base_vectors..end * base_vectors)?;
        Some(RunSlice { blocks: start - window.start..end - window.start, base, weights })
    }
}

#[inline(always)]
fn fixed_joint_count<L: Lanes, S: Sink, const K: usize, const V: usize>(
    token: L::Token,
    source: &Source<'_>,
    group: &RunGroup<'_>,
    sink: &mut S,
) {
    for (joints, run) in group.joints.as_chunks::<K>().0.iter().inline_zip(group.runs) {
        let Some(RunSlice { blocks, base, mut weights }) = source.run_slice(run, group.weights, K - 1) else {
            continue;
        };
        let differences = Differences::new::<L>(token, source.palette, joints);
        let differences = differences.opaque::<L, V>();
        for (block, base) in blocks.inline_zip(base.chunks_exact(source.base_vectors)) {
            let (Some(base), Some((own, rest))) = (base.first_chunk::<V>(), weights.split_at_checked(K - 1))
            else {
                break;
            };
            weights = rest;
            let Some(mut writer) = sink.block_writer::<L, V>(token, block) else { break };
            for group in L::groups() {
                let matrix = differences.weighted::<L>(token, own, group);
                let vectors = transform::<L, V>(token, &matrix, base, group);
                writer.store(token, group, vectors);
            }
        }
    }
}

/// Runs with any number of joints, in one loop.
#[inline(always)]
fn any_joint_count<L: Lanes, S: Sink, const V: usize>(
    token: L::Token,
    source: &Source<'_>,
    group: &RunGroup<'_>,
    sink: &mut S,
) {
    let RunGroup { influences, runs, joints, weights } = *group;
    let mut scratch = [Matrix::ZERO; MAX_FIXED_JOINTS - 1];
    for (joints, run) in joints.chunks_exact(influences).inline_zip(runs) {
        let Some(RunSlice { blocks, base, mut weights }) = source.run_slice(run, weights, influences - 1)
        else {
            continue;
        };
        let set = JointSet::new::<L>(token, source.palette, joints, &mut scratch);
        for (block, base) in blocks.inline_zip(base.chunks_exact(source.base_vectors)) {
            let (Some(base), Some((own, rest))) =
                (base.first_chunk::<V>(), weights.split_at_checked(influences - 1))
            else {
                break;
            };
            weights = rest;
            let Some(mut writer) = sink.block_writer::<L, V>(token, block) else { break };
            for group in L::groups() {
                let matrix = set.weighted::<L>(token, source.palette, own, group);
                let vectors = transform::<L, V>(token, &matrix, base, group);
                writer.store(token, group, vectors);
            }
        }
    }
}

/// A destination of vertices.
trait Sink {
    /// Writes one block.
    type Writer<'a>: BlockWriter
    where
        Self: 'a;
    /// The writer of a block, counted from the window's first, for `V` vectors. Created before the
    /// sums, so that no bounds check runs while they occupy the registers.
    fn block_writer<L: Lanes, const V: usize>(
        &mut self,
        token: L::Token,
        block: usize,
    ) -> Option<Self::Writer<'_>>;
}

/// Writes the vectors of one block.
trait BlockWriter {
    /// Stores one register of vertices.
    fn store<L: Lanes, const V: usize>(&mut self, token: L::Token, group: usize, vectors: [Vector<L>; V]);
}

struct Packed<'a> {
    arrays: [&'a mut [[f32; 3 * BLOCK]]; 3],
}

impl<'b> Sink for Packed<'b> {
    type Writer<'a>
        = [Option<&'a mut [f32; 3 * BLOCK]>; 3]
    where
        'b: 'a;

    #[inline(always)]
    fn block_writer<L: Lanes, const V: usize>(
        &mut self,
        _: L::Token,
        block: usize,
    ) -> Option<Self::Writer<'_>> {
        let [a, b, c] = &mut self.arrays;
        let mut writer = [Some(a.get_mut(block)?), None, None];
        if V > 1 {
            writer[1] = Some(b.get_mut(block)?);
        }
        if V > 2 {
            writer[2] = Some(c.get_mut(block)?);
        }
        Some(writer)
    }
}

impl BlockWriter for [Option<&mut [f32; 3 * BLOCK]>; 3] {
    #[inline(always)]
    fn store<L: Lanes, const V: usize>(&mut self, _: L::Token, group: usize, vectors: [Vector<L>; V]) {
        for v in 0..V {
            if let Some(to) = &mut self[v] {
                L::store_packed(vectors[v], to, group);
            }
        }
    }
}

struct NonTemporal<'a> {
    blocks: &'a mut [VectorBlock],
}

impl<'b> Sink for NonTemporal<'b> {
    type Writer<'a>
        = &'a mut [VectorBlock]
    where
        'b: 'a;

    #[inline(always)]
    fn block_writer<L: Lanes, const V: usize>(
        &mut self,
        token: L::Token,
        block: usize,
    ) -> Option<Self::Writer<'_>> {
        let writer = self.blocks.as_chunks_mut::<V>().0.get_mut(block)?;
        L::prefetch_page(token, writer);
        Some(writer)
    }
}

impl BlockWriter for &mut [VectorBlock] {
    #[inline(always)]
    fn store<L: Lanes, const V: usize>(&mut self, _: L::Token, group: usize, vectors: [Vector<L>; V]) {
        let Some(to) = self.first_chunk_mut::<V>() else { return };
        for v in 0..V {
            for r in 0..3 {
                vectors[v][r].store_non_temporal(&mut to[v], r, group);
            }
        }
    }
}

/// Interleaved vertices, of which `WIDTH` floats are written. The constant stride avoids bounds
/// checks per vertex.
struct Interleaved<'a, const WIDTH: usize, const STRIDE: usize> {
    vertices: &'a mut [[f32; STRIDE]],
    signs: &'a [ScalarBlock],
}

/// Eight vertices, and their bitangent signs if they have tangents.
struct VertexBlockWriter<'a, const WIDTH: usize, const STRIDE: usize> {
    vertices: &'a mut [[f32; STRIDE]; BLOCK],
    signs: Option<&'a ScalarBlock>,
}

impl<'b, const WIDTH: usize, const STRIDE: usize> Sink for Interleaved<'b, WIDTH, STRIDE> {
    type Writer<'a>
        = VertexBlockWriter<'a, WIDTH, STRIDE>
    where
        'b: 'a;

    #[inline(always)]
    fn block_writer<L: Lanes, const V: usize>(
        &mut self,
        _: L::Token,
        block: usize,
    ) -> Option<Self::Writer<'_>> {
        let vertices = self.vertices.as_chunks_mut::<BLOCK>().0.get_mut(block)?;
        let signs = if V > TANGENT { Some(self.signs.get(block)?) } else { None };
        Some(VertexBlockWriter { vertices, signs })
    }
}

impl<const WIDTH: usize, const STRIDE: usize> BlockWriter for VertexBlockWriter<'_, WIDTH, STRIDE> {
    #[inline(always)]
    fn store<L: Lanes, const V: usize>(&mut self, token: L::Token, group: usize, vectors: [Vector<L>; V]) {
        let sign = match self.signs {
            Some(row) => L::load(token, &row.0, group),
            None => L::splat(token, 0.0),
        };
        // Quad `q` of row `k` is vertex `4 q + k`.
        let mut rows = [[sign; 4]; V];
        for v in 0..V {
            let [x, y, z] = vectors[v];
            rows[v] = L::transpose([x, y, z, sign]);
        }
        for quad in 0..L::QUADS {
            for k in 0..4 {
                let vertex = &mut self.vertices[(group * L::LEN + 4 * quad + k) % BLOCK];
                let Some(vertex) = vertex.first_chunk_mut::<WIDTH>() else { return };
                store_vertex(&rows, k, quad, vertex);
            }
        }
    }
}

/// Stores the vectors of one vertex.
#[inline(always)]
fn store_vertex<L: Lanes, const V: usize, const WIDTH: usize>(
    rows: &[[L; 4]; V],
    k: usize,
    quad: usize,
    to: &mut [f32; WIDTH],
) {
    for v in 0..V {
        let row = rows[v][k];
        // The tangent is followed by its sign.
        let Some(to) = to.get_mut(3 * v + usize::from(v > TANGENT)..) else { return };
        if v + 1 < V || v == TANGENT {
            // Stores four floats; the next vector overwrites the fourth.
            if let Some(to) = to.first_chunk_mut() {
                row.store_quad(quad, to);
            }
        } else if let Some(to) = to.first_chunk_mut() {
            row.store_vec3(quad, to);
        }
    }
}
