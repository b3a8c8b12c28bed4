//! The output of skinning: any vertex layout, in run or source order, for all vertices or a window
//! of blocks.

use std::ops::Range;

use sinew_kernels::{Aabb, BLOCK, StoreOutput, VectorBlock, VertexWriter};

use crate::length::check_len;
use crate::mesh::{Attributes, Mesh, VertexOrder};
use crate::skinning::SkinningError;

/// The output of skinning: memory of the caller, which is only written.
///
/// Vertex buffers take any [`VertexLayout`](crate::skinning::VertexLayout). Those of `f32` vectors
/// with one stride and no gaps between them, such as packed arrays or the common interleaved
/// layouts, are written straight from registers, and everything else through the L1 cache. With
/// AVX2 in the fast float mode, so are positions of floats or halves with directions side by side
/// in the same buffer, all four halves or all four normalized integers of the same size: behind the
/// position, in sixteen bytes or more with it, or sixteen bytes of their own.
///
/// In run order, buffers have one vertex per slot of the window, including pads:
/// [`Mesh::padded_len`] for the whole mesh. In source order they have one vertex per vertex of the
/// window: [`Mesh::len`] for the whole mesh.
///
/// ```
/// # use sinew::skinning::{Target, VertexAttribute, VertexFormat, VertexLayout, VertexWriter};
/// # fn target(vertices: usize) -> Result<(), Box<dyn std::error::Error>> {
/// let layout = VertexLayout::interleaved(32)
///     .with(VertexAttribute::Position, VertexFormat::Float32x3, 0)
///     .with(VertexAttribute::Normal, VertexFormat::Float32x3, 12);
/// let mut buffer = vec![0_u8; 32 * vertices];
/// let target = Target::vertices(VertexWriter::new(&layout, [&mut buffer], vertices)?);
/// # Ok(()) }
/// # target(3).unwrap();
/// ```
#[derive(Debug)]
pub struct Target<'a> {
    /// The attributes to skin into blocks or streams. Vertex buffers have their own.
    pub attributes: Attributes,
    /// The order of vertices. Blocks are always in run order.
    pub order: VertexOrder,
    /// Where the vertices go.
    pub output: VertexOutput<'a>,
    /// If set, an AABB that is extended to contain the skinned positions. Start with
    /// [`Aabb::EMPTY`].
    pub bounds: Option<&'a mut Aabb>,
    /// Skins only these blocks of eight slots, or in source order of eight vertices, for callers
    /// with their own scheduler; `None` skins all. Windows may be skinned in any order, and the
    /// results do not depend on how blocks are divided. In run order, the best places to divide are
    /// the starts of runs: [`Mesh::run_starts`]. In source order, positions alone are skinned 512
    /// blocks at a time: windows that begin or end elsewhere skin some of them for nothing, which
    /// in windows of 64 blocks takes up to three times as long.
    pub window: Option<Range<usize>>,
}

/// Where vertices go.
#[derive(Debug)]
pub enum VertexOutput<'a> {
    /// Blocks: the vectors of each block in turn. The fastest output.
    Blocks(&'a mut [VectorBlock]),
    /// The same, with non-temporal stores: for outputs that would fill much of the caches.
    NonTemporalBlocks(&'a mut [VectorBlock]),
    /// One array per component: three for each vector. The arrays of absent vectors are unused.
    Streams([&'a mut [f32]; 12]),
    /// Vertex buffers of any layout.
    Buffers(VertexWriter<'a>),
}

impl<'a> Target<'a> {
    /// All vertices in run order, without bounds.
    #[must_use]
    pub fn new(attributes: Attributes, output: VertexOutput<'a>) -> Self {
        Self { attributes, order: VertexOrder::Run, output, bounds: None, window: None }
    }

    /// All vertices in source order, in vertex buffers, without bounds.
    #[must_use]
    pub fn vertices(writer: VertexWriter<'a>) -> Self {
        let target = Self::new(Attributes::Positions, VertexOutput::Buffers(writer));
        Self { order: VertexOrder::Source, ..target }
    }

    /// Changes the order of the vertices.
    #[must_use]
    pub fn in_order(mut self, order: VertexOrder) -> Self {
        self.order = order;
        self
    }

    /// Extends an AABB to contain the skinned positions.
    #[must_use]
    pub fn with_bounds(mut self, bounds: &'a mut Aabb) -> Self {
        self.bounds = Some(bounds);
        self
    }

    /// Skins only these blocks.
    #[must_use]
    pub fn with_window(mut self, window: Range<usize>) -> Self {
        self.window = Some(window);
        self
    }

    /// The attributes that are skinned.
    pub(crate) fn attributes(&self) -> Attributes {
        match &self.output {
            VertexOutput::Buffers(writer) => match writer.vectors() {
                0 | 1 => Attributes::Positions,
                2 => Attributes::Normals,
                3 => Attributes::Tangents,
                _ => Attributes::Bitangents,
            },
            _ => self.attributes,
        }
    }

    /// Checks that the target fits the mesh. Returns the window.
    #[inline(always)]
    pub(crate) fn check(&self, mesh: &Mesh) -> Result<Range<usize>, SkinningError> {
        let attributes = self.attributes();
        attributes.check(mesh)?;
        let in_source_order = self.order == VertexOrder::Source;
        let blocks = if in_source_order { mesh.len().div_ceil(BLOCK) } else { mesh.blocks() };
        let window = self.window.clone().unwrap_or(0..blocks);
        if window.start > window.end || window.end > blocks {
            return Err(SkinningError::WindowOutOfBounds {
                start: window.start,
                end: window.end,
                len: blocks,
            });
        }
        let slots = BLOCK * window.start..BLOCK * window.end;
        let vertices =
            if in_source_order { slots.end.min(mesh.len()).saturating_sub(slots.start) } else { slots.len() };
        match &self.output {
            VertexOutput::Blocks(to) | VertexOutput::NonTemporalBlocks(to) => {
                if in_source_order {
                    return Err(SkinningError::BlocksInSourceOrder);
                }
                check_len("skinned blocks", attributes.vectors() * window.len(), to.len())?;
            }
            VertexOutput::Streams(to) => {
                for stream in &to[..3 * attributes.vectors()] {
                    check_len("skinned stream", vertices, stream.len())?;
                }
            }
            VertexOutput::Buffers(writer) => check_len("vertices of the buffers", vertices, writer.len())?,
        }
        Ok(window)
    }

    /// The output, to store tiles in.
    pub(crate) fn store_output(&mut self) -> StoreOutput<'_> {
        match &mut self.output {
            VertexOutput::Blocks(to) => StoreOutput::Blocks(to),
            VertexOutput::NonTemporalBlocks(to) => StoreOutput::NonTemporalBlocks(to),
            VertexOutput::Streams(to) => StoreOutput::Streams(to.each_mut().map(|stream| &mut **stream)),
            VertexOutput::Buffers(writer) => StoreOutput::Buffers(writer.parts()),
        }
    }
}

/// The part of an output for some blocks of `vectors` vectors, counted from the start of the
/// window.
pub(crate) fn slice_output<'a>(
    output: &'a mut StoreOutput<'_>,
    blocks: Range<usize>,
    vectors: usize,
) -> StoreOutput<'a> {
    let vector_blocks = vectors * blocks.start..vectors * blocks.end;
    let slots = BLOCK * blocks.start..BLOCK * blocks.end;
    match output {
        StoreOutput::Blocks(to) => StoreOutput::Blocks(&mut to[vector_blocks]),
        StoreOutput::NonTemporalBlocks(to) => StoreOutput::NonTemporalBlocks(&mut to[vector_blocks]),
        StoreOutput::Streams(to) => {
            let mut streams: [&mut [f32]; 12] = std::array::from_fn(|_| Default::default());
            for (slice, stream) in streams.iter_mut().zip(to).take(3 * vectors) {
                *slice = &mut stream[slots.clone()];
            }
            StoreOutput::Streams(streams)
        }
        StoreOutput::Buffers(parts) => StoreOutput::Buffers(parts.slice(slots)),
    }
}

/// The whole output, for vertices that are scattered over it.
pub(crate) fn whole_output<'a>(output: &'a mut StoreOutput<'_>) -> StoreOutput<'a> {
    match output {
        StoreOutput::Blocks(to) => StoreOutput::Blocks(to),
        StoreOutput::NonTemporalBlocks(to) => StoreOutput::NonTemporalBlocks(to),
        StoreOutput::Streams(to) => StoreOutput::Streams(to.each_mut().map(|stream| &mut **stream)),
        StoreOutput::Buffers(parts) => StoreOutput::Buffers(parts.slice(0..usize::MAX)),
    }
}
