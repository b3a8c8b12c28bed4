//! Attributes of four 16-bit numbers that lie side by side, from 256-bit registers: two attributes
//! of a vertex in one store of 16 bytes, where they have the same format.
//!
//! No closures: one that is called twice is not inlined, and as a function of its own, without
//! features, it would call every intrinsic.

use std::arch::x86_64::*;

use super::intrinsics::intrinsic;
use super::part_stores::EightVertices;
use super::ymm_formats::{self, halves, snorm_16, snorm_pairs, with_zeros};

/// The bits of 1 as a half.
const ONE: i16 = 0x3C00;

/// Eight vertices of two or three vectors, component by component. The first attribute is halves,
/// the others are halves or normalized integers. The fourth components are 1, 0 and `signs`.
#[inline(always)]
pub(super) fn store<const V: usize>(
    vectors: [[__m256; 3]; V],
    signs: __m256,
    normalized: bool,
    to: &mut EightVertices<'_, [[u16; 4]; V]>,
) {
    if V < 2 {
        return;
    }
    let (position, normal) = (vectors[0], vectors[1]);
    match (normalized, vectors.get(2)) {
        (false, None) => store_half_pairs(position, normal, to),
        (false, Some(&[x, y, z])) => {
            store_half_pairs(position, normal, to);
            ymm_formats::store_float16x4([x, y, z, signs], &mut to.attribute(2));
        }
        (true, None) => {
            store_positions(position, to);
            let [low, high] = normalized_normals(normal);
            ymm_formats::store_normalized(low, high, &mut to.attribute(1));
        }
        (true, Some(&[x, y, z])) => {
            store_positions(position, to);
            let [n_low, n_high] = normalized_normals(normal);
            let [t_low, t_high] = normalized_quads(snorm_pairs(x, y), snorm_pairs(z, signs));
            // Both attributes of vertex k, then both of vertex k + 4.
            store_pairs(intrinsic!(_mm256_unpacklo_epi64(n_low, t_low)), 1, to, [0, 4]);
            store_pairs(intrinsic!(_mm256_unpackhi_epi64(n_low, t_low)), 1, to, [1, 5]);
            store_pairs(intrinsic!(_mm256_unpacklo_epi64(n_high, t_high)), 1, to, [2, 6]);
            store_pairs(intrinsic!(_mm256_unpackhi_epi64(n_high, t_high)), 1, to, [3, 7]);
        }
    }
}

/// Stores positions as halves.
#[inline(always)]
fn store_positions<const V: usize>([x, y, z]: [__m256; 3], to: &mut EightVertices<'_, [[u16; 4]; V]>) {
    let ones = intrinsic!(_mm_set1_epi16(ONE));
    ymm_formats::store_words([halves(x), halves(y), halves(z), ones], &mut to.attribute(0));
}

/// Stores positions and normals as halves.
#[inline(always)]
fn store_half_pairs<const V: usize>(
    positions: [__m256; 3],
    normals: [__m256; 3],
    to: &mut EightVertices<'_, [[u16; 4]; V]>,
) {
    // Positions in the lower quad, normals in the upper one.
    let mut both = [intrinsic!(_mm256_setzero_si256()); 3];
    for c in 0..3 {
        let position = intrinsic!(_mm256_castsi128_si256(halves(positions[c])));
        both[c] = intrinsic!(_mm256_inserti128_si256::<1>(position, halves(normals[c])));
    }
    let [x, y, z] = both;
    let ones = intrinsic!(_mm256_set1_epi16(ONE));
    let zeros = intrinsic!(_mm256_setzero_si256());
    let w = intrinsic!(_mm256_blend_epi32::<0b1111_0000>(ones, zeros));
    let xy_low = intrinsic!(_mm256_unpacklo_epi16(x, y)); // x0 y0 x1 y1 x2 y2 x3 y3
    let xy_high = intrinsic!(_mm256_unpackhi_epi16(x, y));
    let zw_low = intrinsic!(_mm256_unpacklo_epi16(z, w));
    let zw_high = intrinsic!(_mm256_unpackhi_epi16(z, w));
    let vertices = [
        intrinsic!(_mm256_unpacklo_epi32(xy_low, zw_low)), // x0 y0 z0 w0 x1 y1 z1 w1
        intrinsic!(_mm256_unpackhi_epi32(xy_low, zw_low)),
        intrinsic!(_mm256_unpacklo_epi32(xy_high, zw_high)),
        intrinsic!(_mm256_unpackhi_epi32(xy_high, zw_high)),
    ];
    for k in 0..4 {
        // p0 p1 n0 n1  to  p0 n0 p1 n1.
        let pairs = intrinsic!(_mm256_permute4x64_epi64::<0b11_01_10_00>(vertices[k]));
        store_pairs(pairs, 0, to, [2 * k, 2 * k + 1]);
    }
}

/// Normals as normalized integers, in each quad of vertices: v0 v1, and v2 v3.
#[inline(always)]
fn normalized_normals([x, y, z]: [__m256; 3]) -> [__m256i; 2] {
    normalized_quads(snorm_pairs(x, y), with_zeros(snorm_16(z)))
}

/// From pairs x0 y0 x1 y1 x2 .. and z0 w0 z1 w1 z2 .. to quads, in each quad of vertices: v0 v1,
/// and v2 v3.
#[inline(always)]
fn normalized_quads(xy: __m256i, zw: __m256i) -> [__m256i; 2] {
    [intrinsic!(_mm256_unpacklo_epi32(xy, zw)), intrinsic!(_mm256_unpackhi_epi32(xy, zw))]
}

/// Stores two attributes from `first` on of two vertices.
#[inline(always)]
fn store_pairs<const V: usize>(
    register: __m256i,
    first: usize,
    to: &mut EightVertices<'_, [[u16; 4]; V]>,
    [low, high]: [usize; 2],
) {
    store_two(intrinsic!(_mm256_castsi256_si128(register)), first, to.vertex(low));
    store_two(intrinsic!(_mm256_extracti128_si256::<1>(register)), first, to.vertex(high));
}

/// Stores two attributes of a vertex, from `first` on.
#[inline(always)]
fn store_two<const V: usize>(register: __m128i, first: usize, to: &mut [[u16; 4]; V]) {
    if let Some(two) = to.get_mut(first..first + 2) {
        // SAFETY: two times eight writable bytes.
        unsafe { _mm_storeu_si128(two.as_mut_ptr().cast(), register) };
    }
}
