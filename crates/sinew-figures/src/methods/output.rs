//! Where a method's vertices go, in the form that it writes.

use sinew::{Order, Skinned};
use sinew_kernels::BLOCK;
use sinew_kernels::papers::{LitVertex, Vertex};

/// The vertices of one surface.
#[derive(Clone, Debug)]
pub enum Output {
    /// Davies' vertices of 24 bytes, in the order of the source.
    Lit(Vec<LitVertex>),
    /// Van Waveren's vertices of 48 bytes, in the order of the source.
    Wide(Vec<Vertex>),
    /// Sinew's blocks, in run order.
    Blocks(Skinned),
    /// Position and normal, six floats for each vertex, in run order.
    Floats(Vec<f32>),
}

impl Output {
    /// The order of the vertices.
    #[must_use]
    pub fn order(&self) -> Order {
        match self {
            Self::Lit(_) | Self::Wide(_) => Order::Source,
            Self::Blocks(_) | Self::Floats(_) => Order::Run,
        }
    }

    /// How many vertices; in run order pads are among them.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Lit(vertices) => vertices.len(),
            Self::Wide(vertices) => vertices.len(),
            Self::Blocks(skinned) => skinned.points().len(),
            Self::Floats(floats) => floats.len() / 6,
        }
    }

    /// Whether there is no vertex.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Position and normal of every vertex, six floats each; a normal that was not skinned is zero. What does not fit is
    /// left out.
    pub fn put(&self, to: &mut [f32]) {
        let (to, _) = to.as_chunks_mut::<6>();
        match self {
            Self::Lit(vertices) => {
                for (to, LitVertex { position: [x, y, z], normal: [u, v, w] }) in to.iter_mut().zip(vertices)
                {
                    *to = [*x, *y, *z, *u, *v, *w];
                }
            }
            Self::Wide(vertices) => {
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
            Self::Blocks(skinned) => put_blocks(skinned, to),
        }
    }
}

fn put_blocks(skinned: &Skinned, to: &mut [[f32; 6]]) {
    let vectors = skinned.attributes().vectors();
    for (to, block) in to.chunks_mut(BLOCK).zip(skinned.blocks().chunks_exact(vectors)) {
        let [x, y, z] = &block[0].rows;
        let none = [[0.0; BLOCK]; 3];
        let [u, v, w] = block.get(1).map_or(&none, |normal| &normal.rows);
        for (lane, to) in to.iter_mut().enumerate() {
            *to = [x[lane], y[lane], z[lane], u[lane], v[lane], w[lane]];
        }
    }
}
