//! Davies' collapsed matrices in SSE2, four vertices at a time, from the paper's unfriendly data
//! (arrays of structures) and friendly data (a structure of arrays).
//!
//! `unsafe` calls the functions compiled for SSE2 and looks up matrices of checked joints.

use std::arch::x86_64::*;
use std::ops::Range;

use sinew_kernels::Matrix;

use super::registers::{aligned, aligned_rows, order, store};
use crate::davies_mesh::{Mesh, Palette, PositionNormal, TransposedMatrix};
use crate::friendly_mesh::FriendlyMesh;
use crate::vertices::Float4;

/// Skins unfriendly data: gathers the elements of vectors and matrices where they are used. Normals
/// have length one within 3.7e-4, the error of the 12-bit estimate of the reciprocal square root.
///
/// # Panics
///
/// When the number of vertices is not that of the mesh, or matrices are missing.
pub fn skin_gathered(mesh: &Mesh, palette: &[TransposedMatrix], vertices: &mut [PositionNormal]) {
    assert!(mesh.vertices() == vertices.len(), "as many vertices as in the mesh");
    let palette = mesh.weights.palette(palette);
    let body = match mesh.weights.per_vertex {
        1 => gathered_body::<1>,
        2 => gathered_body::<2>,
        3 => gathered_body::<3>,
        _ => gathered_body::<4>,
    };
    // SAFETY: every x86-64 CPU has SSE2.
    unsafe { body(mesh, palette, vertices) }
}

/// Skins whole groups of four, then the rest as one padded group, through a buffer.
#[target_feature(enable = "sse2")]
fn gathered_body<const N: usize>(
    mesh: &Mesh,
    palette: Palette<'_, TransposedMatrix>,
    vertices: &mut [PositionNormal],
) {
    let (positions, position_tail) = mesh.positions.as_chunks();
    let (normals, normal_tail) = mesh.normals.as_chunks();
    let (joints, joint_tail) = mesh.weights.joints::<N>().as_chunks();
    let (weights, weight_tail) = mesh.weights.weights::<N>().as_chunks();
    let (vertices, vertex_tail) = vertices.as_chunks_mut();
    skin_aos_fours(&AosVertices { positions, normals, joints, weights }, palette, vertices);
    if !vertex_tail.is_empty() {
        let mut vertices = [[PositionNormal::default(); 4]];
        let tail = AosVertices {
            positions: &[pad_to_four(position_tail)],
            normals: &[pad_to_four(normal_tail)],
            joints: &[pad_to_four(joint_tail)],
            weights: &[pad_to_four(weight_tail)],
        };
        skin_aos_fours(&tail, palette, &mut vertices);
        vertex_tail.copy_from_slice(&vertices[0][..vertex_tail.len()]);
    }
}

/// Arrays of vectors, four vertices per element. All arrays have the same length.
struct AosVertices<'a, const N: usize> {
    positions: &'a [[[f32; 3]; 4]],
    normals: &'a [[[f32; 3]; 4]],
    joints: &'a [[[u8; N]; 4]],
    weights: &'a [[[f32; N]; 4]],
}

#[inline(never)]
#[target_feature(enable = "sse2")]
fn skin_aos_fours<const N: usize>(
    mesh: &AosVertices<'_, N>,
    palette: Palette<'_, TransposedMatrix>,
    vertices: &mut [[PositionNormal; 4]],
) {
    // SAFETY: joint and palette come from the same mesh.
    let matrix = |joint: u8| columns(unsafe { palette.matrix(joint) });
    let vectors = mesh.positions.iter().zip(mesh.normals);
    let influences = mesh.joints.iter().zip(mesh.weights);
    for ((vertices, (position, normal)), (joints, weights)) in
        vertices.iter_mut().zip(vectors).zip(influences)
    {
        let (position, normal) = (gather_components(position), gather_components(normal));
        FourVertices { joints, weights, position, normal }.skin(matrix, vertices);
    }
}

/// Skins friendly data: vectors by component, and matrices that [`friendly_matrices`] converts once
/// per frame. Normals are as in [`skin_gathered`].
///
/// # Panics
///
/// When the number of vertices is not that of the mesh, or matrices are missing.
pub fn skin_friendly(mesh: &FriendlyMesh, palette: &[Matrix], vertices: &mut [PositionNormal]) {
    assert!(mesh.vertices() == vertices.len(), "as many vertices as in the mesh");
    let palette = mesh.weights.palette(palette);
    let body = match mesh.weights.per_vertex {
        1 => friendly_body::<1>,
        2 => friendly_body::<2>,
        3 => friendly_body::<3>,
        _ => friendly_body::<4>,
    };
    // SAFETY: every x86-64 CPU has SSE2.
    unsafe { body(mesh, palette, vertices) }
}

#[target_feature(enable = "sse2")]
fn friendly_body<const N: usize>(
    mesh: &FriendlyMesh,
    palette: Palette<'_, Matrix>,
    vertices: &mut [PositionNormal],
) {
    let (vertices, vertex_tail) = vertices.as_chunks_mut();
    let whole = vertices.len();
    skin_soa_fours(&SoaVertices::<N>::new(mesh, 0..whole), palette, vertices);
    if !vertex_tail.is_empty() {
        let mut vertices = [[PositionNormal::default(); 4]];
        skin_soa_fours(&SoaVertices::<N>::new(mesh, whole..whole + 1), palette, &mut vertices);
        vertex_tail.copy_from_slice(&vertices[0][..vertex_tail.len()]);
    }
}

/// A range of the registers of a [`FriendlyMesh`].
struct SoaVertices<'a, const N: usize> {
    positions: [&'a [Float4]; 3],
    normals: [&'a [Float4]; 3],
    joints: &'a [[[u8; N]; 4]],
    weights: &'a [[[f32; N]; 4]],
}

impl<'a, const N: usize> SoaVertices<'a, N> {
    fn new(mesh: &'a FriendlyMesh, range: Range<usize>) -> Self {
        Self {
            positions: mesh.positions.each_ref().map(|component| &component[range.clone()]),
            normals: mesh.normals.each_ref().map(|component| &component[range.clone()]),
            joints: &mesh.weights.joints().as_chunks().0[range.clone()],
            weights: &mesh.weights.weights().as_chunks().0[range],
        }
    }
}

#[inline(never)]
#[target_feature(enable = "sse2")]
fn skin_soa_fours<const N: usize>(
    mesh: &SoaVertices<'_, N>,
    palette: Palette<'_, Matrix>,
    vertices: &mut [[PositionNormal; 4]],
) {
    // SAFETY: joint and palette come from the same mesh.
    let matrix = |joint: u8| aligned_rows(unsafe { palette.matrix(joint) });
    // Slices of equal length, so that the index needs no checks.
    let len = vertices.len();
    let [x, y, z] = mesh.positions;
    let (x, y, z) = (&x[..len], &y[..len], &z[..len]);
    let [nx, ny, nz] = mesh.normals;
    let (nx, ny, nz) = (&nx[..len], &ny[..len], &nz[..len]);
    let (joints, weights) = (&mesh.joints[..len], &mesh.weights[..len]);
    for i in 0..len {
        let position = [aligned(&x[i]), aligned(&y[i]), aligned(&z[i])];
        let normal = [aligned(&nx[i]), aligned(&ny[i]), aligned(&nz[i])];
        FourVertices { joints: &joints[i], weights: &weights[i], position, normal }
            .skin(matrix, &mut vertices[i]);
    }
}

/// Converts the palette for [`skin_friendly`].
///
/// # Panics
///
/// When the lengths differ.
pub fn friendly_matrices(palette: &[TransposedMatrix], matrices: &mut [Matrix]) {
    assert!(palette.len() == matrices.len(), "as many matrices as in the palette");
    // SAFETY: every x86-64 CPU has SSE2.
    unsafe { friendly_matrices_body(palette, matrices) }
}

#[target_feature(enable = "sse2")]
fn friendly_matrices_body(palette: &[TransposedMatrix], matrices: &mut [Matrix]) {
    for (transposed, matrix) in palette.iter().zip(matrices) {
        for (column, row) in columns(transposed).into_iter().zip(&mut matrix.rows) {
            store(column, row);
        }
    }
}

/// Four vertices, by component.
struct FourVertices<'a, const N: usize> {
    joints: &'a [[u8; N]; 4],
    weights: &'a [[f32; N]; 4],
    position: [__m128; 3],
    normal: [__m128; 3],
}

impl<const N: usize> FourVertices<'_, N> {
    /// Skins and writes the vertices. `matrix` gives the rows of a joint's matrix.
    #[inline]
    #[target_feature(enable = "sse2")]
    fn skin(self, matrix: impl Fn(u8) -> [__m128; 3], vertices: &mut [PositionNormal; 4]) {
        let collapsed = |i: usize| collapse_matrices(&matrix, &self.joints[i], &self.weights[i]);
        let [m, n, o, p] = [collapsed(0), collapsed(1), collapsed(2), collapsed(3)];
        let [mut position, mut normal] = [[_mm_setzero_ps(); 3]; 2];
        for row in 0..3 {
            let [a, b, c, d] = transpose([m[row], n[row], o[row], p[row]]);
            position[row] = _mm_add_ps(product([a, b, c], self.position), d);
            normal[row] = product([a, b, c], self.normal);
        }
        scatter(position, unit(normal), vertices);
    }
}

/// The weighted sum of the matrices of one vertex, by row.
#[inline]
#[target_feature(enable = "sse2")]
fn collapse_matrices<const N: usize>(
    matrix: impl Fn(u8) -> [__m128; 3],
    joints: &[u8; N],
    weights: &[f32; N],
) -> [__m128; 3] {
    let scaled = |i: usize| {
        let ([a, b, c], weight) = (matrix(joints[i]), _mm_set1_ps(weights[i]));
        [_mm_mul_ps(a, weight), _mm_mul_ps(b, weight), _mm_mul_ps(c, weight)]
    };
    let [mut a, mut b, mut c] = scaled(0);
    for i in 1..N {
        let [x, y, z] = scaled(i);
        (a, b, c) = (_mm_add_ps(a, x), _mm_add_ps(b, y), _mm_add_ps(c, z));
    }
    [a, b, c]
}

/// Writes each lane to its vertex.
#[inline]
#[target_feature(enable = "sse2")]
fn scatter(position: [__m128; 3], normal: [__m128; 3], vertices: &mut [PositionNormal; 4]) {
    for axis in 0..3 {
        let (positions, normals) = (lanes(position[axis]), lanes(normal[axis]));
        for (i, vertex) in vertices.iter_mut().enumerate() {
            vertex.position[axis] = positions[i];
            vertex.normal[axis] = normals[i];
        }
    }
}

/// a x + b y + c z in each lane.
#[inline]
#[target_feature(enable = "sse2")]
fn product([a, b, c]: [__m128; 3], [x, y, z]: [__m128; 3]) -> __m128 {
    _mm_add_ps(_mm_add_ps(_mm_mul_ps(a, x), _mm_mul_ps(b, y)), _mm_mul_ps(c, z))
}

#[inline]
#[target_feature(enable = "sse2")]
fn unit([x, y, z]: [__m128; 3]) -> [__m128; 3] {
    let scale = _mm_rsqrt_ps(product([x, y, z], [x, y, z]));
    [_mm_mul_ps(x, scale), _mm_mul_ps(y, scale), _mm_mul_ps(z, scale)]
}

/// Transposes: lane i of every input becomes output i.
#[inline]
#[target_feature(enable = "sse2")]
fn transpose([a, b, c, d]: [__m128; 4]) -> [__m128; 4] {
    // a0 b0 a1 b1, c0 d0 c1 d1, a2 b2 a3 b3, c2 d2 c3 d3.
    let (ab, cd) = (_mm_unpacklo_ps(a, b), _mm_unpacklo_ps(c, d));
    let (ab_high, cd_high) = (_mm_unpackhi_ps(a, b), _mm_unpackhi_ps(c, d));
    [
        _mm_movelh_ps(ab, cd),
        _mm_movehl_ps(cd, ab),
        _mm_movelh_ps(ab_high, cd_high),
        _mm_movehl_ps(cd_high, ab_high),
    ]
}

/// The first three columns, which are the rows of sinew's matrix.
#[inline]
#[target_feature(enable = "sse2")]
fn columns(TransposedMatrix { rows: [a, b, c, d] }: &TransposedMatrix) -> [__m128; 3] {
    let column = |i: usize| _mm_setr_ps(a[i], b[i], c[i], d[i]);
    [column(0), column(1), column(2)]
}

/// Loads four vectors by component.
#[inline]
#[target_feature(enable = "sse2")]
fn gather_components([a, b, c, d]: &[[f32; 3]; 4]) -> [__m128; 3] {
    let component = |axis: usize| _mm_setr_ps(a[axis], b[axis], c[axis], d[axis]);
    [component(0), component(1), component(2)]
}

/// The four lanes.
#[inline]
#[target_feature(enable = "sse2")]
fn lanes(v: __m128) -> [f32; 4] {
    [
        _mm_cvtss_f32(v),
        _mm_cvtss_f32(_mm_shuffle_ps::<{ order(1, 1, 1, 1) }>(v, v)),
        _mm_cvtss_f32(_mm_movehl_ps(v, v)),
        _mm_cvtss_f32(_mm_shuffle_ps::<{ order(3, 3, 3, 3) }>(v, v)),
    ]
}

/// Pads to four elements with copies of the last.
fn pad_to_four<T: Copy>(tail: &[T]) -> [T; 4] {
    [0, 1, 2, 3].map(|i| tail[i.min(tail.len() - 1)])
}
