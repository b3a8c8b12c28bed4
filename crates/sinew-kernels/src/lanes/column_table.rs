//! The matrices of column segments: a table on the stack, as columns, looked up without a check per
//! influence.
//!
//! `unsafe` relies on the fact that [`Segments`](crate::Segments) establishes: every joint of a
//! column segment is below the length of the segment's table. The table is filled to that length
//! before it is read.

use std::mem::MaybeUninit;

use super::Lanes;
use super::quads::Quads;
use super::segments::{ColumnInfluence, ColumnSegment, NO_JOINT, VertexPair};
use crate::{BLOCK, Matrix};

/// The most joints of a table of matrices: 32 KiB.
pub(super) const MAX_TABLE: usize = 512;

/// A palette matrix as four columns, each followed by a zero.
#[repr(C, align(64))]
#[derive(Clone, Copy)]
pub(crate) struct ColumnMatrix {
    columns: [[f32; 4]; 4],
}

const _: () = assert!(size_of::<ColumnMatrix>() == 64 && size_of::<[[f32; 8]; 2]>() == 64);

impl ColumnMatrix {
    const ZERO: Self = Self { columns: [[0.0; 4]; 4] };

    /// A column.
    #[inline(always)]
    pub(crate) fn column(&self, c: usize) -> &[f32; 4] {
        &self.columns[c]
    }

    /// Columns 0 and 1, or columns 2 and 3.
    #[inline(always)]
    pub(crate) fn column_pair(&self, pair: usize) -> &[f32; 8] {
        // SAFETY: sixteen floats without padding, as asserted above.
        let pairs: &[[f32; 8]; 2] = unsafe { &*std::ptr::from_ref(&self.columns).cast() };
        &pairs[pair]
    }
}

/// Memory for the matrices of a table, on the stack.
pub(crate) struct ColumnTable {
    matrices: [MaybeUninit<ColumnMatrix>; MAX_TABLE],
    /// How many are initialized.
    len: usize,
    /// The table that they are of.
    table: Option<u32>,
}

impl ColumnTable {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self { matrices: [const { MaybeUninit::uninit() }; MAX_TABLE], len: 0, table: None }
    }

    /// The matrices of a segment's vertices, from a table that is filled unless it already is.
    #[inline(always)]
    pub(crate) fn matrices<'a, L: Lanes>(
        &'a mut self,
        token: L::Token,
        segment: &ColumnSegment<'a>,
        palette: &[Matrix],
    ) -> ColumnMatrices<'a> {
        if self.table != Some(segment.table) {
            self.fill::<L>(token, segment.table_joints, palette);
            self.table = Some(segment.table);
        }
        let initialized = self.matrices.get(..self.len).unwrap_or_default();
        // SAFETY: `fill` initialized these, and `MaybeUninit` has the layout of what it holds.
        let table = unsafe { &*(std::ptr::from_ref(initialized) as *const [ColumnMatrix]) };
        assert!(segment.table_joints.len() <= table.len(), "the matrices of the whole table");
        ColumnMatrices { own: segment.own, table }
    }

    /// Converts the matrices of joints. A joint outside the palette is the identity.
    #[inline(always)]
    fn fill<L: Lanes>(&mut self, token: L::Token, joints: &[u32], palette: &[Matrix]) {
        self.len = 0;
        let zero = L::splat(token, 0.0);
        let mut first = 0;
        while first < joints.len() {
            let matrix = |quad: usize| {
                let joint = joints.get(first + quad).copied().unwrap_or(NO_JOINT);
                palette.get(joint as usize).unwrap_or(Matrix::PADDING)
            };
            let row = |r: usize| L::load_quads(token, |quad| &matrix(quad).rows[r]);
            let columns = L::transpose([row(0), row(1), row(2), zero]);
            for quad in 0..L::QUADS {
                let Some(to) = self.matrices.get_mut(first + quad) else { break };
                let to = to.write(ColumnMatrix::ZERO);
                for c in 0..4 {
                    columns[c].store_quad(quad, &mut to.columns[c]);
                }
                self.len = first + quad + 1;
            }
            first += L::QUADS;
        }
    }
}

/// The matrices of the vertices of a segment.
#[derive(Clone, Copy)]
pub(crate) struct ColumnMatrices<'a> {
    /// All in the table.
    own: &'a [ColumnInfluence],
    table: &'a [ColumnMatrix],
}

impl<'a> ColumnMatrices<'a> {
    /// An influence, counted over all vertices of the segment: matrix and weight.
    #[inline(always)]
    pub(crate) fn get(&self, influence: usize) -> Option<(&'a ColumnMatrix, f32)> {
        Some(matrix_and_weight(self.table, self.own.get(influence)?))
    }

    /// The influences of a block of vertices with `K` each.
    #[inline(always)]
    pub(crate) fn block<const K: usize>(&self, block: usize) -> Option<ColumnBlock<'a, K>> {
        let own = self.own.as_chunks::<K>().0.as_chunks::<BLOCK>().0.get(block)?;
        Some(ColumnBlock { own, table: self.table })
    }
}

/// The influences of eight vertices with `K` each.
#[derive(Clone, Copy)]
pub(crate) struct ColumnBlock<'a, const K: usize> {
    /// All in the table.
    own: &'a [[ColumnInfluence; K]; BLOCK],
    table: &'a [ColumnMatrix],
}

impl<'a, const K: usize> ColumnBlock<'a, K> {
    /// An influence of a vertex: matrix and weight.
    #[inline(always)]
    pub(crate) fn get(&self, vertex: usize, k: usize) -> (&'a ColumnMatrix, f32) {
        matrix_and_weight(self.table, &self.own[vertex % BLOCK][k])
    }
}

/// The matrix and weight of an influence of a segment, from the segment's table.
#[inline(always)]
fn matrix_and_weight<'a>(table: &'a [ColumnMatrix], own: &ColumnInfluence) -> (&'a ColumnMatrix, f32) {
    debug_assert!((own.place as usize) < size_of_val(table));
    let matrix = table.as_ptr().wrapping_byte_add(own.place as usize);
    // SAFETY: the place is that of a matrix of the segment's table, and `ColumnTable::matrices`
    // checked that this table is as long.
    (unsafe { &*matrix }, own.weight)
}

impl<'a> ColumnSegment<'a> {
    /// The first `V` base vectors of a block of vertices. `None` past the end, or if vertices have
    /// fewer vectors.
    #[inline(always)]
    pub(crate) fn base_block<const V: usize>(&self, block: usize) -> Option<ColumnBase<'a, V>> {
        let len = BLOCK / 2 * self.vectors;
        let base = self.base.get(block.checked_mul(len)?..)?.get(..len)?;
        (V <= self.vectors).then_some(ColumnBase { base, vectors: self.vectors })
    }
}

/// The base vectors of a block of vertices: at least `V` of each of four pairs.
#[derive(Clone, Copy)]
pub(crate) struct ColumnBase<'a, const V: usize> {
    base: &'a [VertexPair],
    vectors: usize,
}

impl<'a, const V: usize> ColumnBase<'a, V> {
    /// The vectors of a pair.
    #[inline(always)]
    pub(crate) fn pair(&self, pair: usize) -> &'a [VertexPair; V] {
        let first = self.base.as_ptr().wrapping_add(pair % (BLOCK / 2) * self.vectors);
        debug_assert!((pair % (BLOCK / 2)) * self.vectors + V <= self.base.len());
        // SAFETY: there are `vectors` of each of the four pairs, and at least `V`, as `base_block`
        // checked.
        unsafe { &*first.cast() }
    }
}
