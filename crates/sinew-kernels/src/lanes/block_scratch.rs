//! Scratch memory for a few blocks or registers, which is not cleared first.

use std::mem::MaybeUninit;

use crate::VectorBlock;

/// Room for `N` vectors of blocks.
pub(crate) struct BlockScratch<const N: usize> {
    blocks: [MaybeUninit<VectorBlock>; N],
}

impl<const N: usize> BlockScratch<N> {
    #[inline(always)]
    pub(crate) const fn new() -> Self {
        Self { blocks: [const { MaybeUninit::uninit() }; N] }
    }

    /// Fills the vectors of blocks, as far as there is room, and returns them.
    #[inline(always)]
    pub(crate) fn fill(
        &mut self,
        blocks: usize,
        vectors: usize,
        vector: impl Fn(usize, usize) -> VectorBlock,
    ) -> &[VectorBlock] {
        let mut filled = 0;
        for b in 0..blocks {
            for v in 0..vectors {
                let Some(to) = self.blocks.get_mut(filled) else { break };
                to.write(vector(b, v));
                filled += 1;
            }
        }
        let filled = self.blocks.get(..filled).unwrap_or_default();
        // SAFETY: all of these were written, and `MaybeUninit` has the layout of what it holds.
        unsafe { &*(std::ptr::from_ref(filled) as *const [VectorBlock]) }
    }
}

/// Room for `N` values between two passes over the same elements.
pub(crate) struct Scratch<T, const N: usize> {
    values: [MaybeUninit<T>; N],
}

impl<T: Copy, const N: usize> Scratch<T, N> {
    #[inline(always)]
    pub(crate) const fn new() -> Self {
        Self { values: [const { MaybeUninit::uninit() }; N] }
    }

    /// Fills the first values, `groups` for each of `len` blocks, as far as there is room for whole
    /// blocks, and returns them. A value is given by its block and its group in it.
    #[inline(always)]
    pub(crate) fn fill(
        &mut self,
        len: usize,
        groups: usize,
        mut value: impl FnMut(usize, usize) -> T,
    ) -> &[T] {
        let len = len.min(N / groups);
        for b in 0..len {
            for group in 0..groups {
                self.values[b * groups + group].write(value(b, group));
            }
        }
        let len = len * groups;
        // SAFETY: all of these were written, and `MaybeUninit` has the layout of what it holds.
        unsafe { &*(std::ptr::from_ref(&self.values[..len]) as *const [T]) }
    }

    /// Fills the first `len` values, as far as there is room, and returns them. A value is given by
    /// its index.
    #[inline(always)]
    pub(crate) fn fill_first(&mut self, len: usize, mut value: impl FnMut(usize) -> T) -> &[T] {
        let values = self.values.get_mut(..len.min(N)).unwrap_or_default();
        for i in 0..values.len() {
            values[i].write(value(i));
        }
        // SAFETY: all of these were written, and `MaybeUninit` has the layout of what it holds.
        unsafe { &*(std::ptr::from_ref(values) as *const [T]) }
    }
}
