//! The matrices of column segments: a table on the stack, as columns, looked up without a check per
//! influence.
//!
//! `unsafe` relies on the fact that [`Segments`](crate::Segments) establishes: every joint of a
//! column segment is below the length of the segment's table. The table is filled to that length
//! before it is read.

use std::mem::MaybeUninit;

use super::Lanes;
use super::quads::Quads;
use super::segments::{ColumnInfluence, ColumnSegment, NO_JOINT, VertexPair, take_slice};
use crate::Matrix;

/// The most joints of a table of matrices: 32 KiB.
pub(super) const MAX_TABLE: usize = 512;

/// How many bytes ahead vertices are fetched.
const READ_AHEAD: usize = 1024;

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

    /// The vertices of a segment, with matrices from a table that is filled unless it already is.
    #[inline(always)]
    pub(crate) fn vertices<'a, L: Lanes>(
        &'a mut self,
        token: L::Token,
        segment: &ColumnSegment<'a>,
        palette: &[Matrix],
    ) -> ColumnVertices<'a> {
        if self.table != Some(segment.table) {
            self.fill::<L>(token, segment.table_joints, palette);
            self.table = Some(segment.table);
        }
        let initialized = self.matrices.get(..self.len).unwrap_or_default();
        // SAFETY: `fill` initialized these, and `MaybeUninit` has the layout of what it holds.
        let table = unsafe { &*(std::ptr::from_ref(initialized) as *const [ColumnMatrix]) };
        assert!(segment.table_joints.len() <= table.len(), "the matrices of the whole table");
        let ColumnSegment { own, base, influences, vectors, reads_ahead, .. } = *segment;
        ColumnVertices { own, base, influences, vectors, reads_ahead, table }
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

/// The vertices of a segment, with the matrices of their influences.
#[derive(Clone, Copy)]
pub(crate) struct ColumnVertices<'a> {
    /// `influences` of each vertex, all in the table.
    own: &'a [ColumnInfluence],
    /// `vectors` of each pair of vertices.
    base: &'a [VertexPair],
    influences: usize,
    vectors: usize,
    reads_ahead: bool,
    table: &'a [ColumnMatrix],
}

impl<'a> ColumnVertices<'a> {
    /// Takes the next pairs of vertices, with their first `V` base vectors: none if there are not
    /// as many, or if vertices have no influence or fewer vectors.
    #[inline(always)]
    pub(crate) fn take_pairs<const V: usize>(&mut self, pairs: usize) -> ColumnPairs<'a, V> {
        let Self { influences, vectors, reads_ahead, table, .. } = *self;
        let (own_len, base_len) = (pairs.saturating_mul(2 * influences), pairs.saturating_mul(vectors));
        let (own, base) = (take_slice(&mut self.own, own_len), take_slice(&mut self.base, base_len));
        let all = own.len() == own_len && base.len() == base_len;
        let left = if all && influences > 0 && vectors >= V { pairs } else { 0 };
        ColumnPairs { own: own.as_ptr(), base: base.as_ptr(), influences, vectors, left, reads_ahead, table }
    }
}

/// Pairs of consecutive vertices, walked from front to back. `own` and `base` point to what is
/// there for all pairs that are left.
#[derive(Clone, Copy)]
pub(crate) struct ColumnPairs<'a, const V: usize> {
    own: *const ColumnInfluence,
    base: *const VertexPair,
    /// At least one.
    influences: usize,
    /// At least `V`.
    vectors: usize,
    left: usize,
    reads_ahead: bool,
    table: &'a [ColumnMatrix],
}

impl<'a, const V: usize> ColumnPairs<'a, V> {
    /// Whether it pays to fetch vertices ahead.
    #[inline(always)]
    pub(crate) fn reads_ahead(&self) -> bool {
        self.reads_ahead
    }

    /// The number of pairs that are left.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.left
    }

    /// Influences per vertex.
    #[inline(always)]
    pub(crate) fn influences(&self) -> usize {
        self.influences
    }

    /// The next pair.
    #[inline(always)]
    pub(crate) fn next(&mut self) -> Option<ColumnPair<'a, V>> {
        self.left = self.left.checked_sub(1)?;
        let pair =
            ColumnPair { own: self.own, influences: self.influences, base: self.base, table: self.table };
        self.own = self.own.wrapping_add(2 * self.influences);
        self.base = self.base.wrapping_add(self.vectors);
        Some(pair)
    }
}

/// Two consecutive vertices.
#[derive(Clone, Copy)]
pub(crate) struct ColumnPair<'a, const V: usize> {
    /// The influences of both.
    own: *const ColumnInfluence,
    /// Of each: at least one.
    influences: usize,
    /// At least `V`.
    base: *const VertexPair,
    table: &'a [ColumnMatrix],
}

impl<'a, const V: usize> ColumnPair<'a, V> {
    /// The base vectors.
    #[inline(always)]
    pub(crate) fn base(&self) -> &'a [VertexPair; V] {
        // SAFETY: there are at least `V`, as `take_pairs` checked.
        unsafe { &*self.base.cast() }
    }

    /// Fetches what is read some pairs later.
    #[inline(always)]
    pub(crate) fn prefetch<L: Lanes>(&self, token: L::Token) {
        let (base, own) = (self.base.cast::<u8>(), self.own.cast::<u8>());
        L::prefetch_for_read(token, base.wrapping_add(READ_AHEAD));
        L::prefetch_for_read(token, base.wrapping_add(READ_AHEAD + 64));
        L::prefetch_for_read(token, own.wrapping_add(READ_AHEAD));
    }

    /// The influences of vertex `step`, if `N` is 1, or of both vertices, if it is 2.
    #[inline(always)]
    pub(crate) fn influences<const N: usize>(&self, step: usize) -> PairInfluences<'a, N> {
        const { assert!(N == 1 || N == 2) };
        let first = self.own.wrapping_add(step % (3 - N) * self.influences);
        PairInfluences { first, stride: self.influences, next: 0, table: self.table }
    }
}

/// The influences of `N` vertices, equally many, walked from front to back.
pub(crate) struct PairInfluences<'a, const N: usize> {
    first: *const ColumnInfluence,
    /// The number of influences of each vertex: at least one.
    stride: usize,
    next: usize,
    table: &'a [ColumnMatrix],
}

/// Two influences of a vertex.
#[derive(Clone, Copy)]
pub(crate) struct TwoInfluences<'a> {
    pub(crate) matrices: [&'a ColumnMatrix; 2],
    /// The weights are the floats 1 and 3: one load for both.
    pub(crate) weights: &'a [f32; 4],
}

const _: () = assert!(size_of::<[ColumnInfluence; 2]>() == size_of::<[f32; 4]>());

impl<'a, const N: usize> PairInfluences<'a, N> {
    /// The next two influences of each vertex; `None` if there are not as many.
    #[inline(always)]
    pub(crate) fn next_two(&mut self) -> Option<[TwoInfluences<'a>; N]> {
        let k = self.next;
        if k + 2 > self.stride {
            return None;
        }
        self.next += 2;
        let none = const { &ColumnMatrix::ZERO };
        let mut all = [TwoInfluences { matrices: [none; 2], weights: &[0.0; 4] }; N];
        for i in 0..N {
            let own = self.first.wrapping_add(i * self.stride + k);
            // SAFETY: whoever made `self` showed that there are `stride` for each of `N` vertices,
            // and `k + 2` is at most `stride`.
            let own = unsafe { &*own.cast::<[ColumnInfluence; 2]>() };
            // SAFETY: two times a number and a float without padding, as asserted above; the bits
            // of any number are those of a float.
            let weights = unsafe { &*std::ptr::from_ref(own).cast::<[f32; 4]>() };
            all[i] = TwoInfluences { matrices: [self.matrix(&own[0]), self.matrix(&own[1])], weights };
        }
        Some(all)
    }

    /// The first influence of each vertex.
    #[inline(always)]
    pub(crate) fn first(&self) -> [(&'a ColumnMatrix, f32); N] {
        self.get(0)
    }

    /// The next influence of each vertex.
    #[inline(always)]
    pub(crate) fn next(&mut self) -> Option<[(&'a ColumnMatrix, f32); N]> {
        let k = self.next;
        if k >= self.stride {
            return None;
        }
        self.next += 1;
        Some(self.get(k))
    }

    /// Influence `k` of each vertex, which must be below the number of influences.
    #[inline(always)]
    fn get(&self, k: usize) -> [(&'a ColumnMatrix, f32); N] {
        let mut all = [(const { &ColumnMatrix::ZERO }, 0.0); N];
        for i in 0..N {
            let own = self.first.wrapping_add(i * self.stride + k);
            // SAFETY: whoever made `self` showed that there are `stride` for each of `N` vertices.
            let own = unsafe { &*own };
            all[i] = (self.matrix(own), own.weight);
        }
        all
    }

    /// The matrix of an influence of these vertices.
    #[inline(always)]
    fn matrix(&self, own: &ColumnInfluence) -> &'a ColumnMatrix {
        debug_assert!((own.offset as usize) < size_of_val(self.table));
        let matrix = self.table.as_ptr().wrapping_byte_add(own.offset as usize);
        // SAFETY: the offset is that of a matrix of the segment's table, and
        // `ColumnTable::vertices` checked that this table is as long.
        unsafe { &*matrix }
    }
}
