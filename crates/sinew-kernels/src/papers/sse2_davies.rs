//! Collapsed matrices in SSE2, four vertices at a time, from unfriendly and from friendly data.
//!
//! `unsafe` enters the gated bodies and finds the matrices of checked joints.

use std::arch::x86_64::*;
use std::ops::Range;

use super::base::Quad;
use super::davies::{LitVertex, Mesh, Palette, Transposed};
use super::friendly::FriendlyMesh;
use super::registers::{aligned, aligned_rows, order, store};
use crate::Matrix;

/// From unfriendly data: elements of vectors and matrices are gathered where they are used. Normals have length
/// one within 3.7e-4: the 12-bit estimate of the reciprocal square root, as it is.
///
/// # Panics
///
/// When there are not as many vertices as in the mesh, or too few matrices.
pub fn skin_gathered(mesh: &Mesh, palette: &[Transposed], vertices: &mut [LitVertex]) {
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

/// Whole fours, then one for the vertices that are left, filled up and written beside them.
#[target_feature(enable = "sse2")]
fn gathered_body<const N: usize>(mesh: &Mesh, palette: Palette<'_, Transposed>, vertices: &mut [LitVertex]) {
    let (positions, position_tail) = mesh.positions.as_chunks();
    let (normals, normal_tail) = mesh.normals.as_chunks();
    let (joints, joint_tail) = mesh.weights.joints::<N>().as_chunks();
    let (weights, weight_tail) = mesh.weights.weights::<N>().as_chunks();
    let (vertices, vertex_tail) = vertices.as_chunks_mut();
    gathered_fours(&Unfriendly { positions, normals, joints, weights }, palette, vertices);
    if !vertex_tail.is_empty() {
        let mut vertices = [[LitVertex::default(); 4]];
        let tail = Unfriendly {
            positions: &[filled_up(position_tail)],
            normals: &[filled_up(normal_tail)],
            joints: &[filled_up(joint_tail)],
            weights: &[filled_up(weight_tail)],
        };
        gathered_fours(&tail, palette, &mut vertices);
        vertex_tail.copy_from_slice(&vertices[0][..vertex_tail.len()]);
    }
}

/// Arrays of vectors, four vertices to an element; the arrays have one length.
struct Unfriendly<'a, const N: usize> {
    positions: &'a [[[f32; 3]; 4]],
    normals: &'a [[[f32; 3]; 4]],
    joints: &'a [[[u8; N]; 4]],
    weights: &'a [[[f32; N]; 4]],
}

#[inline(never)]
#[target_feature(enable = "sse2")]
fn gathered_fours<const N: usize>(
    mesh: &Unfriendly<'_, N>,
    palette: Palette<'_, Transposed>,
    vertices: &mut [[LitVertex; 4]],
) {
    // SAFETY: joints of the mesh that gave the palette.
    let matrix = |joint: u8| columns(unsafe { palette.matrix(joint) });
    let vectors = mesh.positions.iter().zip(mesh.normals);
    let influences = mesh.joints.iter().zip(mesh.weights);
    for ((vertices, (position, normal)), (joints, weights)) in
        vertices.iter_mut().zip(vectors).zip(influences)
    {
        let (position, normal) = (gathered(position), gathered(normal));
        Four { joints, weights, position, normal }.skin(matrix, vertices);
    }
}

/// From friendly data: vectors by components, and matrices from [`friendly_matrices`], once a frame. Normals as
/// in [`skin_gathered`].
///
/// # Panics
///
/// When there are not as many vertices as in the mesh, or too few matrices.
pub fn skin_friendly(mesh: &FriendlyMesh, palette: &[Matrix], vertices: &mut [LitVertex]) {
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
    vertices: &mut [LitVertex],
) {
    let (vertices, vertex_tail) = vertices.as_chunks_mut();
    let whole = vertices.len();
    friendly_fours(&Friendly::<N>::new(mesh, 0..whole), palette, vertices);
    if !vertex_tail.is_empty() {
        let mut vertices = [[LitVertex::default(); 4]];
        friendly_fours(&Friendly::<N>::new(mesh, whole..whole + 1), palette, &mut vertices);
        vertex_tail.copy_from_slice(&vertices[0][..vertex_tail.len()]);
    }
}

/// Some of the registers of a mesh by components.
struct Friendly<'a, const N: usize> {
    positions: [&'a [Quad]; 3],
    normals: [&'a [Quad]; 3],
    joints: &'a [[[u8; N]; 4]],
    weights: &'a [[[f32; N]; 4]],
}

impl<'a, const N: usize> Friendly<'a, N> {
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
fn friendly_fours<const N: usize>(
    mesh: &Friendly<'_, N>,
    palette: Palette<'_, Matrix>,
    vertices: &mut [[LitVertex; 4]],
) {
    // SAFETY: joints of the mesh that gave the palette.
    let matrix = |joint: u8| aligned_rows(unsafe { palette.matrix(joint) });
    // Of one length, so that the index needs no checks.
    let len = vertices.len();
    let [x, y, z] = mesh.positions;
    let (x, y, z) = (&x[..len], &y[..len], &z[..len]);
    let [nx, ny, nz] = mesh.normals;
    let (nx, ny, nz) = (&nx[..len], &ny[..len], &nz[..len]);
    let (joints, weights) = (&mesh.joints[..len], &mesh.weights[..len]);
    for i in 0..len {
        let position = [aligned(&x[i]), aligned(&y[i]), aligned(&z[i])];
        let normal = [aligned(&nx[i]), aligned(&ny[i]), aligned(&nz[i])];
        Four { joints: &joints[i], weights: &weights[i], position, normal }.skin(matrix, &mut vertices[i]);
    }
}

/// The palette for [`skin_friendly`].
///
/// # Panics
///
/// When the lengths differ.
pub fn friendly_matrices(palette: &[Transposed], matrices: &mut [Matrix]) {
    assert!(palette.len() == matrices.len(), "as many matrices as in the palette");
    // SAFETY: every x86-64 CPU has SSE2.
    unsafe { friendly_matrices_body(palette, matrices) }
}

#[target_feature(enable = "sse2")]
fn friendly_matrices_body(palette: &[Transposed], matrices: &mut [Matrix]) {
    for (transposed, matrix) in palette.iter().zip(matrices) {
        for (column, row) in columns(transposed).into_iter().zip(&mut matrix.rows) {
            store(column, row);
        }
    }
}

/// Four vertices, by components.
struct Four<'a, const N: usize> {
    joints: &'a [[u8; N]; 4],
    weights: &'a [[f32; N]; 4],
    position: [__m128; 3],
    normal: [__m128; 3],
}

impl<const N: usize> Four<'_, N> {
    /// Writes the vertices, with the matrices of the joints by rows.
    #[inline]
    #[target_feature(enable = "sse2")]
    fn skin(self, matrix: impl Fn(u8) -> [__m128; 3], vertices: &mut [LitVertex; 4]) {
        let collapsed = |i: usize| collapsed(&matrix, &self.joints[i], &self.weights[i]);
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

/// The rows of the matrices of one vertex times their weights, added up.
#[inline]
#[target_feature(enable = "sse2")]
fn collapsed<const N: usize>(
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

/// Each lane to its vertex.
#[inline]
#[target_feature(enable = "sse2")]
fn scatter(position: [__m128; 3], normal: [__m128; 3], vertices: &mut [LitVertex; 4]) {
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

/// Lane i of each becomes the i-th.
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

/// The first three columns: what our rows are.
#[inline]
#[target_feature(enable = "sse2")]
fn columns(Transposed { rows: [a, b, c, d] }: &Transposed) -> [__m128; 3] {
    let column = |i: usize| _mm_setr_ps(a[i], b[i], c[i], d[i]);
    [column(0), column(1), column(2)]
}

/// Four vectors by components.
#[inline]
#[target_feature(enable = "sse2")]
fn gathered([a, b, c, d]: &[[f32; 3]; 4]) -> [__m128; 3] {
    let component = |axis: usize| _mm_setr_ps(a[axis], b[axis], c[axis], d[axis]);
    [component(0), component(1), component(2)]
}

/// Each lane, to be scattered.
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

/// The last repeated up to four.
fn filled_up<T: Copy>(tail: &[T]) -> [T; 4] {
    [0, 1, 2, 3].map(|i| tail[i.min(tail.len() - 1)])
}
