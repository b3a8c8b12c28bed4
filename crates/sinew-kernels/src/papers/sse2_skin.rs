//! *Fast Skinning* in SSE2: one vertex at a time. The lanes of a row are added up last, once for each vector,
//! and not for each influence.
//!
//! `unsafe` enters the gated bodies and walks the checked influences.

use std::arch::asm;
use std::arch::x86_64::*;

use super::base::{BindWalk, WeightedWalk};
use super::influences::{Influence, Walk};
use super::registers::{aligned, order, swizzle};
use super::{BindPose, Vertex, WeightedPositions};
use crate::Matrix;

/// `vertices[i].position` = the sum over its joints of model matrix x weighted position. Nothing else changes.
///
/// # Panics
///
/// When there are not as many vertices as positions, or too few models.
pub fn skin_positions(positions: &WeightedPositions, models: &[Matrix], vertices: &mut [Vertex]) {
    assert!(positions.vertices() == vertices.len(), "as many vertices as positions");
    // SAFETY: every x86-64 CPU has SSE2.
    unsafe { skin_positions_body(positions.walk(models), vertices) }
}

#[target_feature(enable = "sse2")]
fn skin_positions_body(mut walk: WeightedWalk<'_>, vertices: &mut [Vertex]) {
    for vertex in vertices {
        // SAFETY: once for each vertex.
        let products = unsafe { position_products(&mut walk) };
        put(row_sums(products), &mut vertex.position);
    }
}

/// `vertices[i]` = the sum over its joints of weight x palette matrix, times position, normal and tangent of the
/// bind pose. The fourth components stay.
///
/// # Panics
///
/// When there are not as many vertices as in the bind pose, or too few matrices.
pub fn skin_vertices(bind: &BindPose, palette: &[Matrix], vertices: &mut [Vertex]) {
    assert!(bind.vertices() == vertices.len(), "as many vertices as in the bind pose");
    // SAFETY: every x86-64 CPU has SSE2.
    unsafe { skin_vertices_body(bind.walk(palette), vertices) }
}

#[target_feature(enable = "sse2")]
fn skin_vertices_body(mut walk: BindWalk<'_>, vertices: &mut [Vertex]) {
    for vertex in vertices {
        // SAFETY: once for each vertex.
        let blended = unsafe { blended(&mut walk.influences) };
        // SAFETY: as above.
        let [position, normal, tangent] = unsafe { walk.next() };
        put(row_sums(products(blended, aligned(position))), &mut vertex.position);
        put(row_sums(products(blended, aligned(normal))), &mut vertex.normal);
        put(row_sums(products(blended, aligned(tangent))), &mut vertex.tangent);
    }
}

/// The sum of the next vertex's weighted positions times the rows of their matrices, lane by lane.
///
/// # Safety
///
/// Once for each vertex.
#[inline]
#[target_feature(enable = "sse2")]
pub(super) unsafe fn position_products(walk: &mut WeightedWalk<'_>) -> [__m128; 3] {
    // SAFETY: the first influence of a vertex.
    let (mut influence, mut position) = unsafe { walk.next() };
    let mut sum = row_products(influence, aligned(position));
    while !influence.is_last() {
        // SAFETY: the vertex has another influence.
        (influence, position) = unsafe { walk.next() };
        sum = sums(sum, row_products(influence, aligned(position)));
    }
    sum
}

/// The sum of the next vertex's matrices times their weights.
///
/// # Safety
///
/// Once for each vertex.
#[inline]
#[target_feature(enable = "sse2")]
pub(super) unsafe fn blended(walk: &mut Walk<'_>) -> [__m128; 3] {
    // SAFETY: the first influence of a vertex.
    let mut influence = unsafe { walk.next() };
    let mut sum = row_products(influence, _mm_set1_ps(influence.weight()));
    while !influence.is_last() {
        // SAFETY: the vertex has another influence.
        influence = unsafe { walk.next() };
        sum = sums(sum, row_products(influence, _mm_set1_ps(influence.weight())));
    }
    sum
}

/// The rows of an influence's matrix times the same.
///
/// The compiler would load rows to multiply them instead of copies of `v` by rows in memory: up to 6 % slower
/// (Zen 3).
#[inline]
#[target_feature(enable = "sse2")]
fn row_products(influence: Influence<'_>, v: __m128) -> [__m128; 3] {
    let (base, offset) = influence.base_and_offset();
    let (a, b, c);
    // SAFETY: SSE2 reads the three rows of a matrix, which are aligned.
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
pub(super) fn products([a, b, c]: [__m128; 3], v: __m128) -> [__m128; 3] {
    [_mm_mul_ps(v, a), _mm_mul_ps(v, b), _mm_mul_ps(v, c)]
}

#[inline]
#[target_feature(enable = "sse2")]
fn sums([a, b, c]: [__m128; 3], [x, y, z]: [__m128; 3]) -> [__m128; 3] {
    [_mm_add_ps(a, x), _mm_add_ps(b, y), _mm_add_ps(c, z)]
}

/// The lanes of each row added up, but for one addition in the last: z z' x y.
#[inline]
#[target_feature(enable = "sse2")]
fn row_sums([x, y, z]: [__m128; 3]) -> __m128 {
    // x0 y0 x1 y1 and x2 y2 x3 y3.
    let xy = _mm_add_ps(_mm_unpacklo_ps(x, y), _mm_unpackhi_ps(x, y));
    // z0 z1 x y and z2 z3 x' y'.
    _mm_add_ps(_mm_movelh_ps(z, xy), _mm_movehl_ps(xy, z))
}

/// The last addition, and x y z to memory.
#[inline]
#[target_feature(enable = "sse2")]
pub(super) fn put(sums: __m128, quad: &mut [f32; 4]) {
    let pairs = _mm_castps_pd(sums);
    let xy = _mm_cvtsd_f64(_mm_unpackhi_pd(pairs, pairs));
    // SAFETY: the first two floats of four.
    unsafe { quad.as_mut_ptr().cast::<f64>().write_unaligned(xy) };
    quad[2] = _mm_cvtss_f32(_mm_add_ss(swizzle::<{ order(1, 0, 2, 3) }>(sums), sums));
}
