//! A view of vertex positions in any layout, the input of all geometry algorithms.

use sinew_kernels::{BLOCK, StridedPositions, VectorBlock, VertexBytes, VertexLayout, VertexLayoutError};

use crate::mesh::Mesh;
use crate::skinning::Skinned;

/// A borrowed view of vertex positions.
///
/// Triangles index it: [`Mesh::triangles`] indexes vertices in run order, the triangles of a mesh's
/// source, [`Mesh::triangles_in`] with [`VertexOrder::Source`](crate::skinning::VertexOrder), index
/// vertices in source order.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum PositionView<'a> {
    /// Blocks of eight vertices; the position is the first vector of each block.
    Blocks {
        /// All vectors: the number of vertex blocks times `vectors`.
        blocks: &'a [VectorBlock],
        /// Vectors per vertex block; 0 counts as 1.
        vectors: usize,
    },
    /// 12 bytes per vertex.
    Packed(&'a [[f32; 3]]),
    /// 16 bytes per vertex; the fourth component is ignored.
    Padded(&'a [[f32; 4]]),
    /// Vertices of any layout. See [`in_layout`](Self::in_layout).
    Strided(StridedPositions<'a>),
}

impl<'a> PositionView<'a> {
    /// The positions of vertices in any layout, for example of those that were just skinned. No
    /// position is copied. `buffer` is the buffer of an interleaved layout, or the one of the
    /// positions if every attribute has its own.
    ///
    /// ```
    /// use sinew::geometry::PositionView;
    /// use sinew::skinning::{VertexAttribute, VertexFormat, VertexLayout};
    ///
    /// let layout = VertexLayout::interleaved(32)
    ///     .with(VertexAttribute::Position, VertexFormat::Float32x3, 0)
    ///     .with(VertexAttribute::Normal, VertexFormat::Float32x3, 12);
    /// let mut buffer = vec![[0.0_f32; 8]; 3];
    /// buffer[2][..3].copy_from_slice(&[1.0, 2.0, 3.0]);
    /// let positions = PositionView::in_layout(&layout, &buffer, 3)?;
    /// assert_eq!(positions.position(2), [1.0, 2.0, 3.0]);
    /// # Ok::<(), sinew::skinning::VertexLayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A fault in the layout; no position, or one that is not of `f32`, since rounded positions
    /// would open cracks and hide hits; or a buffer that is too short or misaligned.
    pub fn in_layout(
        layout: &VertexLayout,
        buffer: impl Into<VertexBytes<'a>>,
        vertices: usize,
    ) -> Result<Self, VertexLayoutError> {
        Ok(Self::Strided(StridedPositions::new(layout, buffer, vertices)?))
    }

    /// The number of slots; in run order this includes padding.
    #[must_use]
    pub fn len(&self) -> usize {
        match *self {
            Self::Blocks { blocks, vectors } => blocks.len() / vectors.max(1) * BLOCK,
            Self::Packed(positions) => positions.len(),
            Self::Padded(positions) => positions.len(),
            Self::Strided(positions) => positions.len(),
        }
    }

    /// Whether there are no slots.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The position in a slot.
    ///
    /// # Panics
    ///
    /// If `slot` is out of range.
    #[must_use]
    pub fn position(&self, slot: usize) -> [f32; 3] {
        match *self {
            Self::Blocks { blocks, vectors } => blocks[slot / BLOCK * vectors.max(1)].vector(slot % BLOCK),
            Self::Packed(positions) => positions[slot],
            Self::Padded(positions) => {
                let [x, y, z, _] = positions[slot];
                [x, y, z]
            }
            Self::Strided(positions) => match positions.get(slot) {
                Some(&position) => position,
                None => panic!("position {slot} of {}", positions.len()),
            },
        }
    }
}

impl Skinned {
    /// The skinned vertex positions, in run order.
    #[must_use]
    pub fn position_view(&self) -> PositionView<'_> {
        PositionView::Blocks { blocks: &self.blocks, vectors: self.attributes().vectors() }
    }
}

impl Mesh {
    /// The rest positions, in run order.
    #[must_use]
    pub fn rest_positions(&self) -> PositionView<'_> {
        PositionView::Blocks { blocks: &self.base, vectors: self.base_vectors }
    }
}
