//! *Fast Skinning* with the horizontal additions of SSE3. The last addition of each vector stays as in SSE2:
//! nothing waits for it.
//!
//! `unsafe` enters the gated bodies and walks the checked influences.

use std::arch::x86_64::*;

use super::base::{BindWalk, WeightedWalk};
use super::registers::aligned;
use super::sse2_skin::{blended, position_products, products, put};
use super::{BindPose, Vertex, WeightedPositions};
use crate::Matrix;

/// Whether this CPU has SSE3.
#[must_use]
pub fn available() -> bool {
    is_x86_feature_detected!("sse3")
}

/// As the SSE2 form.
///
/// # Panics
///
/// When there are not as many vertices as positions, or too few models, or no SSE3.
pub fn skin_positions(positions: &WeightedPositions, models: &[Matrix], vertices: &mut [Vertex]) {
    assert!(positions.vertices() == vertices.len(), "as many vertices as positions");
    assert!(available(), "a CPU with SSE3");
    // SAFETY: the CPU has SSE3.
    unsafe { skin_positions_body(positions.walk(models), vertices) }
}

#[target_feature(enable = "sse3")]
fn skin_positions_body(mut walk: WeightedWalk<'_>, vertices: &mut [Vertex]) {
    for vertex in vertices {
        // SAFETY: once for each vertex.
        let products = unsafe { position_products(&mut walk) };
        put(row_sums(products), &mut vertex.position);
    }
}

/// As the SSE2 form.
///
/// # Panics
///
/// When there are not as many vertices as in the bind pose, or too few matrices, or no SSE3.
pub fn skin_vertices(bind: &BindPose, palette: &[Matrix], vertices: &mut [Vertex]) {
    assert!(bind.vertices() == vertices.len(), "as many vertices as in the bind pose");
    assert!(available(), "a CPU with SSE3");
    // SAFETY: the CPU has SSE3.
    unsafe { skin_vertices_body(bind.walk(palette), vertices) }
}

#[target_feature(enable = "sse3")]
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

/// The lanes of each row added up, but for one addition in the last: z z' x y.
#[inline]
#[target_feature(enable = "sse3")]
fn row_sums([x, y, z]: [__m128; 3]) -> __m128 {
    _mm_hadd_ps(z, _mm_hadd_ps(x, y))
}
