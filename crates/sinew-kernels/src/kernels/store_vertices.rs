//! Stores skinned blocks in the caller's vertex layout and order.
//!
//! Skinning writes blocks. Every other layout is stored from a few blocks at a time, while they are
//! still in the L1 cache. So one skinning loop serves all layouts, and only this file knows them.

use std::hint::black_box;

use super::skin_vertices::normalize;
use super::vector::{Vector, cross};
use crate::lanes::Lanes;
use crate::lanes::inline_zip::InlineZip;
use crate::lanes::quads::packed_blocks_mut;
use crate::{Aabb, BLOCK, DirectionLength, ScalarBlock, VectorBlock};

/// Stores blocks of vertices in another layout, adds bitangents and computes the AABB of the
/// positions.
#[derive(Debug)]
pub struct StoreVertices<'a> {
    /// `vectors` for each block: position, normal, tangent, bitangent.
    pub blocks: &'a [VectorBlock],
    /// Vectors per block: 1 to 4.
    pub vectors: usize,
    /// The bitangent signs of each block, stored as the fourth component of tangents. If empty, all
    /// are 1.
    pub signs: &'a [ScalarBlock],
    /// Whether bitangents are computed as a fourth vector.
    pub bitangents: BitangentSource,
    /// Write-only: the destination.
    pub layout: VertexLayout<'a>,
    /// The output vertex of each slot of the blocks. A vertex out of range is skipped. `None`: slot
    /// order. Ignored if the layout is blocks.
    pub remap: Option<&'a [u32]>,
    /// Extended to contain the positions. A NaN coordinate is ignored.
    pub bounds: Option<&'a mut Aabb>,
}

/// Where bitangents come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BitangentSource {
    /// The blocks, if they have four vectors.
    #[default]
    AsSkinned,
    /// Normal x tangent, times the sign; renormalized or not.
    FromSigns(DirectionLength),
}

/// How vertices are laid out in memory, with the destination slices.
#[derive(Debug)]
pub enum VertexLayout<'a> {
    /// Blocks: the vectors of each block in turn.
    Blocks(&'a mut [VectorBlock]),
    /// The same, with non-temporal stores: for outputs that would fill much of the caches.
    NonTemporalBlocks(&'a mut [VectorBlock]),
    /// One array per component: three for each vector. The arrays of absent vectors are unused.
    Streams([&'a mut [f32]; 12]),
    /// One array per vector.
    Packed([&'a mut [[f32; 3]]; 4]),
    /// All vectors of a vertex in one buffer. The floats between them are not written.
    Interleaved {
        /// The buffer.
        floats: &'a mut [f32],
        /// Floats from one vertex to the next.
        stride: usize,
        /// Offset of each vector in a vertex, in floats. A tangent has four floats, with the sign;
        /// the others have three.
        offsets: [usize; 4],
    },
}

impl StoreVertices<'_> {
    /// Number of vectors written per vertex.
    #[inline(always)]
    fn output_vectors(&self) -> usize {
        self.vectors + usize::from(self.bitangents != BitangentSource::AsSkinned)
    }

    #[inline(always)]
    fn check(&self) {
        assert!((1..=4).contains(&self.vectors), "one to four vectors");
        assert!(
            self.bitangents == BitangentSource::AsSkinned || self.vectors == 3,
            "three vectors to compute bitangents from"
        );
        let blocks = self.blocks.len() / self.vectors;
        assert!(blocks * self.vectors == self.blocks.len(), "whole blocks");
        assert!(self.signs.is_empty() || self.signs.len() == blocks, "the signs of every block");
        assert!(self.remap.is_none_or(|remap| remap.len() == BLOCK * blocks), "a remap entry for every slot");
        let (output_vectors, slots) = (self.output_vectors(), BLOCK * blocks);
        let in_slot_order = self.remap.is_none();
        match &self.layout {
            VertexLayout::Blocks(to) | VertexLayout::NonTemporalBlocks(to) => {
                assert!(to.len() == blocks * output_vectors, "as many output blocks as are written");
            }
            VertexLayout::Streams(to) => {
                let fit = |stream: &&mut [f32]| !in_slot_order || stream.len() == slots;
                assert!(to.iter().take(3 * output_vectors).all(fit), "a stream element for every slot");
            }
            VertexLayout::Packed(to) => {
                let fit = |array: &&mut [[f32; 3]]| !in_slot_order || array.len() == slots;
                assert!(to.iter().take(output_vectors).all(fit), "an array element for every slot");
            }
            VertexLayout::Interleaved { floats, stride, offsets } => {
                let inside = |(v, &offset): (usize, &usize)| offset <= *stride && stride - offset >= width(v);
                assert!(
                    offsets.iter().enumerate().take(output_vectors).all(inside),
                    "a stride that holds every vector"
                );
                let fit =
                    slots.checked_mul(*stride).is_some_and(|floats_of_slots| floats_of_slots == floats.len());
                assert!(!in_slot_order || fit, "a buffer of every slot");
            }
        }
    }
}

/// Number of floats of a vector in an interleaved vertex.
#[inline(always)]
fn width(vector: usize) -> usize {
    if vector == TANGENT { 4 } else { 3 }
}

/// Index of the tangent among the vectors.
pub(super) const TANGENT: usize = 2;

#[inline(always)]
pub(crate) fn body<L: Lanes>(token: L::Token, contract: &mut StoreVertices<'_>) {
    contract.check();
    let output_vectors = contract.output_vectors();
    let StoreVertices { blocks, vectors, signs, bitangents, layout, remap, bounds } = contract;
    if let Some(bounds) = bounds {
        extend_bounds::<L>(token, bounds, blocks, *vectors);
    }
    let source = Source { blocks, vectors: *vectors, signs, bitangents: *bitangents };
    match (layout, remap) {
        (VertexLayout::Blocks(to), _) if output_vectors == *vectors => {
            for (b, to) in to.iter_mut().enumerate() {
                let Some(from) = blocks.get(b) else { break };
                copy::<L>(token, from, to);
            }
        }
        (VertexLayout::Blocks(to), _) => {
            store_all::<L, _>(token, &source, &mut Blocks { to, output_vectors })
        }
        (VertexLayout::NonTemporalBlocks(to), _) => {
            store_all::<L, _>(token, &source, &mut NonTemporal { to, output_vectors });
            L::store_fence(token);
        }
        (VertexLayout::Streams(to), None) => store_all::<L, _>(token, &source, &mut Streams { to }),
        (VertexLayout::Streams(to), Some(remap)) => {
            store_all::<L, _>(token, &source, &mut RemappedStreams { to, remap })
        }
        (VertexLayout::Packed(to), None) => store_all::<L, _>(token, &source, &mut Packed { to }),
        (VertexLayout::Packed(to), Some(remap)) => {
            store_all::<L, _>(token, &source, &mut RemappedPacked { to, remap })
        }
        (VertexLayout::Interleaved { floats, stride, offsets }, remap) => {
            let mut wide = [false; 4];
            for (v, (wide, offset)) in wide.iter_mut().inline_zip(offsets.iter()).enumerate() {
                let mut later = offsets.iter().take(output_vectors).skip(v + 1);
                *wide = v == TANGENT || later.any(|later| *later == offset + 3);
            }
            let to = InterleavedBuffer { floats, stride: *stride, offsets, wide };
            match remap {
                None => store_all::<L, _>(token, &source, &mut Interleaved { to }),
                Some(remap) => store_all::<L, _>(token, &source, &mut RemappedInterleaved { to, remap }),
            }
        }
    }
}

/// Copies a block.
#[inline(always)]
fn copy<L: Lanes>(token: L::Token, from: &VectorBlock, to: &mut VectorBlock) {
    for r in 0..3 {
        for group in 0..L::GROUPS {
            L::load(token, &from.rows[r], group).store(&mut to.rows[r], group);
        }
        // Otherwise the compiler merges two rows into one 512-bit copy.
        black_box(&to.rows[r][0]);
    }
}

/// Extends the bounds to contain the positions of blocks.
#[inline(always)]
fn extend_bounds<L: Lanes>(token: L::Token, bounds: &mut Aabb, blocks: &[VectorBlock], vectors: usize) {
    let mut lowest = [L::splat(token, f32::INFINITY); 3];
    let mut highest = [L::splat(token, f32::NEG_INFINITY); 3];
    for block in blocks.iter().step_by(vectors) {
        for group in L::groups() {
            for axis in 0..3 {
                let x = L::load(token, &block.rows[axis], group);
                lowest[axis] = x.min(lowest[axis]);
                highest[axis] = x.max(highest[axis]);
            }
        }
    }
    let mut rows = [[0.0; BLOCK]; 6];
    for axis in 0..3 {
        for group in L::groups() {
            lowest[axis].store(&mut rows[axis], group);
            highest[axis].store(&mut rows[axis + 3], group);
        }
    }
    for axis in 0..3 {
        for (low, high) in rows[axis].iter().inline_zip(&rows[axis + 3]) {
            // Adding zero turns -0.0 into 0.0, so that the result does not depend on the order of
            // lanes.
            let (low, high) = (low + 0.0, high + 0.0);
            bounds.min[axis] = if low < bounds.min[axis] { low } else { bounds.min[axis] };
            bounds.max[axis] = if high > bounds.max[axis] { high } else { bounds.max[axis] };
        }
    }
}

/// The input.
struct Source<'a> {
    blocks: &'a [VectorBlock],
    vectors: usize,
    signs: &'a [ScalarBlock],
    bitangents: BitangentSource,
}

/// The position of one vector of one register of vertices.
#[derive(Clone, Copy)]
struct VectorSlot {
    block: usize,
    group: usize,
    vector: usize,
}

/// A destination of vertices.
trait Sink {
    /// Stores one vector; `sign` is the fourth component of tangents.
    fn store<L: Lanes>(&mut self, slot: VectorSlot, vector: Vector<L>, sign: L);
}

#[inline(always)]
fn store_all<L: Lanes, S: Sink>(token: L::Token, source: &Source<'_>, sink: &mut S) {
    for (block, own) in source.blocks.chunks_exact(source.vectors).enumerate() {
        for group in L::groups() {
            let sign = match source.signs.get(block) {
                Some(row) => L::load(token, &row.0, group),
                None => L::splat(token, 1.0),
            };
            for (vector, own) in own.iter().enumerate() {
                sink.store(VectorSlot { block, group, vector }, load(token, own, group), sign);
            }
            if let (BitangentSource::FromSigns(directions), [_, normal, tangent]) = (source.bitangents, own) {
                let [x, y, z] = cross(load::<L>(token, normal, group), load(token, tangent, group));
                let mut bitangent = [x * sign, y * sign, z * sign];
                if directions == DirectionLength::Unit {
                    bitangent = normalize(token, bitangent);
                }
                sink.store(VectorSlot { block, group, vector: 3 }, bitangent, sign);
            }
        }
    }
}

#[inline(always)]
fn load<L: Lanes>(token: L::Token, block: &VectorBlock, group: usize) -> Vector<L> {
    [
        L::load(token, &block.rows[0], group),
        L::load(token, &block.rows[1], group),
        L::load(token, &block.rows[2], group),
    ]
}

struct Blocks<'a> {
    to: &'a mut [VectorBlock],
    output_vectors: usize,
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

struct NonTemporal<'a> {
    to: &'a mut [VectorBlock],
    output_vectors: usize,
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

struct Streams<'a, 'b> {
    to: &'a mut [&'b mut [f32]; 12],
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

struct RemappedStreams<'a, 'b> {
    to: &'a mut [&'b mut [f32]; 12],
    remap: &'a [u32],
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

struct Packed<'a, 'b> {
    to: &'a mut [&'b mut [[f32; 3]]; 4],
}

impl Sink for Packed<'_, '_> {
    #[inline(always)]
    fn store<L: Lanes>(
        &mut self,
        VectorSlot { block, group, vector }: VectorSlot,
        components: Vector<L>,
        _sign: L,
    ) {
        let Some(array) = self.to.get_mut(vector) else { return };
        if let Some(to) = packed_blocks_mut(array).get_mut(block) {
            L::store_packed(components, to, group);
        }
    }
}

struct RemappedPacked<'a, 'b> {
    to: &'a mut [&'b mut [[f32; 3]]; 4],
    remap: &'a [u32],
}

impl Sink for RemappedPacked<'_, '_> {
    #[inline(always)]
    fn store<L: Lanes>(
        &mut self,
        VectorSlot { block, group, vector }: VectorSlot,
        components: Vector<L>,
        sign: L,
    ) {
        let Some(array) = self.to.get_mut(vector) else { return };
        let Some(remap) = self.remap.as_chunks::<BLOCK>().0.get(block) else { return };
        let [x, y, z] = components;
        let rows = L::transpose([x, y, z, sign]);
        for k in 0..4 {
            for quad in 0..L::QUADS {
                let vertex = remap[(group * L::LEN + 4 * quad + k) % BLOCK];
                if let Some(to) = array.get_mut(vertex as usize) {
                    rows[k].store_vec3(quad, to);
                }
            }
        }
    }
}

/// An interleaved buffer.
struct InterleavedBuffer<'a> {
    floats: &'a mut [f32],
    stride: usize,
    offsets: &'a [usize; 4],
    /// Whether a fourth float may be written: a tangent's sign, or one that a later vector
    /// overwrites.
    wide: [bool; 4],
}

/// Stores three or four lanes of a quad at the start of a slice, if it is long enough.
#[inline(always)]
fn store_quad_or_vec3<L: Lanes>(row: L, quad: usize, wide: bool, to: Option<&mut [f32]>) {
    let Some(to) = to else { return };
    if wide {
        if let Some(to) = to.first_chunk_mut() {
            row.store_quad(quad, to);
        }
    } else if let Some(to) = to.first_chunk_mut() {
        row.store_vec3(quad, to);
    }
}

struct Interleaved<'a> {
    to: InterleavedBuffer<'a>,
}

impl Sink for Interleaved<'_> {
    #[inline(always)]
    fn store<L: Lanes>(
        &mut self,
        VectorSlot { block, group, vector }: VectorSlot,
        [x, y, z]: Vector<L>,
        sign: L,
    ) {
        let InterleavedBuffer { floats, stride, offsets, wide } = &mut self.to;
        let (Some(offset), Some(&wide)) = (offsets.get(vector), wide.get(vector)) else { return };
        let first = (block * BLOCK + group * L::LEN) * *stride + offset;
        let Some(to) = floats.get_mut(first..) else { return };
        let rows = L::transpose([x, y, z, sign]);
        for k in 0..4 {
            for quad in 0..L::QUADS {
                store_quad_or_vec3(rows[k], quad, wide, to.get_mut((4 * quad + k) * *stride..));
            }
        }
    }
}

struct RemappedInterleaved<'a> {
    to: InterleavedBuffer<'a>,
    remap: &'a [u32],
}

impl Sink for RemappedInterleaved<'_> {
    #[inline(always)]
    fn store<L: Lanes>(
        &mut self,
        VectorSlot { block, group, vector }: VectorSlot,
        [x, y, z]: Vector<L>,
        sign: L,
    ) {
        let InterleavedBuffer { floats, stride, offsets, wide } = &mut self.to;
        let (Some(offset), Some(&wide)) = (offsets.get(vector), wide.get(vector)) else { return };
        let Some(remap) = self.remap.as_chunks::<BLOCK>().0.get(block) else { return };
        let rows = L::transpose([x, y, z, sign]);
        for k in 0..4 {
            for quad in 0..L::QUADS {
                let vertex = remap[(group * L::LEN + 4 * quad + k) % BLOCK] as usize;
                let from = vertex.saturating_mul(*stride).saturating_add(*offset);
                store_quad_or_vec3(rows[k], quad, wide, floats.get_mut(from..));
            }
        }
    }
}
