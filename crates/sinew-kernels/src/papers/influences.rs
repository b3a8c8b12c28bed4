//! Any number of influences for each vertex in one list, checked once, so that the loops over it need no
//! checks.
//!
//! `unsafe` walks the list to its end and no further, and follows its offsets.

use std::slice;

use crate::Matrix;

/// An influence as *Fast Skinning* stores it, in 12 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointWeight {
    /// How much the joint counts.
    pub weight: f32,
    /// From the first matrix to that of the joint, in bytes.
    pub matrix_offset: u32,
    /// From here to the first influence of the next vertex, in bytes: 12 for the last of a vertex.
    pub next_vertex_offset: u32,
}

const MATRIX: u32 = size_of::<Matrix>() as u32;
const STEP: u32 = size_of::<JointWeight>() as u32;

impl JointWeight {
    /// Which joint.
    #[must_use]
    pub fn joint(&self) -> usize {
        (self.matrix_offset / MATRIX) as usize
    }

    /// Whether the next influence is another vertex's.
    #[must_use]
    #[inline(always)]
    pub fn is_last(&self) -> bool {
        self.next_vertex_offset == STEP
    }
}

/// The influences of all vertices of a mesh, one vertex after the other, at least one for each.
#[derive(Clone, Debug)]
pub struct Influences {
    list: Vec<JointWeight>,
    /// How many vertices: how often an influence is the last of its vertex.
    vertices: usize,
    /// How many matrices the offsets reach.
    matrices: usize,
}

impl Influences {
    /// A list as it is.
    ///
    /// # Panics
    ///
    /// When an offset is not that of a matrix, or the offsets to the next vertex do not count down to 12, or
    /// the list ends within a vertex.
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

    /// The list of vertices with these (joint, weight) pairs. Who has none gets the first joint with no
    /// weight.
    ///
    /// # Panics
    ///
    /// When an offset does not fit 32 bits.
    #[must_use]
    pub fn of_vertices(vertices: &[Vec<(u32, f32)>]) -> Self {
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

    /// How many vertices.
    #[must_use]
    pub fn vertices(&self) -> usize {
        self.vertices
    }

    /// From the first influence on, with matrices of these.
    #[inline(always)]
    pub(super) fn walk<'a>(&'a self, matrices: &'a [Matrix]) -> Walk<'a> {
        assert!(self.matrices <= matrices.len(), "matrices for every joint with a weight");
        Walk { list: self.list.iter(), matrices }
    }
}

/// One influence after the other.
pub(super) struct Walk<'a> {
    list: slice::Iter<'a, JointWeight>,
    /// Reaches as far as the offsets of the list.
    matrices: &'a [Matrix],
}

impl<'a> Walk<'a> {
    /// # Safety
    ///
    /// At most once for each influence: for each vertex, until one is the last.
    #[inline(always)]
    pub(super) unsafe fn next(&mut self) -> Influence<'a> {
        // SAFETY: the caller stops with the list.
        let stored = unsafe { self.list.next().unwrap_unchecked() };
        Influence { stored, matrices: self.matrices }
    }
}

/// One influence, and the matrices that its offset leads into.
#[derive(Clone, Copy)]
pub(super) struct Influence<'a> {
    stored: &'a JointWeight,
    matrices: &'a [Matrix],
}

impl<'a> Influence<'a> {
    #[inline(always)]
    pub(super) fn weight(self) -> f32 {
        self.stored.weight
    }

    /// Of its vertex.
    #[inline(always)]
    pub(super) fn is_last(self) -> bool {
        self.stored.is_last()
    }

    /// Where the matrices begin, and from there to the joint's in bytes.
    #[inline(always)]
    pub(super) fn base_and_offset(self) -> (*const Matrix, usize) {
        (self.matrices.as_ptr(), self.stored.matrix_offset as usize)
    }

    #[inline(always)]
    pub(super) fn matrix(self) -> &'a Matrix {
        let (base, offset) = self.base_and_offset();
        // SAFETY: `Influences::new` saw that the offset is that of a matrix, and `walk` that there is one.
        let matrix = unsafe { base.byte_add(offset) };
        // SAFETY: as above.
        unsafe { &*matrix }
    }
}
