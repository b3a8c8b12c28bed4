//! Davies' standard loop and collapsed matrices, scalar.

use crate::davies_mesh::{Mesh, PositionNormal, TransposedMatrix, VertexInfluences};

/// The standard loop: transforms position and normal by the matrix of each joint and adds the
/// results times their weights. Normals are renormalized.
///
/// # Panics
///
/// When the number of vertices is not that of the mesh, or matrices are missing.
pub fn skin_standard(mesh: &Mesh, palette: &[TransposedMatrix], vertices: &mut [PositionNormal]) {
    skin(mesh, palette, vertices, |vertex, influences| {
        let mut sum = PositionNormal::default();
        influences.for_each(|matrix, weight| {
            let moved = transform_vertex(&matrix.rows, vertex);
            for axis in 0..3 {
                sum.position[axis] += weight * moved.position[axis];
                sum.normal[axis] += weight * moved.normal[axis];
            }
        });
        sum
    });
}

/// Collapsed matrices: adds the matrices of all joints times their weights, then transforms
/// position and normal by the sum. Normals are renormalized.
///
/// # Panics
///
/// When the number of vertices is not that of the mesh, or matrices are missing.
pub fn skin_collapsed(mesh: &Mesh, palette: &[TransposedMatrix], vertices: &mut [PositionNormal]) {
    skin(mesh, palette, vertices, |vertex, influences| {
        let mut sum = [[0.0; 4]; 4];
        influences.for_each(|matrix, weight| {
            for (sum, element) in sum.as_flattened_mut().iter_mut().zip(matrix.rows.as_flattened()) {
                *sum += weight * element;
            }
        });
        transform_vertex(&sum, vertex)
    });
}

/// Writes the result of `skin` for each vertex and its influences, with the normal renormalized.
#[inline(always)]
fn skin(
    mesh: &Mesh,
    palette: &[TransposedMatrix],
    vertices: &mut [PositionNormal],
    skin: impl Fn(&PositionNormal, VertexInfluences<'_>) -> PositionNormal,
) {
    assert!(mesh.vertices() == vertices.len(), "as many vertices as in the mesh");
    let bind = mesh.positions.iter().zip(&mesh.normals);
    let influences = mesh.weights.vertex_influences(palette);
    for ((vertex, (&position, &normal)), influences) in vertices.iter_mut().zip(bind).zip(influences) {
        let PositionNormal { position, normal: [x, y, z] } =
            skin(&PositionNormal { position, normal }, influences);
        let scale = 1.0 / (x * x + y * y + z * z).sqrt();
        *vertex = PositionNormal { position, normal: [x * scale, y * scale, z * scale] };
    }
}

#[inline(always)]
fn transform_vertex([a, b, c, d]: &[[f32; 4]; 4], vertex: &PositionNormal) -> PositionNormal {
    let turned = |[x, y, z]: [f32; 3], axis: usize| a[axis] * x + b[axis] * y + c[axis] * z;
    let moved = |axis: usize| turned(vertex.position, axis) + d[axis];
    PositionNormal {
        position: [moved(0), moved(1), moved(2)],
        normal: [turned(vertex.normal, 0), turned(vertex.normal, 1), turned(vertex.normal, 2)],
    }
}
