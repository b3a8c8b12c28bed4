//! Conversions to the formats of vertices in 256-bit registers. All functions take eight vertices,
//! component by component.

use std::arch::x86_64::*;

use super::intrinsics::intrinsic;
use super::part_stores::EightVertices;
use super::xmm_formats::{LARGEST_8, LARGEST_16, store_halves, store_quarters};

#[inline(always)]
pub(super) fn store_float16x4([x, y, z, w]: [__m256; 4], to: &mut EightVertices<'_, [u16; 4]>) {
    store_words([halves(x), halves(y), halves(z), halves(w)], to);
}

/// Stores four 16-bit numbers for each vertex, given component by component.
#[inline(always)]
pub(super) fn store_words([x, y, z, w]: [__m128i; 4], to: &mut EightVertices<'_, [u16; 4]>) {
    let xy_low = intrinsic!(_mm_unpacklo_epi16(x, y)); // x0 y0 x1 y1 x2 y2 x3 y3
    let xy_high = intrinsic!(_mm_unpackhi_epi16(x, y));
    let zw_low = intrinsic!(_mm_unpacklo_epi16(z, w));
    let zw_high = intrinsic!(_mm_unpackhi_epi16(z, w));
    let to = &mut to.as_bytes();
    store_halves(intrinsic!(_mm_unpacklo_epi32(xy_low, zw_low)), to, 0); // x0 y0 z0 w0 x1 y1 z1 w1
    store_halves(intrinsic!(_mm_unpackhi_epi32(xy_low, zw_low)), to, 2);
    store_halves(intrinsic!(_mm_unpacklo_epi32(xy_high, zw_high)), to, 4);
    store_halves(intrinsic!(_mm_unpackhi_epi32(xy_high, zw_high)), to, 6);
}

/// Halves, rounded to nearest, ties to even.
#[inline(always)]
pub(super) fn halves(x: __m256) -> __m128i {
    intrinsic!(_mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(x))
}

#[inline(always)]
pub(super) fn store_snorm16x4([x, y, z, w]: [__m256; 4], to: &mut EightVertices<'_, [i16; 4]>) {
    let (xy, zw) = (snorm_pairs(x, y), snorm_pairs(z, w)); // x0 y0 x1 y1 x2 ..
    // In each quad of vertices:
    let low = intrinsic!(_mm256_unpacklo_epi32(xy, zw)); // x0 y0 z0 w0 x1 y1 z1 w1
    let high = intrinsic!(_mm256_unpackhi_epi32(xy, zw));
    store_normalized(low, high, to);
}

/// Stores normalized integers; in each quad of vertices `low` is v0 v1, `high` is v2 v3.
#[inline(always)]
pub(super) fn store_normalized(low: __m256i, high: __m256i, to: &mut EightVertices<'_, [i16; 4]>) {
    let to = &mut to.as_bytes();
    store_halves(intrinsic!(_mm256_castsi256_si128(low)), to, 0);
    store_halves(intrinsic!(_mm256_castsi256_si128(high)), to, 2);
    store_halves(intrinsic!(_mm256_extracti128_si256::<1>(low)), to, 4);
    store_halves(intrinsic!(_mm256_extracti128_si256::<1>(high)), to, 6);
}

#[inline(always)]
pub(super) fn store_snorm16x2([x, y]: [__m256; 2], to: &mut EightVertices<'_, [i16; 2]>) {
    let x_y = unit_snorm_words(x, y);
    let y = intrinsic!(_mm256_srli_si256::<8>(x_y));
    let xy = intrinsic!(_mm256_unpacklo_epi16(x_y, y)); // x0 y0 x1 y1 x2 y2 x3 y3
    store_eighths(xy, &mut to.as_bytes());
}

#[inline(always)]
pub(super) fn store_snorm8x4([x, y, z, w]: [__m256; 4], to: &mut EightVertices<'_, [i8; 4]>) {
    let (xy, zw) = (snorm_words(x, y, LARGEST_8), snorm_words(z, w, LARGEST_8));
    let x_y_z_w = intrinsic!(_mm256_packs_epi16(xy, zw)); // x0 x1 x2 x3 y0 ..
    let transposed = intrinsic!(_mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
    let transposed = intrinsic!(_mm256_broadcastsi128_si256(transposed));
    let xyzw = intrinsic!(_mm256_shuffle_epi8(x_y_z_w, transposed)); // x0 y0 z0 w0 x1 ..
    store_eighths(xyzw, &mut to.as_bytes());
}

/// Stores four bytes for each vertex.
#[inline(always)]
fn store_eighths(register: __m256i, to: &mut EightVertices<'_, [u8; 4]>) {
    store_quarters(intrinsic!(_mm256_castsi256_si128(register)), to, 0);
    store_quarters(intrinsic!(_mm256_extracti128_si256::<1>(register)), to, 4);
}

/// Two registers as normalized 16-bit numbers, side by side. NaN became the smallest 32-bit
/// integer, whose lower half is the 0 that it should be, so nothing need be compared.
#[inline(always)]
pub(super) fn snorm_pairs(x: __m256, y: __m256) -> __m256i {
    let (x, y) = (snorm_16(x), snorm_16(y));
    let y = intrinsic!(_mm256_slli_epi32::<16>(y));
    intrinsic!(_mm256_blend_epi16::<0b1010_1010>(x, y))
}

/// Two registers as normalized numbers: in each quad all of `x`, then all of `y`.
#[inline(always)]
fn snorm_words(x: __m256, y: __m256, largest: f32) -> __m256i {
    pack_words(snorm(x, largest), snorm(y, largest))
}

/// Two registers of numbers from -1 to 1, or NaN, as normalized 16-bit numbers.
#[inline(always)]
fn unit_snorm_words(x: __m256, y: __m256) -> __m256i {
    let x = intrinsic!(_mm256_mul_ps(x, splat(LARGEST_16)));
    let y = intrinsic!(_mm256_mul_ps(y, splat(LARGEST_16)));
    let x = intrinsic!(_mm256_cvtps_epi32(x));
    let y = intrinsic!(_mm256_cvtps_epi32(y));
    pack_words(x, y)
}

#[inline(always)]
fn pack_words(x: __m256i, y: __m256i) -> __m256i {
    let words = intrinsic!(_mm256_packs_epi32(x, y));
    // NaN became the smallest integer, which no number does.
    let smallest = intrinsic!(_mm256_set1_epi16(i16::MIN));
    let nan = intrinsic!(_mm256_cmpeq_epi16(words, smallest));
    intrinsic!(_mm256_andnot_si256(nan, words))
}

/// Normalized 16-bit numbers in 32-bit lanes. NaN is the smallest 32-bit integer.
#[inline(always)]
pub(super) fn snorm_16(x: __m256) -> __m256i {
    snorm(x, LARGEST_16)
}

#[inline(always)]
fn snorm(x: __m256, largest: f32) -> __m256i {
    let (lowest, highest) = (splat(-largest), splat(largest));
    let scaled = intrinsic!(_mm256_mul_ps(x, highest));
    // If the second operand is NaN, it is the result.
    let scaled = intrinsic!(_mm256_min_ps(highest, scaled));
    let scaled = intrinsic!(_mm256_max_ps(lowest, scaled));
    // Rounds to nearest, ties to even.
    intrinsic!(_mm256_cvtps_epi32(scaled))
}

#[inline(always)]
fn splat(value: f32) -> __m256 {
    intrinsic!(_mm256_set1_ps(value))
}
