//! Where skinned vertices go: any form, in either order, all or a window of them.

use std::ops::Range;

use sinew_kernels::{Aabb, BLOCK, VertexLayout};

use crate::error::check_len;
use crate::{Attributes, Error, Mesh};

/// Where skinned vertices go: memory of the caller's own, which is only written.
///
/// Blocks are the fastest. Packed arrays, and interleaved vertices of 32 bytes (position, normal, two floats of the
/// caller's) or 48 (position, normal, tangent with sign, two floats), cost a third to two thirds more in run order, with linear
/// blending, directions as blended, no bounds, and up to four influences. All else takes a detour through the nearest cache.
///
/// In run order there is room for every place of the window, pads included: [`Mesh::padded_len`] of all. In source
/// order there is room for every vertex: [`Mesh::len`].
#[derive(Debug)]
pub struct Target<'a> {
    /// What to skin.
    pub attributes: Attributes,
    /// The order of vertices; blocks are always in run order.
    pub order: Order,
    /// How the vertices lie in memory.
    pub form: VertexLayout<'a>,
    /// Grown to hold the positions that are skinned, where it is given: start with [`Aabb::EMPTY`].
    pub bounds: Option<&'a mut Aabb>,
    /// Skins these blocks of eight places only, for a scheduler of the caller's own; `None` skins all. Blocks may be
    /// skinned in any order, and no result depends on how they are divided. [`Mesh::run_starts`] says where runs begin,
    /// which are the best places to divide at.
    pub window: Option<Range<usize>>,
}

/// The order of vertices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// As the mesh has them, pads included: what [`Mesh::triangles`] counts in.
    #[default]
    Run,
    /// As the source had them, without pads. Slower.
    Source,
}

impl<'a> Target<'a> {
    /// All vertices, in run order, without bounds.
    #[must_use]
    pub fn new(attributes: Attributes, form: VertexLayout<'a>) -> Self {
        Self { attributes, order: Order::Run, form, bounds: None, window: None }
    }

    /// The window, if all of the target fits the mesh.
    pub(crate) fn check(&self, mesh: &Mesh) -> Result<Range<usize>, Error> {
        self.attributes.check(mesh)?;
        let blocks = mesh.blocks();
        let window = self.window.clone().unwrap_or(0..blocks);
        if window.start > window.end || window.end > blocks {
            return Err(Error::WindowOutOfBounds { start: window.start, end: window.end, len: blocks });
        }
        let (vectors, ordered) = (self.attributes.vectors(), self.order == Order::Source);
        let vertices = if ordered { mesh.len() } else { BLOCK * window.len() };
        match &self.form {
            VertexLayout::Blocks(to) | VertexLayout::NonTemporalBlocks(to) => {
                if ordered {
                    return Err(Error::BlocksInSourceOrder);
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
                    return Err(Error::Length {
                        what: "interleaved floats",
                        expected: floats_of_vertices,
                        found: floats.len(),
                    });
                }
            }
        }
        Ok(window)
    }

    /// The blocks of a part of the window, counted from its start, as a form of their own, and the bounds. In source
    /// order they may go anywhere.
    pub(crate) fn part(&mut self, part: Range<usize>) -> (VertexLayout<'_>, Option<&mut Aabb>) {
        let vectors = self.attributes.vectors();
        let blocks = vectors * part.start..vectors * part.end;
        let places = match self.order {
            Order::Run => Some(BLOCK * part.start..BLOCK * part.end),
            Order::Source => None,
        };
        let form = match &mut self.form {
            VertexLayout::Blocks(to) => VertexLayout::Blocks(&mut to[blocks]),
            VertexLayout::NonTemporalBlocks(to) => VertexLayout::NonTemporalBlocks(&mut to[blocks]),
            VertexLayout::Streams(to) => {
                let mut streams: [&mut [f32]; 12] = std::array::from_fn(|_| Default::default());
                for (part, stream) in streams.iter_mut().zip(to).take(3 * vectors) {
                    *part = some_or_all(stream, &places);
                }
                VertexLayout::Streams(streams)
            }
            VertexLayout::Packed(to) => {
                let mut arrays: [&mut [[f32; 3]]; 4] = std::array::from_fn(|_| Default::default());
                for (part, array) in arrays.iter_mut().zip(to).take(vectors) {
                    *part = some_or_all(array, &places);
                }
                VertexLayout::Packed(arrays)
            }
            VertexLayout::Interleaved { floats, stride, offsets } => {
                let floats_of_places = places.map(|places| *stride * places.start..*stride * places.end);
                let floats = some_or_all(floats, &floats_of_places);
                VertexLayout::Interleaved { floats, stride: *stride, offsets: *offsets }
            }
        };
        (form, self.bounds.as_deref_mut())
    }
}

fn some_or_all<'a, T>(slice: &'a mut [T], some: &Option<Range<usize>>) -> &'a mut [T] {
    match some {
        Some(range) => &mut slice[range.clone()],
        None => slice,
    }
}

const VECTORS: [&str; 4] = ["position", "normal", "tangent", "bitangent"];

/// Demands that every vector lies within the stride and none in another. A tangent has four floats, others three.
fn check_offsets(stride: usize, offsets: &[usize]) -> Result<(), Error> {
    let end = |vector: usize| offsets[vector].saturating_add(if vector == 2 { 4 } else { 3 });
    for vector in 0..offsets.len() {
        if end(vector) > stride {
            let (vector, expected) = (VECTORS[vector], end(vector));
            return Err(Error::StrideTooSmall { vector, expected, found: stride });
        }
        for other in 0..vector {
            if offsets[vector] < end(other) && offsets[other] < end(vector) {
                return Err(Error::VectorsOverlap { first: VECTORS[other], second: VECTORS[vector] });
            }
        }
    }
    Ok(())
}
