//! The output of a method, in its own layout.

use sinew::mesh::Attributes;
use sinew::skinning::VertexOrder;
use sinew_kernels::{BLOCK, VectorBlock};
use sinew_papers::{PositionNormal, Vertex};

/// The skinned vertices of one mesh, or of a part of it.
#[derive(Clone, Debug)]
pub enum Output {
    /// Davies' vertices of 24 bytes, in source order.
    PositionNormals(Vec<PositionNormal>),
    /// Van Waveren's vertices of 48 bytes, in source order.
    Vertices(Vec<Vertex>),
    /// Sinew's blocks, in run order.
    Blocks {
        /// The attributes in each block.
        attributes: Attributes,
        /// The vectors of each block of eight slots.
        blocks: Vec<VectorBlock>,
    },
    /// Position and normal, six floats per vertex, in run order.
    Floats(Vec<f32>),
}

impl Output {
    /// The order of the vertices.
    #[must_use]
    pub fn order(&self) -> VertexOrder {
        match self {
            Self::PositionNormals(_) | Self::Vertices(_) => VertexOrder::Source,
            Self::Blocks { .. } | Self::Floats(_) => VertexOrder::Run,
        }
    }

    /// The number of vertices, including padding in run order.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::PositionNormals(vertices) => vertices.len(),
            Self::Vertices(vertices) => vertices.len(),
            Self::Blocks { attributes, blocks } => BLOCK * blocks.len() / attributes.vectors(),
            Self::Floats(floats) => floats.len() / 6,
        }
    }

    /// Whether there are no vertices.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Copies position and normal of every vertex, six floats each. Normals that were not skinned
    /// are zero. Vertices beyond the end of `to` are skipped.
    pub fn copy_to(&self, to: &mut [f32]) {
        let (to, _) = to.as_chunks_mut::<6>();
        match self {
            Self::PositionNormals(vertices) => {
                for (to, PositionNormal { position: [x, y, z], normal: [u, v, w] }) in
                    to.iter_mut().zip(vertices)
                {
                    *to = [*x, *y, *z, *u, *v, *w];
                }
            }
            Self::Vertices(vertices) => {
                for (to, Vertex { position: [x, y, z, _], normal: [u, v, w, _], .. }) in
                    to.iter_mut().zip(vertices)
                {
                    *to = [*x, *y, *z, *u, *v, *w];
                }
            }
            Self::Floats(floats) => {
                for (to, vertex) in to.iter_mut().zip(floats.as_chunks().0) {
                    *to = *vertex;
                }
            }
            Self::Blocks { attributes, blocks } => copy_blocks(*attributes, blocks, to),
        }
    }
}

fn copy_blocks(attributes: Attributes, blocks: &[VectorBlock], to: &mut [[f32; 6]]) {
    for (to, block) in to.chunks_mut(BLOCK).zip(blocks.chunks_exact(attributes.vectors())) {
        let [x, y, z] = &block[0].rows;
        let none = [[0.0; BLOCK]; 3];
        let [u, v, w] = block.get(1).map_or(&none, |normal| &normal.rows);
        for (lane, to) in to.iter_mut().enumerate() {
            *to = [x[lane], y[lane], z[lane], u[lane], v[lane], w[lane]];
        }
    }
}
