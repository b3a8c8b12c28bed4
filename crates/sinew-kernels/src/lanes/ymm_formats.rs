//! Conversions to the formats of vertices in 256-bit registers. All functions take eight vertices,
//! component by component, or two in quads.

use std::arch::x86_64::*;

use super::intrinsics::intrinsic;
use super::part_stores::{EightVertices, Words};
use super::xmm_formats::{LARGEST_8, LARGEST_16};

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
    store_both(intrinsic!(_mm_unpacklo_epi32(xy_low, zw_low)), to, 0); // x0 y0 z0 w0 x1 y1 z1 w1
    store_both(intrinsic!(_mm_unpackhi_epi32(xy_low, zw_low)), to, 2);
    store_both(intrinsic!(_mm_unpacklo_epi32(xy_high, zw_high)), to, 4);
    store_both(intrinsic!(_mm_unpackhi_epi32(xy_high, zw_high)), to, 6);
}

/// Stores normalized integers; in each quad of vertices `low` is v0 v1, `high` is v2 v3.
#[inline(always)]
pub(super) fn store_normalized(low: __m256i, high: __m256i, to: &mut EightVertices<'_, [i16; 4]>) {
    let to = &mut to.as_bytes();
    store_both(intrinsic!(_mm256_castsi256_si128(low)), to, 0);
    store_both(intrinsic!(_mm256_castsi256_si128(high)), to, 2);
    store_both(intrinsic!(_mm256_extracti128_si256::<1>(low)), to, 4);
    store_both(intrinsic!(_mm256_extracti128_si256::<1>(high)), to, 6);
}

/// Stores eight bytes for each of two vertices.
#[inline(always)]
fn store_both(register: __m128i, to: &mut EightVertices<'_, [u8; 8]>, first: usize) {
    // As `f64`: storing the upper one is then a single instruction.
    let register = intrinsic!(_mm_castsi128_pd(register));
    let upper = intrinsic!(_mm_unpackhi_pd(register, register));
    let lower = intrinsic!(_mm_cvtsd_f64(register));
    let upper = intrinsic!(_mm_cvtsd_f64(upper));
    // SAFETY: the array is eight writable bytes.
    unsafe { to.vertex(first).as_mut_ptr().cast::<f64>().write_unaligned(lower) };
    // SAFETY: as above.
    unsafe { to.vertex(first + 1).as_mut_ptr().cast::<f64>().write_unaligned(upper) };
}

/// Halves, rounded to nearest, ties to even.
#[inline(always)]
pub(super) fn halves(x: __m256) -> __m128i {
    intrinsic!(_mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(x))
}

/// Two registers as halves side by side.
#[inline(always)]
pub(super) fn half_pairs(x: __m256, y: __m256) -> __m256 {
    let (x, y) = (halves(x), halves(y));
    let low = intrinsic!(_mm_unpacklo_epi16(x, y)); // x0 y0 x1 y1 x2 y2 x3 y3
    let high = intrinsic!(_mm_unpackhi_epi16(x, y));
    let both = intrinsic!(_mm256_inserti128_si256::<1>(_mm256_castsi128_si256(low), high));
    intrinsic!(_mm256_castsi256_ps(both))
}

/// Two registers as normalized 16-bit numbers, side by side.
#[inline(always)]
pub(super) fn snorm_words(x: __m256, y: __m256) -> __m256 {
    intrinsic!(_mm256_castsi256_ps(snorm_pairs(x, y)))
}

/// Two registers of numbers from -1 to 1, but for rounding, or NaN, as normalized 16-bit numbers,
/// side by side.
#[inline(always)]
pub(super) fn unit_snorm_words(x: __m256, y: __m256) -> __m256 {
    let x = intrinsic!(_mm256_mul_ps(x, splat(LARGEST_16)));
    let y = intrinsic!(_mm256_mul_ps(y, splat(LARGEST_16)));
    let both = pairs(intrinsic!(_mm256_cvtps_epi32(x)), intrinsic!(_mm256_cvtps_epi32(y)));
    intrinsic!(_mm256_castsi256_ps(both))
}

/// Four registers as normalized 8-bit numbers, side by side. The fourth may be zeros.
#[inline(always)]
pub(super) fn snorm8_words([x, y, z]: [__m256; 3], w: Option<__m256>) -> __m256 {
    // NaN became the smallest 32-bit integer, whose lower half is 0.
    let xy = pairs(snorm(x, LARGEST_8), snorm(y, LARGEST_8));
    let zw = match w {
        Some(w) => pairs(snorm(z, LARGEST_8), snorm(w, LARGEST_8)),
        None => with_zeros(snorm(z, LARGEST_8)),
    };
    let bytes = intrinsic!(_mm256_packs_epi16(xy, zw)); // x0 y0 x1 y1 .. z0 w0 ..
    let order = intrinsic!(_mm_setr_epi8(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15));
    let order = intrinsic!(_mm256_broadcastsi128_si256(order));
    let bytes = intrinsic!(_mm256_shuffle_epi8(bytes, order)); // x0 y0 z0 w0 x1 ..
    intrinsic!(_mm256_castsi256_ps(bytes))
}

/// Stores both quads as halves.
#[inline(always)]
pub(super) fn store_halves_of_quads(x: __m256, low: &mut Words<2>, high: &mut Words<2>) {
    let both = halves(x);
    store_low_half(both, low);
    let both = intrinsic!(_mm_castsi128_pd(both));
    store_low_half(intrinsic!(_mm_castpd_si128(_mm_unpackhi_pd(both, both))), high);
}

/// Stores both quads as normalized 16-bit numbers.
#[inline(always)]
pub(super) fn store_snorm16_of_quads(x: __m256, low: &mut Words<2>, high: &mut Words<2>) {
    // The lower half of each lane: 0 for NaN, as in pairs.
    let first = intrinsic!(_mm_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, -1, -1, -1, -1, -1, -1, -1, -1));
    let words = intrinsic!(_mm256_shuffle_epi8(snorm_16(x), _mm256_broadcastsi128_si256(first)));
    store_low_half(intrinsic!(_mm256_castsi256_si128(words)), low);
    store_low_half(intrinsic!(_mm256_extracti128_si256::<1>(words)), high);
}

/// Stores both quads as normalized 8-bit numbers.
#[inline(always)]
pub(super) fn store_snorm8_of_quads(x: __m256, low: &mut Words<1>, high: &mut Words<1>) {
    let first = intrinsic!(_mm_setr_epi8(0, 4, 8, 12, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1));
    let bytes = intrinsic!(_mm256_shuffle_epi8(snorm(x, LARGEST_8), _mm256_broadcastsi128_si256(first)));
    let bytes = intrinsic!(_mm256_castsi256_ps(bytes));
    *low = Words([intrinsic!(_mm256_cvtss_f32(bytes))]);
    *high = Words([intrinsic!(_mm_cvtss_f32(_mm256_extractf128_ps::<1>(bytes)))]);
}

/// Stores both quads of two registers as halves, side by side.
#[inline(always)]
pub(super) fn store_two_halves(a: __m256, b: __m256, low: &mut Words<4>, high: &mut Words<4>) {
    let (a, b) = (halves(a), halves(b));
    store_16_bytes(intrinsic!(_mm_unpacklo_epi64(a, b)), low);
    store_16_bytes(intrinsic!(_mm_unpackhi_epi64(a, b)), high);
}

/// The same as normalized 16-bit numbers.
#[inline(always)]
pub(super) fn store_two_snorm16(a: __m256, b: __m256, low: &mut Words<4>, high: &mut Words<4>) {
    // x of both, then y, z, w, to all of the first and all of the second.
    let apart = intrinsic!(_mm_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15));
    let apart = intrinsic!(_mm256_broadcastsi128_si256(apart));
    let both = intrinsic!(_mm256_shuffle_epi8(snorm_pairs(a, b), apart));
    store_16_bytes(intrinsic!(_mm256_castsi256_si128(both)), low);
    store_16_bytes(intrinsic!(_mm256_extracti128_si256::<1>(both)), high);
}

/// The same as normalized 8-bit numbers.
#[inline(always)]
pub(super) fn store_two_snorm8(a: __m256, b: __m256, low: &mut Words<2>, high: &mut Words<2>) {
    let apart = intrinsic!(_mm_setr_epi8(0, 4, 8, 12, 2, 6, 10, 14, -1, -1, -1, -1, -1, -1, -1, -1));
    let apart = intrinsic!(_mm256_broadcastsi128_si256(apart));
    let both = pairs(snorm(a, LARGEST_8), snorm(b, LARGEST_8));
    let both = intrinsic!(_mm256_shuffle_epi8(both, apart));
    store_low_half(intrinsic!(_mm256_castsi256_si128(both)), low);
    store_low_half(intrinsic!(_mm256_extracti128_si256::<1>(both)), high);
}

/// Stores all bytes.
#[inline(always)]
fn store_16_bytes(register: __m128i, to: &mut Words<4>) {
    // SAFETY: four words are sixteen writable bytes.
    unsafe { _mm_storeu_si128(std::ptr::from_mut(to).cast(), register) };
}

/// Stores the lower eight bytes.
#[inline(always)]
fn store_low_half(register: __m128i, to: &mut Words<2>) {
    // As `f64`: storing the upper half of another register is then a single instruction.
    let half = intrinsic!(_mm_cvtsd_f64(_mm_castsi128_pd(register)));
    // SAFETY: two words are eight writable bytes.
    unsafe { std::ptr::from_mut(to).cast::<f64>().write_unaligned(half) };
}

/// Two registers as normalized 16-bit numbers, side by side. NaN became the smallest 32-bit
/// integer, whose lower half is the 0 that it should be, so nothing need be compared.
#[inline(always)]
pub(super) fn snorm_pairs(x: __m256, y: __m256) -> __m256i {
    pairs(snorm_16(x), snorm_16(y))
}

/// The same with zeros in place of the second.
#[inline(always)]
pub(super) fn snorm_and_zero(x: __m256) -> __m256 {
    intrinsic!(_mm256_castsi256_ps(with_zeros(snorm_16(x))))
}

/// The lower half of each lane.
#[inline(always)]
pub(super) fn with_zeros(x: __m256i) -> __m256i {
    intrinsic!(_mm256_blend_epi16::<0b1010_1010>(x, _mm256_setzero_si256()))
}

/// The lower halves of two registers' lanes, side by side.
#[inline(always)]
fn pairs(x: __m256i, y: __m256i) -> __m256i {
    let y = intrinsic!(_mm256_slli_epi32::<16>(y));
    intrinsic!(_mm256_blend_epi16::<0b1010_1010>(x, y))
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
