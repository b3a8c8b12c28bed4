//! *Fast Skinning* in SSE2: one vertex at a time. The lanes of a row are summed last, once per
//! vector instead of once per influence.
//!
//! `unsafe` calls the functions compiled for SSE2 and steps through the checked influences.

use std::arch::asm;
use std::arch::x86_64::*;

use sinew_kernels::Matrix;

use super::registers::{aligned, order, swizzle};
use crate::influences::{Influence, InfluenceCursor};
use crate::vertices::{BindPoseCursor, WeightedCursor};
use crate::{BindPose, Vertex, WeightedPositions};

/// `vertices[i].position` = the sum over its joints of model matrix x weighted position. Normals
/// and tangents stay unchanged.
///
/// # Panics
///
/// When the number of vertices is not that of the positions, or models are missing.
pub fn skin_positions(positions: &WeightedPositions, models: &[Matrix], vertices: &mut [Vertex]) {
    assert!(positions.vertices() == vertices.len(), "as many vertices as positions");
    // SAFETY: every x86-64 CPU has SSE2.
    unsafe { skin_positions_body(positions.cursor(models), vertices) }
}

#[target_feature(enable = "sse2")]
fn skin_positions_body(mut cursor: WeightedCursor<'_>, vertices: &mut [Vertex]) {
    for vertex in vertices {
        // SAFETY: called once per vertex.
        let products = unsafe { position_products(&mut cursor) };
        store_sums(row_sums(products), &mut vertex.position);
    }
}

/// `vertices[i]` = the sum over its joints of weight x palette matrix, times position, normal and
/// tangent of the bind pose. The fourth components stay unchanged.
///
/// # Panics
///
/// When the number of vertices is not that of the bind pose, or matrices are missing.
pub fn skin_vertices(bind: &BindPose, palette: &[Matrix], vertices: &mut [Vertex]) {
    assert!(bind.vertices() == vertices.len(), "as many vertices as in the bind pose");
    // SAFETY: every x86-64 CPU has SSE2.
    unsafe { skin_vertices_body(bind.cursor(palette), vertices) }
}

#[target_feature(enable = "sse2")]
fn skin_vertices_body(mut cursor: BindPoseCursor<'_>, vertices: &mut [Vertex]) {
    for vertex in vertices {
        // SAFETY: called once per vertex.
        let blended = unsafe { blend_matrices(&mut cursor.influences) };
        // SAFETY: as above.
        let [position, normal, tangent] = unsafe { cursor.next() };
        store_sums(row_sums(products(blended, aligned(position))), &mut vertex.position);
        store_sums(row_sums(products(blended, aligned(normal))), &mut vertex.normal);
        store_sums(row_sums(products(blended, aligned(tangent))), &mut vertex.tangent);
    }
}

/// The sum of the next vertex's weighted positions times the rows of their matrices, by lane.
///
/// # Safety
///
/// Called once per vertex.
#[inline]
#[target_feature(enable = "sse2")]
pub(crate) unsafe fn position_products(cursor: &mut WeightedCursor<'_>) -> [__m128; 3] {
    // SAFETY: the first influence of a vertex.
    let (mut influence, mut position) = unsafe { cursor.next() };
    let mut sum = row_products(influence, aligned(position));
    while !influence.is_last() {
        // SAFETY: the vertex has another influence.
        (influence, position) = unsafe { cursor.next() };
        sum = sums(sum, row_products(influence, aligned(position)));
    }
    sum
}

/// The weighted sum of the matrices of the next vertex.
///
/// # Safety
///
/// Called once per vertex.
#[inline]
#[target_feature(enable = "sse2")]
pub(crate) unsafe fn blend_matrices(cursor: &mut InfluenceCursor<'_>) -> [__m128; 3] {
    // SAFETY: the first influence of a vertex.
    let mut influence = unsafe { cursor.next() };
    let mut sum = row_products(influence, _mm_set1_ps(influence.weight()));
    while !influence.is_last() {
        // SAFETY: the vertex has another influence.
        influence = unsafe { cursor.next() };
        sum = sums(sum, row_products(influence, _mm_set1_ps(influence.weight())));
    }
    sum
}

/// The three rows of an influence's matrix, each times `v`.
///
/// Multiplies copies of `v` by rows in memory. The compiler would load the rows first, which is up
/// to 6 % slower (Zen 3).
#[inline]
#[target_feature(enable = "sse2")]
fn row_products(influence: Influence<'_>, v: __m128) -> [__m128; 3] {
    let (base, offset) = influence.base_and_offset();
    let (a, b, c);
    // SAFETY: reads the three rows of a matrix, which are aligned.
    unsafe {
        asm!(
            "mulps {a}, [{base} + {offset}]",
            "mulps {b}, [{base} + {offset} + 16]",
            "mulps {c}, [{base} + {offset} + 32]",
            base = in(reg) base,
            offset = in(reg) offset,
            a = inout(xmm_reg) v => a,
            b = inout(xmm_reg) v => b,
            c = inout(xmm_reg) v => c,
            options(pure, readonly, nostack, preserves_flags),
        );
    }
    [a, b, c]
}

#[inline]
#[target_feature(enable = "sse2")]
pub(crate) fn products([a, b, c]: [__m128; 3], v: __m128) -> [__m128; 3] {
    [_mm_mul_ps(v, a), _mm_mul_ps(v, b), _mm_mul_ps(v, c)]
}

#[inline]
#[target_feature(enable = "sse2")]
fn sums([a, b, c]: [__m128; 3], [x, y, z]: [__m128; 3]) -> [__m128; 3] {
    [_mm_add_ps(a, x), _mm_add_ps(b, y), _mm_add_ps(c, z)]
}

/// Sums the lanes of each row, except for the last addition of z: z z' x y.
#[inline]
#[target_feature(enable = "sse2")]
fn row_sums([x, y, z]: [__m128; 3]) -> __m128 {
    // x0 y0 x1 y1 and x2 y2 x3 y3.
    let xy = _mm_add_ps(_mm_unpacklo_ps(x, y), _mm_unpackhi_ps(x, y));
    // z0 z1 x y and z2 z3 x' y'.
    _mm_add_ps(_mm_movelh_ps(z, xy), _mm_movehl_ps(xy, z))
}

/// Adds z + z' and stores x y z.
#[inline]
#[target_feature(enable = "sse2")]
pub(crate) fn store_sums(sums: __m128, floats: &mut [f32; 4]) {
    let pairs = _mm_castps_pd(sums);
    let xy = _mm_cvtsd_f64(_mm_unpackhi_pd(pairs, pairs));
    // SAFETY: writes the first two floats of four.
    unsafe { floats.as_mut_ptr().cast::<f64>().write_unaligned(xy) };
    floats[2] = _mm_cvtss_f32(_mm_add_ss(swizzle::<{ order(1, 0, 2, 3) }>(sums), sums));
}
