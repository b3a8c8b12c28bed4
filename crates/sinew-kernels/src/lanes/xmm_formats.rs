//! Conversions to the formats of vertices in 128-bit registers, with SSE2 alone. All functions take
//! four vertices, component by component, and return words of smaller numbers side by side.

use std::arch::x86_64::*;

use super::intrinsics::intrinsic;

/// The largest number of normalized 16-bit formats.
pub(super) const LARGEST_16: f32 = 32767.0;
/// The largest number of normalized 8-bit formats.
pub(super) const LARGEST_8: f32 = 127.0;

#[inline(always)]
pub(super) fn half_words(components: [__m128; 4]) -> [__m128; 2] {
    let [x, y, z, w] = components;
    let mut halves = [half_or_infinity(x), half_or_infinity(y), half_or_infinity(z), half_or_infinity(w)];
    let xy = intrinsic!(_mm_cmpunord_ps(x, y));
    let zw = intrinsic!(_mm_cmpunord_ps(z, w));
    let nan = intrinsic!(_mm_or_ps(xy, zw));
    if intrinsic!(_mm_movemask_ps(nan)) != 0 {
        for i in 0..4 {
            // The infinity that stands for NaN has no bit that its half lacks.
            halves[i] = intrinsic!(_mm_or_si128(halves[i], half_if_nan(components[i])));
        }
    }
    let [hx, hy, hz, hw] = halves;
    [side_by_side(pack_halves(hx, hy, x, y)), side_by_side(pack_halves(hz, hw, z, w))]
}

/// Packs the halves of two registers, and adds the signs of what they were.
#[inline(always)]
fn pack_halves(first: __m128i, second: __m128i, x: __m128, y: __m128) -> __m128i {
    let halves = intrinsic!(_mm_packs_epi32(first, second));
    // Negative numbers are negative integers, and saturate to such.
    let x = intrinsic!(_mm_castps_si128(x));
    let y = intrinsic!(_mm_castps_si128(y));
    let signs = intrinsic!(_mm_packs_epi32(x, y));
    let sign_bits = intrinsic!(_mm_set1_epi16(i16::MIN));
    let signs = intrinsic!(_mm_and_si128(signs, sign_bits));
    intrinsic!(_mm_or_si128(halves, signs))
}

#[inline(always)]
pub(super) fn snorm16_words(x: __m128, y: __m128) -> __m128 {
    side_by_side(snorm_words(x, y, LARGEST_16))
}

/// Of numbers from -1 to 1, but for rounding, or NaN.
#[inline(always)]
pub(super) fn unit_snorm16_words(x: __m128, y: __m128) -> __m128 {
    side_by_side(unit_snorm_words(x, y))
}

#[inline(always)]
pub(super) fn snorm8_words([x, y, z, w]: [__m128; 4]) -> __m128 {
    let (xy, zw) = (snorm_words(x, y, LARGEST_8), snorm_words(z, w, LARGEST_8));
    let x_y_z_w = intrinsic!(_mm_packs_epi16(xy, zw)); // x0 x1 x2 x3 y0 ..
    let z_w = intrinsic!(_mm_srli_si128::<8>(x_y_z_w));
    let xz_yw = intrinsic!(_mm_unpacklo_epi8(x_y_z_w, z_w)); // x0 z0 x1 z1 .. y0 w0 ..
    let yw = intrinsic!(_mm_srli_si128::<8>(xz_yw));
    let xyzw = intrinsic!(_mm_unpacklo_epi8(xz_yw, yw)); // x0 y0 z0 w0 x1 ..
    intrinsic!(_mm_castsi128_ps(xyzw))
}

/// From 16-bit numbers, all of x and then all of y, to x0 y0 x1 y1 x2 y2 x3 y3.
#[inline(always)]
fn side_by_side(x_y: __m128i) -> __m128 {
    let y = intrinsic!(_mm_srli_si128::<8>(x_y));
    intrinsic!(_mm_castsi128_ps(_mm_unpacklo_epi16(x_y, y)))
}

/// Halves without their sign, in 32-bit lanes. NaN becomes infinity.
#[inline(always)]
fn half_or_infinity(x: __m128) -> __m128i {
    const SMALLEST_NORMAL: f32 = 1.0 / 16384.0;
    let sign_bit = splat(-0.0);
    let exponent_bits = intrinsic!(_mm_castsi128_ps(splat_int(0x7F80_0000)));
    // What is above all halves, and NaN, becomes 2^16, whose half has the bits of infinity.
    let magnitude = intrinsic!(_mm_andnot_ps(sign_bit, x));
    let magnitude = intrinsic!(_mm_min_ps(magnitude, splat(65536.0)));
    // The power of two below it. Subnormal halves are as far apart as those from 2^-14 on.
    let power = intrinsic!(_mm_and_ps(magnitude, exponent_bits));
    let power = intrinsic!(_mm_max_ps(power, splat(SMALLEST_NORMAL)));
    let power = intrinsic!(_mm_castps_si128(power));
    // Floats above 2^13 times that power are as far apart as halves above the power. So a sum
    // rounds the number as a half, and the last bits of the sum count its units.
    let above = intrinsic!(_mm_add_epi32(power, splat_int(13 << 23)));
    let sum = intrinsic!(_mm_castsi128_ps(above));
    let sum = intrinsic!(_mm_add_ps(magnitude, sum));
    let sum = intrinsic!(_mm_castps_si128(sum));
    let units = intrinsic!(_mm_sub_epi32(sum, above));
    // 1024 of the units are the implicit bit, which adds one to the exponent.
    let exponent = intrinsic!(_mm_sub_epi32(power, splat_int(SMALLEST_NORMAL.to_bits() as i32)));
    let exponent = intrinsic!(_mm_srli_epi32::<13>(exponent));
    intrinsic!(_mm_add_epi32(exponent, units))
}

/// The halves of NaN without their sign, in 32-bit lanes; zero for numbers.
#[inline(always)]
fn half_if_nan(x: __m128) -> __m128i {
    let nan = intrinsic!(_mm_cmpunord_ps(x, x));
    let bits = intrinsic!(_mm_and_ps(nan, x));
    let bits = intrinsic!(_mm_castps_si128(bits));
    let nan = intrinsic!(_mm_castps_si128(nan));
    let payload = intrinsic!(_mm_srli_epi32::<13>(bits));
    let payload = intrinsic!(_mm_and_si128(payload, splat_int(0x1FF)));
    let quiet = intrinsic!(_mm_and_si128(nan, splat_int(0x7E00)));
    intrinsic!(_mm_or_si128(payload, quiet))
}

/// Two registers as normalized numbers: all of `x`, then all of `y`.
#[inline(always)]
fn snorm_words(x: __m128, y: __m128, largest: f32) -> __m128i {
    pack_words(snorm(x, largest), snorm(y, largest))
}

/// Two registers of numbers from -1 to 1, or NaN, as normalized 16-bit numbers.
#[inline(always)]
fn unit_snorm_words(x: __m128, y: __m128) -> __m128i {
    let x = intrinsic!(_mm_mul_ps(x, splat(LARGEST_16)));
    let y = intrinsic!(_mm_mul_ps(y, splat(LARGEST_16)));
    let x = intrinsic!(_mm_cvtps_epi32(x));
    let y = intrinsic!(_mm_cvtps_epi32(y));
    pack_words(x, y)
}

#[inline(always)]
fn pack_words(x: __m128i, y: __m128i) -> __m128i {
    let words = intrinsic!(_mm_packs_epi32(x, y));
    // NaN became the smallest integer, which no number does.
    let smallest = intrinsic!(_mm_set1_epi16(i16::MIN));
    let nan = intrinsic!(_mm_cmpeq_epi16(words, smallest));
    intrinsic!(_mm_andnot_si128(nan, words))
}

#[inline(always)]
fn snorm(x: __m128, largest: f32) -> __m128i {
    let scaled = intrinsic!(_mm_mul_ps(x, splat(largest)));
    // If the second operand is NaN, it is the result.
    let scaled = intrinsic!(_mm_min_ps(splat(largest), scaled));
    let scaled = intrinsic!(_mm_max_ps(splat(-largest), scaled));
    // Rounds to nearest, ties to even.
    intrinsic!(_mm_cvtps_epi32(scaled))
}

#[inline(always)]
fn splat(value: f32) -> __m128 {
    intrinsic!(_mm_set1_ps(value))
}

#[inline(always)]
fn splat_int(value: i32) -> __m128i {
    intrinsic!(_mm_set1_epi32(value))
}
