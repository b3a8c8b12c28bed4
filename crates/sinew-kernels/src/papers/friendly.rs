//! The mesh of *Optimized CPU-based Skinning for 3D Games* by components, as SSE2 wants it.

use super::Mesh;
use super::base::Quad;
use super::davies::Weights;

/// A [`Mesh`] by components, four vertices in a register. The last vertex is repeated to fill it up.
#[derive(Clone, Debug)]
pub struct FriendlyMesh {
    /// x, y and z of four vertices each.
    pub(super) positions: [Vec<Quad>; 3],
    /// x, y and z of four vertices each.
    pub(super) normals: [Vec<Quad>; 3],
    /// Filled up as well.
    pub(super) weights: Weights,
    vertices: usize,
}

impl FriendlyMesh {
    /// Another arrangement of the mesh.
    #[must_use]
    pub fn new(mesh: &Mesh) -> Self {
        let vertices = mesh.vertices();
        let components = |vectors: &[[f32; 3]]| {
            [0, 1, 2].map(|axis| {
                let four = |vectors: &[[f32; 3]]| {
                    Quad([0, 1, 2, 3].map(|i| vectors[i.min(vectors.len() - 1)][axis]))
                };
                vectors.chunks(4).map(four).collect()
            })
        };
        Self {
            positions: components(&mesh.positions),
            normals: components(&mesh.normals),
            weights: mesh.weights.filled_up(vertices.next_multiple_of(4) - vertices),
            vertices,
        }
    }

    /// How many vertices.
    #[must_use]
    pub fn vertices(&self) -> usize {
        self.vertices
    }
}

impl Weights {
    /// With the last vertex as many times more.
    fn filled_up(&self, times: usize) -> Self {
        let mut filled = self.clone();
        for _ in 0..times {
            let last = self.joints.len() - self.per_vertex;
            filled.joints.extend_from_slice(&self.joints[last..]);
            filled.weights.extend_from_slice(&self.weights[last..]);
        }
        filled
    }

    /// The joints of each vertex; `N` is `per_vertex`.
    pub(super) fn joints<const N: usize>(&self) -> &[[u8; N]] {
        self.joints.as_chunks().0
    }

    /// The weights of each vertex; `N` is `per_vertex`.
    pub(super) fn weights<const N: usize>(&self) -> &[[f32; N]] {
        self.weights.as_chunks().0
    }
}
