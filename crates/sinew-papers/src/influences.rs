//! One list of influences, any number per vertex, checked when it is built, so that loops over it
//! need no checks.
//!
//! `unsafe` steps through the list up to its end and follows its offsets.

use std::slice;

use sinew_kernels::Matrix;

/// An influence as *Fast Skinning* stores it, in 12 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointWeight {
    /// The weight of the joint.
    pub weight: f32,
    /// Bytes from the first matrix to that of the joint.
    pub matrix_offset: u32,
    /// Bytes from here to the first influence of the next vertex: 12 for the last of a vertex.
    pub next_vertex_offset: u32,
}

const MATRIX: u32 = size_of::<Matrix>() as u32;
const STEP: u32 = size_of::<JointWeight>() as u32;

impl JointWeight {
    /// The index of the joint.
    #[must_use]
    pub fn joint(&self) -> usize {
        (self.matrix_offset / MATRIX) as usize
    }

    /// Whether this is the last influence of its vertex.
    #[must_use]
    #[inline(always)]
    pub fn is_last(&self) -> bool {
        self.next_vertex_offset == STEP
    }
}

/// The influences of all vertices of a mesh in vertex order, at least one per vertex.
#[derive(Clone, Debug)]
pub struct Influences {
    list: Vec<JointWeight>,
    /// The number of vertices, which is the number of influences that are the last of a vertex.
    vertices: usize,
    /// One more than the largest joint index.
    matrices: usize,
}

impl Influences {
    /// Checks a list.
    ///
    /// # Panics
    ///
    /// When a matrix offset is not a multiple of 48, the offsets to the next vertex do not count
    /// down to 12, or the list ends within a vertex.
    #[must_use]
    pub fn new(list: Vec<JointWeight>) -> Self {
        let (mut vertices, mut matrices, mut left) = (0, 0, 0);
        for influence in &list {
            assert!(influence.matrix_offset % MATRIX == 0, "offsets of whole matrices");
            matrices = matrices.max(influence.joint() + 1);
            let (next, first) = (influence.next_vertex_offset, left == 0);
            let counts_down = next >= STEP && next % STEP == 0 && (first || next == left);
            assert!(counts_down, "offsets that count down to the next vertex");
            vertices += usize::from(first);
            left = next - STEP;
        }
        assert!(left == 0, "a list that ends with a vertex");
        Self { list, vertices, matrices }
    }

    /// Builds the list from the (joint, weight) pairs of each vertex. A vertex without pairs gets
    /// the first joint with weight zero.
    ///
    /// # Panics
    ///
    /// When an offset does not fit into 32 bits.
    #[must_use]
    pub fn from_lists(vertices: &[Vec<(u32, f32)>]) -> Self {
        let bytes = |elements: usize, size: u32| {
            u32::try_from(elements as u64 * u64::from(size)).expect("an offset of 32 bits")
        };
        let mut list = Vec::with_capacity(vertices.iter().map(|pairs| pairs.len().max(1)).sum());
        for pairs in vertices {
            let pairs = if pairs.is_empty() { &[(0, 0.0)][..] } else { pairs };
            list.extend(pairs.iter().enumerate().map(|(i, &(joint, weight))| JointWeight {
                weight,
                matrix_offset: bytes(joint as usize, MATRIX),
                next_vertex_offset: bytes(pairs.len() - i, STEP),
            }));
        }
        Self::new(list)
    }

    /// The list.
    #[must_use]
    pub fn list(&self) -> &[JointWeight] {
        &self.list
    }

    /// The number of vertices.
    #[must_use]
    pub fn vertices(&self) -> usize {
        self.vertices
    }

    /// A cursor at the first influence.
    #[inline(always)]
    pub(crate) fn cursor<'a>(&'a self, matrices: &'a [Matrix]) -> InfluenceCursor<'a> {
        assert!(self.matrices <= matrices.len(), "matrices for every joint with a weight");
        InfluenceCursor { list: self.list.iter(), matrices }
    }
}

/// Steps through influences.
pub(crate) struct InfluenceCursor<'a> {
    list: slice::Iter<'a, JointWeight>,
    /// Long enough for every offset of the list.
    matrices: &'a [Matrix],
}

impl<'a> InfluenceCursor<'a> {
    /// # Safety
    ///
    /// Called at most once per influence: for each vertex until [`Influence::is_last`].
    #[inline(always)]
    pub(crate) unsafe fn next(&mut self) -> Influence<'a> {
        // SAFETY: the caller stops at the end of the list.
        let stored = unsafe { self.list.next().unwrap_unchecked() };
        Influence { stored, matrices: self.matrices }
    }
}

/// One influence, and the matrices that its offset points into.
#[derive(Clone, Copy)]
pub(crate) struct Influence<'a> {
    stored: &'a JointWeight,
    matrices: &'a [Matrix],
}

impl<'a> Influence<'a> {
    #[inline(always)]
    pub(crate) fn weight(self) -> f32 {
        self.stored.weight
    }

    /// Whether this is the last influence of its vertex.
    #[inline(always)]
    pub(crate) fn is_last(self) -> bool {
        self.stored.is_last()
    }

    /// A pointer to the first matrix, and the offset to the joint's matrix in bytes.
    #[inline(always)]
    pub(crate) fn base_and_offset(self) -> (*const Matrix, usize) {
        (self.matrices.as_ptr(), self.stored.matrix_offset as usize)
    }

    #[inline(always)]
    pub(crate) fn matrix(self) -> &'a Matrix {
        let (base, offset) = self.base_and_offset();
        // SAFETY: `Influences::new` saw that the offset is that of a matrix, and `walk` that there
        // is one.
        let matrix = unsafe { base.byte_add(offset) };
        // SAFETY: as above.
        unsafe { &*matrix }
    }
}
