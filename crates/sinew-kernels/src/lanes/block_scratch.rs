//! Scratch memory for a few blocks, which is not cleared first.

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
