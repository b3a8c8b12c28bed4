//! The standard loop and collapsed matrices in plain numbers.

use super::davies::{LitVertex, Mesh, Transposed, VertexInfluences};

/// The standard loop: position and normal through the matrix of each joint, times weight, added up; the normal
/// at length one.
///
/// # Panics
///
/// When there are not as many vertices as in the mesh, or too few matrices.
pub fn skin_standard(mesh: &Mesh, palette: &[Transposed], vertices: &mut [LitVertex]) {
    skin(mesh, palette, vertices, |vertex, influences| {
        let mut sum = LitVertex::default();
        influences.for_each(|matrix, weight| {
            let moved = transformed(&matrix.rows, vertex);
            for axis in 0..3 {
                sum.position[axis] += weight * moved.position[axis];
                sum.normal[axis] += weight * moved.normal[axis];
            }
        });
        sum
    });
}

/// Collapsed matrices: those of all joints times their weights, added up; position and normal through the sum;
/// the normal at length one.
///
/// # Panics
///
/// When there are not as many vertices as in the mesh, or too few matrices.
pub fn skin_collapsed(mesh: &Mesh, palette: &[Transposed], vertices: &mut [LitVertex]) {
    skin(mesh, palette, vertices, |vertex, influences| {
        let mut sum = [[0.0; 4]; 4];
        influences.for_each(|matrix, weight| {
            for (sum, element) in sum.as_flattened_mut().iter_mut().zip(matrix.rows.as_flattened()) {
                *sum += weight * element;
            }
        });
        transformed(&sum, vertex)
    });
}

/// Writes what `skin` makes of each vertex and its influences, with the normal at length one.
#[inline(always)]
fn skin(
    mesh: &Mesh,
    palette: &[Transposed],
    vertices: &mut [LitVertex],
    skin: impl Fn(&LitVertex, VertexInfluences<'_>) -> LitVertex,
) {
    assert!(mesh.vertices() == vertices.len(), "as many vertices as in the mesh");
    let bind = mesh.positions.iter().zip(&mesh.normals);
    let influences = mesh.weights.each_vertex(palette);
    for ((vertex, (&position, &normal)), influences) in vertices.iter_mut().zip(bind).zip(influences) {
        let LitVertex { position, normal: [x, y, z] } = skin(&LitVertex { position, normal }, influences);
        let scale = 1.0 / (x * x + y * y + z * z).sqrt();
        *vertex = LitVertex { position, normal: [x * scale, y * scale, z * scale] };
    }
}

#[inline(always)]
fn transformed([a, b, c, d]: &[[f32; 4]; 4], vertex: &LitVertex) -> LitVertex {
    let turned = |[x, y, z]: [f32; 3], axis: usize| a[axis] * x + b[axis] * y + c[axis] * z;
    let moved = |axis: usize| turned(vertex.position, axis) + d[axis];
    LitVertex {
        position: [moved(0), moved(1), moved(2)],
        normal: [turned(vertex.normal, 0), turned(vertex.normal, 1), turned(vertex.normal, 2)],
    }
}
