//! Registers of four floats: loads, stores and shuffles.
//!
//! `unsafe` loads and stores them, and spells out one instruction that the compiler would replace.

use std::arch::asm;
use std::arch::x86_64::*;

use sinew_kernels::Matrix;

use crate::vertices::Float4;

/// Broadcasts lane `I`.
#[inline]
#[target_feature(enable = "sse2")]
pub(crate) fn splat<const I: i32>(v: __m128) -> __m128 {
    match I {
        0 => swizzle::<{ order(0, 0, 0, 0) }>(v),
        1 => swizzle::<{ order(1, 1, 1, 1) }>(v),
        _ => swizzle::<{ order(2, 2, 2, 2) }>(v),
    }
}

/// Copies and reorders in one instruction, `pshufd`, which `shufps` cannot. The compiler replaces
/// the intrinsic by a copy and `shufps`: 8 % slower in `joints_to_matrices` (Zen 3).
#[inline]
#[target_feature(enable = "sse2")]
pub(crate) fn swizzle<const ORDER: i32>(v: __m128) -> __m128 {
    let swizzled;
    // SAFETY: an instruction of SSE2 that touches only the two registers.
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

/// The immediate operand of a shuffle, from the source of each lane.
pub(crate) const fn order(a: i32, b: i32, c: i32, d: i32) -> i32 {
    a | b << 2 | c << 4 | d << 6
}

#[inline]
#[target_feature(enable = "sse2")]
pub(crate) fn load(floats: &[f32; 4]) -> __m128 {
    // SAFETY: the array is four readable floats.
    unsafe { _mm_loadu_ps(floats.as_ptr()) }
}

#[inline]
#[target_feature(enable = "sse2")]
pub(crate) fn store(v: __m128, floats: &mut [f32; 4]) {
    // SAFETY: the array is four writable floats.
    unsafe { _mm_storeu_ps(floats.as_mut_ptr(), v) }
}

#[inline]
#[target_feature(enable = "sse2")]
pub(crate) fn rows(matrix: &Matrix) -> [__m128; 3] {
    let [a, b, c] = &matrix.rows;
    [load(a), load(b), load(c)]
}

/// An aligned load, which can be a memory operand of another instruction.
#[inline]
#[target_feature(enable = "sse2")]
pub(crate) fn aligned(floats: &Float4) -> __m128 {
    // SAFETY: four readable floats of an aligned type.
    unsafe { _mm_load_ps(floats.0.as_ptr()) }
}

const _: () = assert!(size_of::<Matrix>() == size_of::<[Float4; 3]>() && align_of::<Matrix>() == 16);

/// Aligned loads of the rows.
#[inline]
#[target_feature(enable = "sse2")]
pub(crate) fn aligned_rows(matrix: &Matrix) -> [__m128; 3] {
    // SAFETY: a matrix is twelve floats in C order with the alignment of `Float4`.
    let [a, b, c]: &[Float4; 3] = unsafe { &*std::ptr::from_ref(matrix).cast() };
    [aligned(a), aligned(b), aligned(c)]
}
