//! Waking wide registers before they are needed.
//!
//! Some CPUs run 256-bit instructions at a third of their speed for up to 300 microseconds after a pause of a
//! millisecond: slower than 128-bit ones, which have no such pause. A handful of wide instructions 100 to 200
//! microseconds ahead cures it.

use crate::ScalarBlock;
use crate::lanes::Lanes;

/// Does a little arithmetic in the block's registers, to no other end.
#[derive(Debug)]
pub struct WarmUp<'a> {
    /// Read and written; what it holds does not matter.
    pub block: &'a mut ScalarBlock,
}

/// As many multiply-adds as wake a CPU that sleeps.
const STEPS: usize = 64;

#[inline(always)]
pub(crate) fn body<L: Lanes>(token: L::Token, contract: &mut WarmUp<'_>) {
    for group in 0..L::GROUPS {
        let half = L::splat(token, 0.5);
        let mut sum = L::load(token, &contract.block.0, group);
        for _ in 0..STEPS {
            sum = sum.mul_add(half, half);
        }
        sum.store(&mut contract.block.0, group);
    }
}
