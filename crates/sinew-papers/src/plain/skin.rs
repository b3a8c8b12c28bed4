//! *Fast Skinning*, scalar.
//!
//! `unsafe` steps through the checked influences.

use sinew_kernels::Matrix;

use crate::influences::InfluenceCursor;
use crate::vertices::Float4;
use crate::{BindPose, Vertex, WeightedPositions};

/// `vertices[i].position` = the sum over its joints of model matrix x weighted position. Normals
/// and tangents stay unchanged.
///
/// # Panics
///
/// When the number of vertices is not that of the positions, or models are missing.
pub fn skin_positions(positions: &WeightedPositions, models: &[Matrix], vertices: &mut [Vertex]) {
    assert!(positions.vertices() == vertices.len(), "as many vertices as positions");
    let mut cursor = positions.cursor(models);
    for vertex in vertices {
        // SAFETY: called for each vertex until its last influence.
        let (mut influence, mut position) = unsafe { cursor.next() };
        let mut sum = product(&influence.matrix().rows, position);
        while !influence.is_last() {
            // SAFETY: as above.
            (influence, position) = unsafe { cursor.next() };
            let more = product(&influence.matrix().rows, position);
            sum = [sum[0] + more[0], sum[1] + more[1], sum[2] + more[2]];
        }
        store_xyz(sum, &mut vertex.position);
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
    let mut cursor = bind.cursor(palette);
    for vertex in vertices {
        // SAFETY: called once per vertex.
        let blended = unsafe { blend_matrices(&mut cursor.influences) };
        // SAFETY: as above.
        let [position, normal, tangent] = unsafe { cursor.next() };
        store_xyz(product(&blended, position), &mut vertex.position);
        store_xyz(product(&blended, normal), &mut vertex.normal);
        store_xyz(product(&blended, tangent), &mut vertex.tangent);
    }
}

/// The weighted sum of the matrices of the next vertex.
///
/// # Safety
///
/// Called once per vertex.
#[inline(always)]
unsafe fn blend_matrices(cursor: &mut InfluenceCursor<'_>) -> [[f32; 4]; 3] {
    // SAFETY: the first influence of a vertex.
    let mut influence = unsafe { cursor.next() };
    let mut sum = influence.matrix().rows;
    for element in sum.as_flattened_mut() {
        *element *= influence.weight();
    }
    while !influence.is_last() {
        // SAFETY: the vertex has another influence.
        influence = unsafe { cursor.next() };
        for (sum, element) in sum.as_flattened_mut().iter_mut().zip(influence.matrix().rows.as_flattened()) {
            *sum += influence.weight() * element;
        }
    }
    sum
}

#[inline(always)]
fn product(rows: &[[f32; 4]; 3], &Float4([x, y, z, w]): &Float4) -> [f32; 3] {
    let sum = |[a, b, c, d]: [f32; 4]| a * x + b * y + c * z + d * w;
    [sum(rows[0]), sum(rows[1]), sum(rows[2])]
}

#[inline(always)]
fn store_xyz([x, y, z]: [f32; 3], floats: &mut [f32; 4]) {
    (floats[0], floats[1], floats[2]) = (x, y, z);
}
