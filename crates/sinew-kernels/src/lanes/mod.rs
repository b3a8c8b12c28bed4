//! Registers of `f32`: one trait, one implementation per instruction set.
//!
//! A value of a lanes type exists only where the CPU has its instructions: the first one is made from the
//! row's token, and tokens are made only inside functions compiled for those instructions. That is the fact
//! every `unsafe` block of this folder rests on.

use std::hint::black_box;
use std::ops::{Add, Div, Mul, Neg, Range, Sub};

use crate::{BLOCK, Matrix, VectorBlock};

pub(crate) mod inline_zip;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) mod intrinsics;
#[cfg(target_arch = "aarch64")]
pub(crate) mod neon;
#[allow(dead_code, reason = "not every target has the plain row")]
pub(crate) mod plain;
pub(crate) mod quads;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) mod simd128;
pub(crate) mod triangles;
#[cfg(target_arch = "x86_64")]
pub(crate) mod xmm;
#[cfg(target_arch = "x86_64")]
pub(crate) mod ymm;

/// A register of `f32`. Lanes never mix, except within a *quad*: four neighbouring lanes, 128 bits.
///
/// An operation enters when a kernel needs it. What a register of one quad does the same way on every instruction set
/// is written here once. Implementations are `inline(always)`, so that they become
/// part of the function compiled for their instructions.
pub(crate) trait Lanes:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// Proof that the instructions are there.
    type Token: Copy;
    /// One truth value per lane.
    type Mask: Copy;
    /// Lanes in a register: 4 or 8.
    const LEN: usize;
    /// Quads in a register.
    const QUADS: usize = Self::LEN / 4;
    /// Whether a value in memory is splatted as fast as a register is loaded.
    const FAST_BROADCAST_LOADS: bool = false;
    /// Whether one loop for all numbers of joints and vectors is better than many fast ones, which take long to compile.
    const COMPACT_LOOPS: bool = false;
    /// Registers in a block row.
    const GROUPS: usize = BLOCK / Self::LEN;

    /// The groups of a block row, for a loop that is not written out once for each. On four lanes that is up to a fifth
    /// slower, and with many forms of one body it halves what the compiler has to do.
    #[inline(always)]
    fn groups() -> Range<usize> {
        0..if Self::GROUPS == 1 { 1 } else { black_box(Self::GROUPS) }
    }
    /// The same value in every lane.
    fn splat(token: Self::Token, value: f32) -> Self;
    /// Lanes `group * LEN ..` of a block row.
    #[inline(always)]
    fn load(token: Self::Token, row: &[f32; BLOCK], group: usize) -> Self {
        Self::load_quads(token, |_| &row.as_chunks().0[group % Self::GROUPS])
    }
    /// Writes lanes `group * LEN ..` of a block row.
    #[inline(always)]
    fn store(self, row: &mut [f32; BLOCK], group: usize) {
        self.store_quad(0, &mut row.as_chunks_mut().0[group % Self::GROUPS]);
    }
    /// Each quad from where `quad` says.
    fn load_quads<'a>(token: Self::Token, quad: impl Fn(usize) -> &'a [f32; 4]) -> Self;
    /// Each quad filled with the value `quad` gives.
    #[inline(always)]
    fn splat_quads(token: Self::Token, quad: impl Fn(usize) -> f32) -> Self {
        Self::splat(token, quad(0))
    }
    /// Each quad from the three floats where `quad` says, and a zero.
    fn load_vec3s<'a>(token: Self::Token, quad: impl Fn(usize) -> &'a [f32; 3]) -> Self;
    /// Writes one quad.
    fn store_quad(self, quad: usize, to: &mut [f32; 4]);
    /// Writes the first three lanes of a quad.
    fn store_vec3(self, quad: usize, to: &mut [f32; 3]);
    /// Writes vectors one after the other, `LEN` of the eight that `to` holds: lane `i` of `x`, of `y` and of `z` is
    /// vector `group * LEN + i`.
    fn store_packed(vectors: [Self; 3], to: &mut [f32; 3 * BLOCK], group: usize);
    /// Writes lanes `group * LEN ..` of a row past the caches, where that is faster than through them.
    #[inline(always)]
    fn store_non_temporal(self, to: &mut VectorBlock, row: usize, group: usize) {
        self.store(&mut to.rows[row], group);
    }
    /// Asks for a page of memory that is written past the caches soon, when these blocks are the first in theirs: to find
    /// where it lies takes longer than the stores of a block can wait.
    #[inline(always)]
    fn prefetch_page<const V: usize>(_: Self::Token, _: &[VectorBlock; V]) {}
    /// Makes what was stored past the caches visible in order with what follows.
    #[inline(always)]
    fn store_fence(_: Self::Token) {}
    /// Writes as many matrices as there are quads, or as fit; `rows` holds theirs, one after the other.
    #[inline(always)]
    fn store_matrices(rows: [Self; 3], to: &mut [Matrix]) {
        if let Some(matrix) = to.first_mut() {
            for r in 0..3 {
                rows[r].store_quad(0, &mut matrix.rows[r]);
            }
        }
    }
    /// Register `r` with row `r` of each matrix, to the rows of the matrices one after the other.
    #[inline(always)]
    fn to_sequential_rows(rows: [Self; 3]) -> [Self; 3] {
        rows
    }
    /// Lane `I` of each quad, in all four lanes of that quad.
    fn broadcast_lane<const I: i32>(self) -> Self;
    /// Lane 3 of each quad; the others become zero.
    fn keep_lane_3(self) -> Self;
    /// Transposes the 4 x 4 values in each quad: afterwards lane `i` of register `j` was lane `j` of
    /// register `i`.
    fn transpose(rows: [Self; 4]) -> [Self; 4];

    /// `self * factor + term`; in one rounding where the lanes fuse.
    #[inline(always)]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        self * factor + term
    }
    /// `term - self * factor`; in one rounding where the lanes fuse.
    #[inline(always)]
    fn neg_mul_add(self, factor: Self, term: Self) -> Self {
        term - self * factor
    }
    /// Without the sign.
    fn abs(self) -> Self;
    /// The larger; `other` where the two do not compare.
    fn max(self, other: Self) -> Self;
    /// The smaller; `other` where the two do not compare.
    fn min(self, other: Self) -> Self;
    /// Rounded correctly.
    fn sqrt(self) -> Self;
    /// `1 / sqrt(self)`, root and quotient each rounded correctly. Never the hardware's estimate,
    /// whose bits differ between vendors and which is no faster on today's cores.
    #[inline(always)]
    fn rsqrt(self, token: Self::Token) -> Self {
        Self::splat(token, 1.0) / self.sqrt()
    }

    /// Which lanes are below `other`'s.
    fn lt(self, other: Self) -> Self::Mask;
    /// Where both masks hold.
    fn and_masks(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// A bit for each lane, the first in the lowest.
    fn bitmask(mask: Self::Mask) -> u8;
    /// Lanes of `value` where the mask holds, zero elsewhere.
    fn select_or_zero(mask: Self::Mask, value: Self) -> Self;
    /// Lanes of `yes` where the mask holds, of `no` elsewhere.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    /// Negative where the mask holds.
    #[inline(always)]
    fn negate_where(mask: Self::Mask, value: Self) -> Self {
        Self::select(mask, -value, value)
    }
}
