//! The rows of components, block after block, without a check per block.
//!
//! `unsafe` relies on one fact: [`VectorRows`] and [`ScalarRows`] are made of slices that have as
//! many rows as they have blocks.

use std::marker::PhantomData;

use super::Lanes;
use crate::{BLOCK, ScalarBlock, VectorBlock};

const _: () = assert!(size_of::<VectorBlock>() == 3 * size_of::<[f32; BLOCK]>());
const _: () = assert!(size_of::<ScalarBlock>() == size_of::<[f32; BLOCK]>());

/// One vector of each of a number of blocks.
#[derive(Clone, Copy)]
pub(crate) struct VectorRows<'a> {
    first: *const [[f32; BLOCK]; 3],
    /// Vectors from one block to the next.
    step: usize,
    blocks: usize,
    rows: PhantomData<&'a [f32; BLOCK]>,
}

impl<'a> VectorRows<'a> {
    /// A vector, in blocks with a number of vectors each. `None` if there are fewer blocks or
    /// vectors.
    #[inline(always)]
    pub(crate) fn new(
        vectors: &'a [VectorBlock],
        of_block: usize,
        vector: usize,
        blocks: usize,
    ) -> Option<Self> {
        let there = blocks.checked_mul(of_block).is_some_and(|needed| needed <= vectors.len());
        let first = vectors.as_ptr().wrapping_add(vector).cast();
        (there && vector < of_block).then_some(Self { first, step: of_block, blocks, rows: PhantomData })
    }

    /// One component. `None` if there are fewer.
    #[inline(always)]
    pub(crate) fn axis(self, axis: usize) -> Option<ScalarRows<'a>> {
        let Self { first, step, blocks, rows } = self;
        let first = first.cast::<[f32; BLOCK]>().wrapping_add(axis);
        (axis < 3).then_some(ScalarRows { first, step: 3 * step, blocks, rows })
    }
}

/// One row of each of a number of blocks.
#[derive(Clone, Copy)]
pub(crate) struct ScalarRows<'a> {
    first: *const [f32; BLOCK],
    /// Rows from one block to the next.
    step: usize,
    blocks: usize,
    rows: PhantomData<&'a [f32; BLOCK]>,
}

impl<'a> ScalarRows<'a> {
    /// One scalar block for each block. `None` if there are fewer.
    #[inline(always)]
    pub(crate) fn new(scalars: &'a [ScalarBlock], blocks: usize) -> Option<Self> {
        let first = scalars.as_ptr().cast();
        (blocks <= scalars.len()).then_some(Self { first, step: 1, blocks, rows: PhantomData })
    }

    /// One word of two of each block.
    #[inline(always)]
    pub(crate) fn of_pairs(pairs: &'a [[[f32; BLOCK]; 2]], word: usize) -> Self {
        let first = pairs.as_ptr().cast::<[f32; BLOCK]>().wrapping_add(word % 2);
        Self { first, step: 2, blocks: pairs.len(), rows: PhantomData }
    }

    /// The same scalar block for all blocks.
    #[inline(always)]
    pub(crate) fn repeated(scalars: &'a ScalarBlock, blocks: usize) -> Self {
        Self { first: &raw const scalars.0, step: 0, blocks, rows: PhantomData }
    }
}

impl<'a> ScalarRows<'a> {
    /// The row of the next block.
    #[inline(always)]
    pub(crate) fn next_row(&mut self) -> Option<&'a [f32; BLOCK]> {
        self.blocks = self.blocks.checked_sub(1)?;
        // SAFETY: there is a row for each block: see the top of this file.
        let row = unsafe { &*self.first };
        self.first = self.first.wrapping_add(self.step);
        Some(row)
    }

    /// Leaves out blocks.
    #[inline(always)]
    pub(crate) fn skip_rows(&mut self, blocks: usize) {
        let skipped = blocks.min(self.blocks);
        self.blocks -= skipped;
        self.first = self.first.wrapping_add(skipped * self.step);
    }
}

/// Four components of each of a number of blocks, block after block.
pub(crate) trait Components: Copy {
    /// The number of blocks that are left.
    fn blocks(&self) -> usize;

    /// Leaves out blocks.
    fn skip_blocks(self, blocks: usize) -> Self;

    /// The rows of the next block.
    fn next_block(&mut self) -> Option<[&[f32; BLOCK]; 4]>;

    /// Loads one register of each component, from the rows of a block.
    #[inline(always)]
    fn load<L: Lanes>(&self, token: L::Token, [a, b, c, d]: [&[f32; BLOCK]; 4], group: usize) -> [L; 4] {
        let (a, b) = (L::load(token, a, group), L::load(token, b, group));
        [a, b, L::load(token, c, group), L::load(token, d, group)]
    }
}

/// A vector, and the same fourth component for all.
#[derive(Clone, Copy)]
pub(crate) struct VectorAndConstant<'a> {
    vector: VectorRows<'a>,
    fourth: f32,
}

impl<'a> VectorAndConstant<'a> {
    #[inline(always)]
    pub(crate) fn new(vector: VectorRows<'a>, fourth: f32) -> Self {
        Self { vector, fourth }
    }
}

impl Components for VectorAndConstant<'_> {
    #[inline(always)]
    fn blocks(&self) -> usize {
        self.vector.blocks
    }

    #[inline(always)]
    fn skip_blocks(mut self, blocks: usize) -> Self {
        let skipped = blocks.min(self.vector.blocks);
        self.vector.blocks -= skipped;
        self.vector.first = self.vector.first.wrapping_add(skipped * self.vector.step);
        self
    }

    #[inline(always)]
    fn next_block(&mut self) -> Option<[&[f32; BLOCK]; 4]> {
        let vector = &mut self.vector;
        vector.blocks = vector.blocks.checked_sub(1)?;
        // SAFETY: there is a row for each block: see the top of this file.
        let [x, y, z] = unsafe { &*vector.first };
        vector.first = vector.first.wrapping_add(vector.step);
        Some([x, y, z, z])
    }

    #[inline(always)]
    fn load<L: Lanes>(&self, token: L::Token, [x, y, z, _]: [&[f32; BLOCK]; 4], group: usize) -> [L; 4] {
        let (x, y) = (L::load(token, x, group), L::load(token, y, group));
        [x, y, L::load(token, z, group), L::splat(token, self.fourth)]
    }
}

/// A vector and a fourth component.
#[derive(Clone, Copy)]
pub(crate) struct VectorAndFourth<'a> {
    vector: VectorRows<'a>,
    fourth: ScalarRows<'a>,
    blocks: usize,
}

impl<'a> VectorAndFourth<'a> {
    #[inline(always)]
    pub(crate) fn new(vector: VectorRows<'a>, fourth: ScalarRows<'a>) -> Self {
        Self { vector, fourth, blocks: vector.blocks.min(fourth.blocks) }
    }
}

impl Components for VectorAndFourth<'_> {
    #[inline(always)]
    fn blocks(&self) -> usize {
        self.blocks
    }

    #[inline(always)]
    fn skip_blocks(mut self, blocks: usize) -> Self {
        let skipped = blocks.min(self.blocks);
        self.blocks -= skipped;
        self.vector.first = self.vector.first.wrapping_add(skipped * self.vector.step);
        self.fourth.first = self.fourth.first.wrapping_add(skipped * self.fourth.step);
        self
    }

    #[inline(always)]
    fn next_block(&mut self) -> Option<[&[f32; BLOCK]; 4]> {
        let Self { vector, fourth, blocks } = self;
        *blocks = blocks.checked_sub(1)?;
        // SAFETY: both have a row for each block: see the top of this file.
        let [x, y, z] = unsafe { &*vector.first };
        // SAFETY: as above.
        let w = unsafe { &*fourth.first };
        vector.first = vector.first.wrapping_add(vector.step);
        fourth.first = fourth.first.wrapping_add(fourth.step);
        Some([x, y, z, w])
    }
}

/// Any four components.
#[derive(Clone, Copy)]
pub(crate) struct AnyFour<'a> {
    rows: [ScalarRows<'a>; 4],
    blocks: usize,
}

impl<'a> AnyFour<'a> {
    #[inline(always)]
    pub(crate) fn new(rows: [ScalarRows<'a>; 4]) -> Self {
        let [a, b, c, d] = rows;
        Self { rows, blocks: a.blocks.min(b.blocks).min(c.blocks).min(d.blocks) }
    }
}

impl Components for AnyFour<'_> {
    #[inline(always)]
    fn blocks(&self) -> usize {
        self.blocks
    }

    #[inline(always)]
    fn skip_blocks(mut self, blocks: usize) -> Self {
        let skipped = blocks.min(self.blocks);
        self.blocks -= skipped;
        for i in 0..4 {
            self.rows[i].first = self.rows[i].first.wrapping_add(skipped * self.rows[i].step);
        }
        self
    }

    #[inline(always)]
    fn next_block(&mut self) -> Option<[&[f32; BLOCK]; 4]> {
        self.blocks = self.blocks.checked_sub(1)?;
        let [a, b, c, d] = self.rows;
        for i in 0..4 {
            self.rows[i].first = self.rows[i].first.wrapping_add(self.rows[i].step);
        }
        // SAFETY: each has a row for each block: see the top of this file.
        let (a, b) = (unsafe { &*a.first }, unsafe { &*b.first });
        // SAFETY: as above.
        let (c, d) = (unsafe { &*c.first }, unsafe { &*d.first });
        Some([a, b, c, d])
    }
}
