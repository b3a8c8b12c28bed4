//! Positions of vertices, wherever they lie: what is read by all that follows the skin.

use sinew_kernels::{BLOCK, VectorBlock};

use crate::{Mesh, Skinned};

/// Where the vertices of a mesh are.
///
/// Triangles index them: [`Mesh::triangles`] belongs to arrays in run order, the triangles of the mesh's source to arrays
/// in that order.
#[derive(Clone, Copy, Debug)]
pub enum Points<'a> {
    /// Blocks of eight vertices, the position first of the vectors of each.
    Blocks {
        /// As many as there are blocks of vertices, times `vectors`.
        blocks: &'a [VectorBlock],
        /// Vectors of each vertex; none at all stands for one.
        vectors: usize,
    },
    /// Twelve bytes for each vertex.
    Packed(&'a [[f32; 3]]),
    /// Sixteen bytes for each vertex; the fourth number counts for nothing.
    Padded(&'a [[f32; 4]]),
}

impl Points<'_> {
    /// The number of places; in run order pads are among them.
    #[must_use]
    pub fn len(&self) -> usize {
        match *self {
            Self::Blocks { blocks, vectors } => blocks.len() / vectors.max(1) * BLOCK,
            Self::Packed(points) => points.len(),
            Self::Padded(points) => points.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The point at a place.
    ///
    /// # Panics
    ///
    /// When there is no such place.
    #[must_use]
    pub fn point(&self, place: usize) -> [f32; 3] {
        match *self {
            Self::Blocks { blocks, vectors } => blocks[place / BLOCK * vectors.max(1)].vector(place % BLOCK),
            Self::Packed(points) => points[place],
            Self::Padded(points) => {
                let [x, y, z, _] = points[place];
                [x, y, z]
            }
        }
    }
}

impl Skinned {
    /// Where the vertices are, in run order.
    #[must_use]
    pub fn points(&self) -> Points<'_> {
        Points::Blocks { blocks: &self.blocks, vectors: self.attributes().vectors() }
    }
}

impl Mesh {
    /// Where the vertices are at rest, in run order.
    #[must_use]
    pub fn rest_points(&self) -> Points<'_> {
        Points::Blocks { blocks: &self.base, vectors: self.base_vectors }
    }
}
