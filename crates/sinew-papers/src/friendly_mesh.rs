//! The mesh of *Optimized CPU-based Skinning for 3D Games* as a structure of arrays, for SSE2.

use crate::Mesh;
use crate::davies_mesh::Weights;
use crate::vertices::Float4;

/// A [`Mesh`] as a structure of arrays, four vertices per register: the paper's friendly data. The
/// last register is padded with copies of the last vertex.
#[derive(Clone, Debug)]
pub struct FriendlyMesh {
    /// x, y and z, of four vertices each.
    pub(crate) positions: [Vec<Float4>; 3],
    /// x, y and z, of four vertices each.
    pub(crate) normals: [Vec<Float4>; 3],
    /// Padded in the same way.
    pub(crate) weights: Weights,
    vertices: usize,
}

impl FriendlyMesh {
    /// Converts a mesh.
    #[must_use]
    pub fn new(mesh: &Mesh) -> Self {
        let vertices = mesh.vertices();
        let components = |vectors: &[[f32; 3]]| {
            [0, 1, 2].map(|axis| {
                let four = |vectors: &[[f32; 3]]| {
                    Float4([0, 1, 2, 3].map(|i| vectors[i.min(vectors.len() - 1)][axis]))
                };
                vectors.chunks(4).map(four).collect()
            })
        };
        Self {
            positions: components(&mesh.positions),
            normals: components(&mesh.normals),
            weights: mesh.weights.pad_with_last(vertices.next_multiple_of(4) - vertices),
            vertices,
        }
    }

    /// The number of vertices.
    #[must_use]
    pub fn vertices(&self) -> usize {
        self.vertices
    }
}

impl Weights {
    /// A copy with the last vertex repeated.
    fn pad_with_last(&self, times: usize) -> Self {
        let mut padded = self.clone();
        for _ in 0..times {
            let last = self.joints.len() - self.per_vertex;
            padded.joints.extend_from_slice(&self.joints[last..]);
            padded.weights.extend_from_slice(&self.weights[last..]);
        }
        padded
    }

    /// The joints of each vertex; `N` is `per_vertex`.
    pub(crate) fn joints<const N: usize>(&self) -> &[[u8; N]] {
        self.joints.as_chunks().0
    }

    /// The weights of each vertex; `N` is `per_vertex`.
    pub(crate) fn weights<const N: usize>(&self) -> &[[f32; N]] {
        self.weights.as_chunks().0
    }
}
