//! *Fast Skinning* with the horizontal additions of SSE3. The last addition of each vector is that
//! of SSE2: nothing depends on its latency.
//!
//! `unsafe` calls the functions compiled for SSE3 and steps through the checked influences.

use std::arch::x86_64::*;

use sinew_kernels::Matrix;

use crate::sse2::registers::aligned;
use crate::sse2::skin::{blend_matrices, position_products, products, store_sums};
use crate::vertices::{BindPoseCursor, WeightedCursor};
use crate::{BindPose, Vertex, WeightedPositions};

/// Whether this CPU has SSE3.
#[must_use]
pub fn available() -> bool {
    is_x86_feature_detected!("sse3")
}

/// The SSE3 implementation of [`sse2::skin_positions`](crate::sse2::skin_positions).
///
/// # Panics
///
/// When the number of vertices is not that of the positions, models are missing, or the CPU lacks
/// SSE3.
pub fn skin_positions(positions: &WeightedPositions, models: &[Matrix], vertices: &mut [Vertex]) {
    assert!(positions.vertices() == vertices.len(), "as many vertices as positions");
    assert!(available(), "a CPU with SSE3");
    // SAFETY: the CPU has SSE3.
    unsafe { skin_positions_body(positions.cursor(models), vertices) }
}

#[target_feature(enable = "sse3")]
fn skin_positions_body(mut cursor: WeightedCursor<'_>, vertices: &mut [Vertex]) {
    for vertex in vertices {
        // SAFETY: called once per vertex.
        let products = unsafe { position_products(&mut cursor) };
        store_sums(row_sums(products), &mut vertex.position);
    }
}

/// The SSE3 implementation of [`sse2::skin_vertices`](crate::sse2::skin_vertices).
///
/// # Panics
///
/// When the number of vertices is not that of the bind pose, matrices are missing, or the CPU lacks
/// SSE3.
pub fn skin_vertices(bind: &BindPose, palette: &[Matrix], vertices: &mut [Vertex]) {
    assert!(bind.vertices() == vertices.len(), "as many vertices as in the bind pose");
    assert!(available(), "a CPU with SSE3");
    // SAFETY: the CPU has SSE3.
    unsafe { skin_vertices_body(bind.cursor(palette), vertices) }
}

#[target_feature(enable = "sse3")]
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

/// Sums the lanes of each row, except for the last addition of z: z z' x y.
#[inline]
#[target_feature(enable = "sse3")]
fn row_sums([x, y, z]: [__m128; 3]) -> __m128 {
    _mm_hadd_ps(z, _mm_hadd_ps(x, y))
}
