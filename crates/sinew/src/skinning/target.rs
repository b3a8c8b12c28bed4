//! The output of skinning: any vertex layout, in run or source order, for all vertices or a window
//! of blocks.

use std::ops::Range;

use sinew_kernels::{Aabb, BLOCK, VertexLayout};

use crate::length::LengthError;
use crate::length::check_len;
use crate::mesh::{Attributes, Mesh};
use crate::skinning::SkinningError;

/// The output of skinning: buffers of the caller, which are only written.
///
/// Blocks are the fastest layout. Packed arrays and interleaved vertices of 32 bytes (position,
/// normal, two unused floats) or 48 bytes (position, normal, tangent with sign, two unused floats)
/// take a third to two thirds longer, in run order with linear blending, no renormalization, no
/// bounds, and up to four influences. All other combinations are first skinned into a tile in the
/// L1 cache.
///
/// In run order, buffers have one element per slot of the window, including pads:
/// [`Mesh::padded_len`] for the whole mesh. In source order they have one element per vertex:
/// [`Mesh::len`].
#[derive(Debug)]
pub struct Target<'a> {
    /// The attributes to skin.
    pub attributes: Attributes,
    /// The order of vertices. Blocks are always in run order.
    pub order: VertexOrder,
    /// The layout of the vertices in memory.
    pub layout: VertexLayout<'a>,
    /// If set, an AABB that is extended to contain the skinned positions. Start with
    /// [`Aabb::EMPTY`].
    pub bounds: Option<&'a mut Aabb>,
    /// Skins only these blocks of eight slots, for callers with their own scheduler; `None` skins
    /// all. Windows may be skinned in any order, and the results do not depend on how blocks are
    /// divided. The best places to divide are the starts of runs: [`Mesh::run_starts`].
    pub window: Option<Range<usize>>,
}

/// The order of vertices in the output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VertexOrder {
    /// Slots of the mesh, including pads. [`Mesh::triangles`] indexes this order.
    #[default]
    Run,
    /// Vertices of the source, without pads. Slower.
    Source,
}

impl<'a> Target<'a> {
    /// All vertices in run order, without bounds.
    #[must_use]
    pub fn new(attributes: Attributes, layout: VertexLayout<'a>) -> Self {
        Self { attributes, order: VertexOrder::Run, layout, bounds: None, window: None }
    }

    /// Checks that the target fits the mesh. Returns the window.
    pub(crate) fn check(&self, mesh: &Mesh) -> Result<Range<usize>, SkinningError> {
        self.attributes.check(mesh)?;
        let blocks = mesh.blocks();
        let window = self.window.clone().unwrap_or(0..blocks);
        if window.start > window.end || window.end > blocks {
            return Err(SkinningError::WindowOutOfBounds {
                start: window.start,
                end: window.end,
                len: blocks,
            });
        }
        let (vectors, in_source_order) = (self.attributes.vectors(), self.order == VertexOrder::Source);
        let vertices = if in_source_order { mesh.len() } else { BLOCK * window.len() };
        match &self.layout {
            VertexLayout::Blocks(to) | VertexLayout::NonTemporalBlocks(to) => {
                if in_source_order {
                    return Err(SkinningError::BlocksInSourceOrder);
                }
                check_len("skinned blocks", vectors * window.len(), to.len())?;
            }
            VertexLayout::Streams(to) => {
                for stream in &to[..3 * vectors] {
                    check_len("skinned stream", vertices, stream.len())?;
                }
            }
            VertexLayout::Packed(to) => {
                for array in &to[..vectors] {
                    check_len("skinned vectors", vertices, array.len())?;
                }
            }
            VertexLayout::Interleaved { floats, stride, offsets } => {
                check_offsets(*stride, &offsets[..vectors])?;
                let floats_of_vertices = vertices.saturating_mul(*stride);
                if floats.len() < floats_of_vertices {
                    return Err(LengthError {
                        what: "interleaved floats",
                        expected: floats_of_vertices,
                        found: floats.len(),
                    }
                    .into());
                }
            }
        }
        Ok(window)
    }

    /// The layout of some blocks, counted from the start of the window, and the bounds. In source
    /// order it is the whole layout, because blocks are scattered.
    pub(crate) fn slice(&mut self, blocks: Range<usize>) -> (VertexLayout<'_>, Option<&mut Aabb>) {
        let vectors = self.attributes.vectors();
        let vector_blocks = vectors * blocks.start..vectors * blocks.end;
        let slots = match self.order {
            VertexOrder::Run => Some(BLOCK * blocks.start..BLOCK * blocks.end),
            VertexOrder::Source => None,
        };
        let layout = match &mut self.layout {
            VertexLayout::Blocks(to) => VertexLayout::Blocks(&mut to[vector_blocks]),
            VertexLayout::NonTemporalBlocks(to) => VertexLayout::NonTemporalBlocks(&mut to[vector_blocks]),
            VertexLayout::Streams(to) => {
                let mut streams: [&mut [f32]; 12] = std::array::from_fn(|_| Default::default());
                for (slice, stream) in streams.iter_mut().zip(to).take(3 * vectors) {
                    *slice = range_or_all(stream, &slots);
                }
                VertexLayout::Streams(streams)
            }
            VertexLayout::Packed(to) => {
                let mut arrays: [&mut [[f32; 3]]; 4] = std::array::from_fn(|_| Default::default());
                for (slice, array) in arrays.iter_mut().zip(to).take(vectors) {
                    *slice = range_or_all(array, &slots);
                }
                VertexLayout::Packed(arrays)
            }
            VertexLayout::Interleaved { floats, stride, offsets } => {
                let floats_of_slots = slots.map(|slots| *stride * slots.start..*stride * slots.end);
                let floats = range_or_all(floats, &floats_of_slots);
                VertexLayout::Interleaved { floats, stride: *stride, offsets: *offsets }
            }
        };
        (layout, self.bounds.as_deref_mut())
    }
}

fn range_or_all<'a, T>(slice: &'a mut [T], range: &Option<Range<usize>>) -> &'a mut [T] {
    match range {
        Some(range) => &mut slice[range.clone()],
        None => slice,
    }
}

const VECTORS: [&str; 4] = ["position", "normal", "tangent", "bitangent"];

/// Checks that every vector is within the stride and that none overlap. A tangent has four floats,
/// other vectors have three.
fn check_offsets(stride: usize, offsets: &[usize]) -> Result<(), SkinningError> {
    let end = |vector: usize| offsets[vector].saturating_add(if vector == 2 { 4 } else { 3 });
    for vector in 0..offsets.len() {
        if end(vector) > stride {
            let (vector, expected) = (VECTORS[vector], end(vector));
            return Err(SkinningError::StrideTooSmall { vector, expected, found: stride });
        }
        for other in 0..vector {
            if offsets[vector] < end(other) && offsets[other] < end(vector) {
                return Err(SkinningError::VectorsOverlap { first: VECTORS[other], second: VECTORS[vector] });
            }
        }
    }
    Ok(())
}
