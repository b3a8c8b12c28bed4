//! Registers of four floats, from and to memory, and their shuffles.
//!
//! `unsafe` moves them, and names the one instruction that the compiler would replace.

use std::arch::asm;
use std::arch::x86_64::*;

use super::base::Quad;
use crate::Matrix;

/// Lane `I` in every lane.
#[inline]
#[target_feature(enable = "sse2")]
pub(super) fn splat<const I: i32>(v: __m128) -> __m128 {
    match I {
        0 => swizzle::<{ order(0, 0, 0, 0) }>(v),
        1 => swizzle::<{ order(1, 1, 1, 1) }>(v),
        _ => swizzle::<{ order(2, 2, 2, 2) }>(v),
    }
}

/// Copies and reorders in one instruction, which the shuffle of floats cannot. The compiler takes that one
/// and a copy for its intrinsic: 8 % slower in `joints_to_matrices` (Zen 3).
#[inline]
#[target_feature(enable = "sse2")]
pub(super) fn swizzle<const ORDER: i32>(v: __m128) -> __m128 {
    let swizzled;
    // SAFETY: the instruction is SSE2's and touches nothing but the two registers.
    unsafe {
        asm!(
            "pshufd {}, {}, {}",
            lateout(xmm_reg) swizzled,
            in(xmm_reg) v,
            const ORDER,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    swizzled
}

/// The source of each lane, as a shuffle wants it.
pub(super) const fn order(a: i32, b: i32, c: i32, d: i32) -> i32 {
    a | b << 2 | c << 4 | d << 6
}

#[inline]
#[target_feature(enable = "sse2")]
pub(super) fn load(quad: &[f32; 4]) -> __m128 {
    // SAFETY: the array is four readable floats.
    unsafe { _mm_loadu_ps(quad.as_ptr()) }
}

#[inline]
#[target_feature(enable = "sse2")]
pub(super) fn store(v: __m128, quad: &mut [f32; 4]) {
    // SAFETY: the array is four writable floats.
    unsafe { _mm_storeu_ps(quad.as_mut_ptr(), v) }
}

#[inline]
#[target_feature(enable = "sse2")]
pub(super) fn rows(matrix: &Matrix) -> [__m128; 3] {
    let [a, b, c] = &matrix.rows;
    [load(a), load(b), load(c)]
}

/// An operand in memory, which only the aligned form may be.
#[inline]
#[target_feature(enable = "sse2")]
pub(super) fn aligned(quad: &Quad) -> __m128 {
    // SAFETY: four readable floats, and the type is aligned.
    unsafe { _mm_load_ps(quad.0.as_ptr()) }
}

const _: () = assert!(size_of::<Matrix>() == size_of::<[Quad; 3]>() && align_of::<Matrix>() == 16);

/// The rows as operands in memory.
#[inline]
#[target_feature(enable = "sse2")]
pub(super) fn aligned_rows(matrix: &Matrix) -> [__m128; 3] {
    // SAFETY: a matrix is twelve floats in C order, aligned as a quad is.
    let [a, b, c]: &[Quad; 3] = unsafe { &*std::ptr::from_ref(matrix).cast() };
    [aligned(a), aligned(b), aligned(c)]
}
