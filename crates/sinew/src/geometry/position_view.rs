//! A view of vertex positions in any layout, the input of all geometry algorithms.

use sinew_kernels::{BLOCK, VectorBlock};

use crate::mesh::Mesh;
use crate::skinning::Skinned;

/// A borrowed view of vertex positions.
///
/// Triangles index it: [`Mesh::triangles`] indexes arrays in run order, the triangles of a mesh's
/// source index arrays in source order.
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
}

impl PositionView<'_> {
    /// The number of slots; in run order this includes padding.
    #[must_use]
    pub fn len(&self) -> usize {
        match *self {
            Self::Blocks { blocks, vectors } => blocks.len() / vectors.max(1) * BLOCK,
            Self::Packed(positions) => positions.len(),
            Self::Padded(positions) => positions.len(),
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
