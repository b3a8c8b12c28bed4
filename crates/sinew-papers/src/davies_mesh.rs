//! The data of *Optimized CPU-based Skinning for 3D Games*: a mesh in arrays of structures, and
//! Direct3D's matrices.
//!
//! `unsafe` looks up matrices of joints that were checked when the mesh was built.

use sinew_kernels::Matrix;

/// A matrix in Direct3D's convention, the transpose of sinew's: points are row vectors, `p m`, the
/// translation is the last row, and the last column is not read.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TransposedMatrix {
    /// Row-major.
    pub rows: [[f32; 4]; 4],
}

impl From<&Matrix> for TransposedMatrix {
    fn from(Matrix { rows: [a, b, c] }: &Matrix) -> Self {
        Self { rows: [0, 1, 2, 3].map(|i| [a[i], b[i], c[i], if i == 3 { 1.0 } else { 0.0 }]) }
    }
}

/// A skinned vertex of 24 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PositionNormal {
    /// In model space.
    pub position: [f32; 3],
    /// Of length one.
    pub normal: [f32; 3],
}

/// A mesh in arrays of structures: joint indices are bytes, and all vertices have the same number
/// of weights.
#[derive(Clone, Debug)]
pub struct Mesh {
    pub(crate) positions: Vec<[f32; 3]>,
    pub(crate) normals: Vec<[f32; 3]>,
    pub(crate) weights: Weights,
}

impl Mesh {
    /// Takes positions, normals and (joint, weight) pairs of each vertex. Shorter lists of pairs
    /// are padded with weight zero to the length of the longest.
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

    /// The number of vertices.
    #[must_use]
    pub fn vertices(&self) -> usize {
        self.positions.len()
    }
}

/// One to four weights per vertex, the same number for all vertices of a mesh.
#[derive(Clone, Debug)]
pub(crate) struct Weights {
    /// 1 to 4.
    pub(crate) per_vertex: usize,
    /// `per_vertex` elements per vertex.
    pub(crate) joints: Vec<u8>,
    /// `per_vertex` elements per vertex.
    pub(crate) weights: Vec<f32>,
    /// One more than the largest joint index.
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

    /// Checks that there is a matrix for every joint.
    #[inline(always)]
    pub(crate) fn palette<'a, M>(&self, matrices: &'a [M]) -> Palette<'a, M> {
        assert!(self.matrices <= matrices.len(), "matrices for every joint with a weight");
        Palette(matrices)
    }

    /// The influences of each vertex.
    #[inline(always)]
    pub(crate) fn vertex_influences<'a>(
        &'a self,
        palette: &'a [TransposedMatrix],
    ) -> impl Iterator<Item = VertexInfluences<'a>> {
        let palette = self.palette(palette);
        let joints = self.joints.chunks_exact(self.per_vertex);
        let weights = self.weights.chunks_exact(self.per_vertex);
        joints.zip(weights).map(move |(joints, weights)| VertexInfluences { joints, weights, palette })
    }
}

/// A palette that is long enough for the joints of a mesh.
#[derive(Clone, Copy)]
pub(crate) struct Palette<'a, M>(&'a [M]);

impl<'a, M> Palette<'a, M> {
    /// # Safety
    ///
    /// `joint` is one of the weights that built this palette.
    #[inline(always)]
    pub(crate) unsafe fn matrix(&self, joint: u8) -> &'a M {
        // SAFETY: `Weights::palette` checked that there is one for each of its joints.
        unsafe { self.0.get_unchecked(usize::from(joint)) }
    }
}

/// The influences of one vertex.
pub(crate) struct VertexInfluences<'a> {
    joints: &'a [u8],
    weights: &'a [f32],
    palette: Palette<'a, TransposedMatrix>,
}

impl VertexInfluences<'_> {
    /// Calls `visit` with each matrix and its weight.
    #[inline(always)]
    pub(crate) fn for_each(self, mut visit: impl FnMut(&TransposedMatrix, f32)) {
        for (&joint, &weight) in self.joints.iter().zip(self.weights) {
            // SAFETY: `vertex_influences` took joints and palette from the same weights.
            visit(unsafe { self.palette.matrix(joint) }, weight);
        }
    }
}
