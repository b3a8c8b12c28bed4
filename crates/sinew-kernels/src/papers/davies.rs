//! The data of *Optimized CPU-based Skinning for 3D Games*: a mesh as games keep it, and Direct3D's matrices.
//!
//! `unsafe` finds the matrices of joints that were checked when the mesh was made.

use crate::Matrix;

/// A matrix as Direct3D keeps it, the transpose of ours: points are rows, `p m`, the translation is the last
/// row, and the last column is not read.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transposed {
    /// Row-major.
    pub rows: [[f32; 4]; 4],
}

impl From<&Matrix> for Transposed {
    fn from(Matrix { rows: [a, b, c] }: &Matrix) -> Self {
        Self { rows: [0, 1, 2, 3].map(|i| [a[i], b[i], c[i], if i == 3 { 1.0 } else { 0.0 }]) }
    }
}

/// A vertex of 24 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LitVertex {
    /// Where it is.
    pub position: [f32; 3],
    /// At length one.
    pub normal: [f32; 3],
}

/// A mesh as games keep it: arrays of vectors, bytes for the joints, and as many weights for each vertex.
#[derive(Clone, Debug)]
pub struct Mesh {
    pub(super) positions: Vec<[f32; 3]>,
    pub(super) normals: Vec<[f32; 3]>,
    pub(super) weights: Weights,
}

impl Mesh {
    /// From positions, normals and (joint, weight) pairs of each vertex. The longest list of pairs is the
    /// length of all: the others are filled up with no weight.
    ///
    /// # Panics
    ///
    /// When the lengths differ, a vertex has more than four pairs, or a joint is above 255.
    #[must_use]
    pub fn new(positions: &[[f32; 3]], normals: &[[f32; 3]], vertices: &[Vec<(u32, f32)>]) -> Self {
        assert!(positions.len() == vertices.len(), "as many positions as vertices");
        assert!(normals.len() == vertices.len(), "as many normals as vertices");
        Self { positions: positions.to_vec(), normals: normals.to_vec(), weights: Weights::new(vertices) }
    }

    /// How many vertices.
    #[must_use]
    pub fn vertices(&self) -> usize {
        self.positions.len()
    }
}

/// One to four weights, as many for each vertex of a mesh.
#[derive(Clone, Debug)]
pub(super) struct Weights {
    /// From one to four.
    pub(super) per_vertex: usize,
    /// `per_vertex` for each vertex.
    pub(super) joints: Vec<u8>,
    /// `per_vertex` for each vertex.
    pub(super) weights: Vec<f32>,
    /// How many matrices the joints reach.
    matrices: usize,
}

impl Weights {
    fn new(vertices: &[Vec<(u32, f32)>]) -> Self {
        let per_vertex = vertices.iter().map(Vec::len).max().unwrap_or(0).max(1);
        assert!(per_vertex <= 4, "at most four influences for each vertex");
        let mut weights = Self { per_vertex, joints: Vec::new(), weights: Vec::new(), matrices: 0 };
        for pairs in vertices {
            let without = std::iter::repeat((0, 0.0));
            for (joint, weight) in pairs.iter().copied().chain(without).take(per_vertex) {
                weights.joints.push(u8::try_from(joint).expect("a joint below 256"));
                weights.weights.push(weight);
                weights.matrices = weights.matrices.max(joint as usize + 1);
            }
        }
        weights
    }

    /// Matrices for these joints.
    #[inline(always)]
    pub(super) fn palette<'a, M>(&self, matrices: &'a [M]) -> Palette<'a, M> {
        assert!(self.matrices <= matrices.len(), "matrices for every joint with a weight");
        Palette(matrices)
    }

    /// The influences of each vertex.
    #[inline(always)]
    pub(super) fn each_vertex<'a>(
        &'a self,
        palette: &'a [Transposed],
    ) -> impl Iterator<Item = VertexInfluences<'a>> {
        let palette = self.palette(palette);
        let joints = self.joints.chunks_exact(self.per_vertex);
        let weights = self.weights.chunks_exact(self.per_vertex);
        joints.zip(weights).map(move |(joints, weights)| VertexInfluences { joints, weights, palette })
    }
}

/// Matrices for all joints of a mesh.
#[derive(Clone, Copy)]
pub(super) struct Palette<'a, M>(&'a [M]);

impl<'a, M> Palette<'a, M> {
    /// # Safety
    ///
    /// A joint of the weights that gave the palette.
    #[inline(always)]
    pub(super) unsafe fn matrix(&self, joint: u8) -> &'a M {
        // SAFETY: `Weights::palette` saw that there is one for each of its joints.
        unsafe { self.0.get_unchecked(usize::from(joint)) }
    }
}

/// The influences of one vertex.
pub(super) struct VertexInfluences<'a> {
    joints: &'a [u8],
    weights: &'a [f32],
    palette: Palette<'a, Transposed>,
}

impl VertexInfluences<'_> {
    /// Calls `act` with each matrix and its weight.
    #[inline(always)]
    pub(super) fn for_each(self, mut act: impl FnMut(&Transposed, f32)) {
        for (&joint, &weight) in self.joints.iter().zip(self.weights) {
            // SAFETY: `each_vertex` gave joints and palette of the same weights.
            act(unsafe { self.palette.matrix(joint) }, weight);
        }
    }
}
