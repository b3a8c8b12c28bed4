//! Scratch memory for skinned positions, from which every vertex takes its own.
//!
//! `unsafe` relies on the fact that [`PositionRemap::new`] establishes, and nothing changes: every
//! index is below `positions`.

use std::hint::black_box;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::ops::Range;

use super::Lanes;
use crate::BLOCK;

/// The most positions of a remap: 48 KiB.
pub const MAX_UNIQUE_POSITIONS: usize = 4096;

/// The most blocks of positions.
pub(crate) const MAX_BLOCKS: usize = MAX_UNIQUE_POSITIONS / BLOCK;

/// Which of some positions each vertex has.
#[derive(Clone, Debug, PartialEq)]
pub struct PositionRemap {
    /// The first float of each vertex's position: three times its index.
    offsets: Vec<u16>,
    /// All indices are below it.
    positions: usize,
}

impl PositionRemap {
    /// The index of each vertex's position.
    ///
    /// # Panics
    ///
    /// If an index is [`MAX_UNIQUE_POSITIONS`] or more.
    #[must_use]
    pub fn new(indices: impl IntoIterator<Item = usize>) -> Self {
        let mut remap = Self { offsets: Vec::new(), positions: 0 };
        for index in indices {
            assert!(index < MAX_UNIQUE_POSITIONS, "an index that fits");
            remap.offsets.push(3 * index as u16);
            remap.positions = remap.positions.max(index + 1);
        }
        remap
    }

    /// The number of vertices.
    #[inline(always)]
    #[must_use]
    pub fn len(&self) -> usize {
        self.offsets.len()
    }

    /// Whether there are no vertices.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.offsets.is_empty()
    }

    /// The number of positions that there must be.
    #[inline(always)]
    #[must_use]
    pub fn required_positions(&self) -> usize {
        self.positions
    }

    /// The index of each vertex's position.
    pub fn indices(&self) -> impl Iterator<Item = usize> {
        self.offsets.iter().map(|&offset| usize::from(offset) / 3)
    }

    /// The number of bytes of all arrays.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of_val(&self.offsets[..])
    }

    /// The block of a vertex's position.
    #[inline(always)]
    pub(crate) fn block_of(&self, vertex: usize) -> Option<usize> {
        let &offset = self.offsets.get(vertex)?;
        Some(usize::from(offset) / (3 * BLOCK))
    }
}

/// Rows of eight floats of a block of positions without gaps.
const ROWS: usize = 3;

/// Room for positions.
pub(crate) struct PositionScratch {
    /// The last block is only there to be read: behind a position lies another float.
    rows: [MaybeUninit<[f32; BLOCK]>; ROWS * (MAX_BLOCKS + 1)],
    /// How many blocks were written.
    written: usize,
}

impl PositionScratch {
    #[inline(always)]
    pub(crate) const fn new() -> Self {
        Self { rows: [const { MaybeUninit::uninit() }; ROWS * (MAX_BLOCKS + 1)], written: 0 }
    }

    /// Clears a number of blocks, and the one behind them. Returns their positions: none if there
    /// is no room.
    #[inline(always)]
    pub(crate) fn cleared<L: Lanes>(&mut self, token: L::Token, blocks: usize) -> &mut [[f32; 3]] {
        let Some(rows) = self.rows.get_mut(..ROWS * (blocks + 1)) else { return &mut [] };
        // Hidden from the compiler, which would call memset.
        let zero = L::splat(token, black_box(0.0));
        for to in rows.iter_mut() {
            let mut row = [0.0; BLOCK];
            for group in 0..L::GROUPS {
                zero.store(&mut row, group);
            }
            to.write(row);
        }
        self.written = blocks + 1;
        // SAFETY: all of these were written; three rows are eight positions without padding, and
        // `MaybeUninit` has the layout of what it holds.
        unsafe { std::slice::from_raw_parts_mut(rows.as_mut_ptr().cast(), BLOCK * blocks) }
    }

    /// The positions of some vertices, each with a float behind it: of none, if there are not as
    /// many vertices or positions.
    #[inline(always)]
    pub(crate) fn vertices<'a>(
        &'a self,
        remap: &'a PositionRemap,
        vertices: Range<usize>,
    ) -> VertexPositions<'a> {
        let offsets = remap.offsets.get(vertices).unwrap_or_default();
        let fits = remap.positions <= BLOCK * self.written.saturating_sub(1);
        VertexPositions {
            next: offsets.as_ptr(),
            left: if fits { offsets.len() } else { 0 },
            floats: self.rows.as_ptr().cast(),
            memory: PhantomData,
        }
    }
}

/// The positions of vertices, walked from front to back. There are `left` offsets from `next` on,
/// and at each, four floats that were written.
pub(crate) struct VertexPositions<'a> {
    next: *const u16,
    left: usize,
    floats: *const f32,
    memory: PhantomData<&'a [f32]>,
}

impl<'a> VertexPositions<'a> {
    /// The positions of the next two vertices; `None` if there are fewer.
    #[inline(always)]
    pub(crate) fn next_pair(&mut self) -> Option<[&'a [f32; 4]; 2]> {
        self.left = self.left.checked_sub(2)?;
        // SAFETY: two offsets were left.
        let &[a, b] = unsafe { &*self.next.cast::<[u16; 2]>() };
        self.next = self.next.wrapping_add(2);
        Some([self.position(a), self.position(b)])
    }

    /// The position of the next vertex.
    #[inline(always)]
    pub(crate) fn next_one(&mut self) -> Option<&'a [f32; 4]> {
        self.left = self.left.checked_sub(1)?;
        // SAFETY: an offset was left.
        let offset = unsafe { *self.next };
        self.next = self.next.wrapping_add(1);
        Some(self.position(offset))
    }

    #[inline(always)]
    fn position(&self, offset: u16) -> &'a [f32; 4] {
        let position = self.floats.wrapping_add(usize::from(offset));
        // SAFETY: the offset is that of a position below the remap's number of positions, which
        // were written with a block behind them, as `vertices` checked.
        unsafe { &*position.cast() }
    }
}
