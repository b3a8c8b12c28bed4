//! Scratch memory for a few blocks or registers, which is not cleared first.

use std::mem::MaybeUninit;

use crate::VectorBlock;

/// What fills a scratch memory. Not a closure: where the same is called twice, it is not inlined,
/// and as a function of its own, without features, it would call every intrinsic.
pub(crate) trait Fill<T> {
    /// The value of a block and an index in it, which are asked for in ascending order.
    fn value(&mut self, block: usize, index: usize) -> T;
}

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
        mut vector: impl Fill<VectorBlock>,
    ) -> &[VectorBlock] {
        let mut filled = 0;
        for b in 0..blocks {
            for v in 0..vectors {
                let Some(to) = self.blocks.get_mut(filled) else { break };
                to.write(vector.value(b, v));
                filled += 1;
            }
        }
        let filled = self.blocks.get(..filled).unwrap_or_default();
        // SAFETY: all of these were written, and `MaybeUninit` has the layout of what it holds.
        unsafe { &*(std::ptr::from_ref(filled) as *const [VectorBlock]) }
    }
}

/// Room for `N` values.
pub(crate) struct Scratch<T, const N: usize> {
    values: [MaybeUninit<T>; N],
}

impl<T: Copy, const N: usize> Scratch<T, N> {
    #[inline(always)]
    pub(crate) const fn new() -> Self {
        Self { values: [const { MaybeUninit::uninit() }; N] }
    }

    /// Fills the first values, one for each of `len` blocks, as far as there is room, and returns
    /// them.
    #[inline(always)]
    pub(crate) fn fill(&mut self, len: usize, mut values: impl Fill<T>) -> &[T] {
        let filled = self.values.get_mut(..len.min(N)).unwrap_or_default();
        for (block, to) in filled.iter_mut().enumerate() {
            to.write(values.value(block, 0));
        }
        // SAFETY: all of these were written, and `MaybeUninit` has the layout of what it holds.
        unsafe { &*(std::ptr::from_ref(filled) as *const [T]) }
    }
}

/// Up to `N` values between two steps of their computation: the second step of one turn's values
/// and the first step of the next turn's alternate.
pub(crate) struct Pending<T, const N: usize> {
    values: [MaybeUninit<T>; N],
    /// Values below this index were written.
    len: usize,
}

impl<T, const N: usize> Pending<T, N> {
    #[inline(always)]
    pub(crate) const fn new() -> Self {
        Self { values: [const { MaybeUninit::uninit() }; N], len: 0 }
    }

    /// Whether there are `N` values.
    #[inline(always)]
    pub(crate) fn is_full(&self) -> bool {
        self.len == N
    }

    /// Passes each of `N` values to `finish` and takes others, by index, in their places. `None` if
    /// there are not `N` values before or after.
    #[inline(always)]
    pub(crate) fn exchange_all(
        &mut self,
        mut next: impl FnMut(usize) -> Option<T>,
        mut finish: impl FnMut(usize, &T),
    ) -> Option<()> {
        if !self.is_full() {
            return None;
        }
        for (i, value) in self.values.iter_mut().enumerate() {
            // SAFETY: there are `N` values.
            finish(i, unsafe { value.assume_init_ref() });
            let Some(next) = next(i) else {
                self.len = i;
                return None;
            };
            value.write(next);
        }
        Some(())
    }

    /// Passes each value to `finish`, in order.
    #[inline(always)]
    pub(crate) fn finish(&mut self, mut finish: impl FnMut(&T)) {
        for value in &self.values[..self.len.min(N)] {
            // SAFETY: values below `len` were written.
            finish(unsafe { value.assume_init_ref() });
        }
        self.len = 0;
    }

    /// Passes each value to `finish` and takes others in their places, until there is no next one
    /// or all places are full. Returns whether there are values now.
    #[inline(always)]
    pub(crate) fn exchange(
        &mut self,
        mut next: impl FnMut() -> Option<T>,
        mut finish: impl FnMut(&T),
    ) -> bool {
        let mut len = 0;
        for (i, value) in self.values.iter_mut().enumerate() {
            if i < self.len {
                // SAFETY: values below `len` were written.
                finish(unsafe { value.assume_init_ref() });
            }
            if let Some(next) = next() {
                value.write(next);
                len = i + 1;
            } else if i >= self.len {
                break;
            }
        }
        // Below it, places were written now or before: the loop ends at the first that was not.
        self.len = len;
        len > 0
    }
}
