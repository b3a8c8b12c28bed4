//! Powers up wide registers before they are needed.
//!
//! Some CPUs run 256-bit instructions at a third of their speed for up to 300 microseconds after a
//! millisecond without any: slower than 128-bit ones, which have no such delay. A handful of wide
//! instructions 100 to 200 microseconds ahead avoids it.

use crate::ScalarBlock;
use crate::lanes::Lanes;

/// Runs a few instructions in the backend's registers; the result is meaningless.
#[derive(Debug)]
pub struct WarmUp<'a> {
    /// Read and written; its values do not matter.
    pub block: &'a mut ScalarBlock,
}

/// As many multiply-adds as it takes to power up the registers.
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
