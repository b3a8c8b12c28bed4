//! *Fast Skinning* in plain numbers.
//!
//! `unsafe` walks the checked influences.

use super::base::Quad;
use super::influences::Walk;
use super::{BindPose, Vertex, WeightedPositions};
use crate::Matrix;

/// `vertices[i].position` = the sum over its joints of model matrix x weighted position. Nothing else changes.
///
/// # Panics
///
/// When there are not as many vertices as positions, or too few models.
pub fn skin_positions(positions: &WeightedPositions, models: &[Matrix], vertices: &mut [Vertex]) {
    assert!(positions.vertices() == vertices.len(), "as many vertices as positions");
    let mut walk = positions.walk(models);
    for vertex in vertices {
        // SAFETY: once for each vertex, until the last influence.
        let (mut influence, mut position) = unsafe { walk.next() };
        let mut sum = product(&influence.matrix().rows, position);
        while !influence.is_last() {
            // SAFETY: as above.
            (influence, position) = unsafe { walk.next() };
            let more = product(&influence.matrix().rows, position);
            sum = [sum[0] + more[0], sum[1] + more[1], sum[2] + more[2]];
        }
        put(sum, &mut vertex.position);
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
    let mut walk = bind.walk(palette);
    for vertex in vertices {
        // SAFETY: once for each vertex.
        let blended = unsafe { blended(&mut walk.influences) };
        // SAFETY: as above.
        let [position, normal, tangent] = unsafe { walk.next() };
        put(product(&blended, position), &mut vertex.position);
        put(product(&blended, normal), &mut vertex.normal);
        put(product(&blended, tangent), &mut vertex.tangent);
    }
}

/// The sum of the next vertex's matrices times their weights.
///
/// # Safety
///
/// Once for each vertex.
#[inline(always)]
unsafe fn blended(walk: &mut Walk<'_>) -> [[f32; 4]; 3] {
    // SAFETY: the first influence of a vertex.
    let mut influence = unsafe { walk.next() };
    let mut sum = influence.matrix().rows;
    for element in sum.as_flattened_mut() {
        *element *= influence.weight();
    }
    while !influence.is_last() {
        // SAFETY: the vertex has another influence.
        influence = unsafe { walk.next() };
        for (sum, element) in sum.as_flattened_mut().iter_mut().zip(influence.matrix().rows.as_flattened()) {
            *sum += influence.weight() * element;
        }
    }
    sum
}

#[inline(always)]
fn product(rows: &[[f32; 4]; 3], &Quad([x, y, z, w]): &Quad) -> [f32; 3] {
    let sum = |[a, b, c, d]: [f32; 4]| a * x + b * y + c * z + d * w;
    [sum(rows[0]), sum(rows[1]), sum(rows[2])]
}

#[inline(always)]
fn put([x, y, z]: [f32; 3], quad: &mut [f32; 4]) {
    (quad[0], quad[1], quad[2]) = (x, y, z);
}
