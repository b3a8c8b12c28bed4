//! Registers of `f32`: one trait, one implementation per instruction set.
//!
//! A value of a lanes type exists only where the CPU has its instructions: the first one is made from the
//! row's token, and tokens are made only inside functions compiled for those instructions. That is the fact
//! every `unsafe` block of this folder rests on.

use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::{BLOCK, Matrix};

#[cfg(target_arch = "aarch64")]
pub(crate) mod neon;
pub(crate) mod plain;
pub(crate) mod quads;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) mod simd128;
#[cfg(target_arch = "x86_64")]
pub(crate) mod xmm;
#[cfg(target_arch = "x86_64")]
pub(crate) mod ymm;

/// What a lanes type may do to be fast.
pub(crate) trait Style: Copy {
    /// Multiply-add in one rounding, where the instruction set has it.
    const FUSE: bool;
    /// Reciprocal square root from the hardware's estimate, where it has one.
    const ESTIMATE: bool;
}

/// May fuse and estimate.
#[derive(Clone, Copy)]
pub(crate) struct Fast;

impl Style for Fast {
    const FUSE: bool = true;
    const ESTIMATE: bool = true;
}

/// Only operations that give the same bits everywhere.
#[derive(Clone, Copy)]
pub(crate) struct Exact;

impl Style for Exact {
    const FUSE: bool = false;
    const ESTIMATE: bool = false;
}

/// A register of `f32`. Lanes never mix, except within a *quad*: four neighbouring lanes, 128 bits.
///
/// An operation enters when a kernel needs it. Implementations are `inline(always)`, so that they become
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
    /// Registers in a block row.
    const GROUPS: usize = BLOCK / Self::LEN;

    /// The same value in every lane.
    fn splat(token: Self::Token, value: f32) -> Self;
    /// Lanes `group * LEN ..` of a block row.
    fn load(token: Self::Token, row: &[f32; BLOCK], group: usize) -> Self;
    /// Writes lanes `group * LEN ..` of a block row.
    fn store(self, row: &mut [f32; BLOCK], group: usize);
    /// Each quad from where `quad` says.
    fn load_quads<'a>(token: Self::Token, quad: impl Fn(usize) -> &'a [f32; 4]) -> Self;
    /// Each quad filled with the value `quad` gives.
    fn splat_quads(token: Self::Token, quad: impl Fn(usize) -> f32) -> Self;
    /// Writes one quad.
    fn store_quad(self, quad: usize, to: &mut [f32; 4]);
    /// Writes as many matrices as there are quads, or as fit; `rows` holds theirs, one after the other.
    fn store_matrices(rows: [Self; 3], to: &mut [Matrix]);
    /// Register `r` with row `r` of each matrix, to the rows of the matrices one after the other.
    fn in_order(rows: [Self; 3]) -> [Self; 3];
    /// Lane `I` of each quad, in all four lanes of that quad.
    fn splat_in_quads<const I: i32>(self) -> Self;
    /// Lane 3 of each quad; the others become zero.
    fn last_of_quads(self) -> Self;
    /// Transposes the 4 x 4 values in each quad: afterwards lane `i` of register `j` was lane `j` of
    /// register `i`.
    fn transpose(rows: [Self; 4]) -> [Self; 4];

    /// `self * factor + term`.
    fn mul_add(self, factor: Self, term: Self) -> Self;
    /// `term - self * factor`.
    fn neg_mul_add(self, factor: Self, term: Self) -> Self;
    /// Without the sign.
    fn abs(self) -> Self;
    /// The larger; `other` where the two do not compare.
    fn max(self, other: Self) -> Self;
    /// Rounded correctly.
    fn sqrt(self) -> Self;
    /// `1 / sqrt(self)` for normal positive numbers: exact square root and division, or an estimate and
    /// Newton steps to within 4 units in the last place.
    fn rsqrt(self) -> Self;

    /// Which lanes are below `other`'s.
    fn lt(self, other: Self) -> Self::Mask;
    /// Lanes of `yes` where the mask holds, of `no` elsewhere.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    /// Negative where the mask holds.
    fn negate_where(mask: Self::Mask, value: Self) -> Self {
        Self::select(mask, -value, value)
    }
}

/// The arithmetic operators of a lanes type, from its instruction set's intrinsics.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! operators {
    ([$($generics:tt)*] $type:ty: $add:ident, $sub:ident, $mul:ident, $div:ident) => {
        operators!(@one [$($generics)*] $type: Add add $add);
        operators!(@one [$($generics)*] $type: Sub sub $sub);
        operators!(@one [$($generics)*] $type: Mul mul $mul);
        operators!(@one [$($generics)*] $type: Div div $div);
    };
    (@one [$($generics:tt)*] $type:ty: $trait:ident $function:ident $intrinsic:ident) => {
        impl<$($generics)*> std::ops::$trait for $type {
            type Output = Self;
            #[inline(always)]
            fn $function(self, other: Self) -> Self {
                // SAFETY: `self` exists, so the CPU has the instruction.
                Self::new(unsafe { $intrinsic(self.register, other.register) })
            }
        }
    };
}
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) use operators;

/// Runs an intrinsic that touches registers only.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! intrinsic {
    ($call:expr) => {
        // SAFETY: an operand is a lanes value or the row's token, so the CPU has the instruction.
        unsafe { $call }
    };
}
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) use intrinsic;
