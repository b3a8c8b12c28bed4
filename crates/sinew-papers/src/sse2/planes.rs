//! *Deriving Triangle Plane Equations* in SSE2: four triangles at a time, the rest one by one.
//!
//! `unsafe` calls the functions compiled for SSE2, follows the checked indices and loads and stores
//! registers.

use std::arch::x86_64::*;

use sinew_kernels::Plane;

use super::registers::order;
use crate::triangle_list::Corners;
use crate::{PaddedVertex, TriangleList, plain};

/// `planes[i]` = the plane of triangle `i`, with a normal that points to its back and has length
/// one within 12 bits.
///
/// # Panics
///
/// When the number of planes is not that of triangles, or vertices are missing.
pub fn triangle_planes(triangles: &TriangleList<'_>, vertices: &[PaddedVertex], planes: &mut [Plane]) {
    assert!(triangles.triangles().len() == planes.len(), "as many planes as triangles");
    let corners = triangles.corners(vertices);
    // SAFETY: every x86-64 CPU has SSE2, and the triangles are those of the list.
    unsafe { body(triangles.triangles(), corners, planes) }
}

/// # Safety
///
/// The triangles are in the list that built the corners.
#[target_feature(enable = "sse2")]
unsafe fn body(triangles: &[[u32; 3]], corners: Corners<'_>, planes: &mut [Plane]) {
    let (fours, rest) = triangles.as_chunks::<4>();
    let (plane_fours, plane_rest) = planes.as_chunks_mut::<4>();
    for (four, planes) in fours.iter().zip(plane_fours) {
        // SAFETY: the caller passes triangles of the list.
        let [x0, y0, z0] = unsafe { corner::<0>(four, corners) };
        // SAFETY: as above.
        let second = unsafe { corner::<1>(four, corners) };
        // SAFETY: as above.
        let third = unsafe { corner::<2>(four, corners) };
        let [bx, by, bz] = edges(second, [x0, y0, z0]);
        let [ax, ay, az] = edges(third, [x0, y0, z0]);
        let x = difference(ay, bz, az, by);
        let y = difference(az, bx, ax, bz);
        let z = difference(ax, by, ay, bx);
        let inverse = _mm_rsqrt_ps(dot([x, y, z], [x, y, z]));
        let normal = [_mm_mul_ps(x, inverse), _mm_mul_ps(y, inverse), _mm_mul_ps(z, inverse)];
        let distance = _mm_xor_ps(dot(normal, [x0, y0, z0]), _mm_set1_ps(-0.0));
        store_planes(normal, distance, planes);
    }
    for (triangle, plane) in rest.iter().zip(plane_rest) {
        // SAFETY: the caller passes triangles of the list.
        *plane = unsafe { plain::planes::triangle_plane(corners, *triangle) };
    }
}

/// Corner `K` of four triangles, by component.
///
/// # Safety
///
/// The triangles are in the list that built the corners.
#[inline]
#[target_feature(enable = "sse2")]
unsafe fn corner<const K: usize>(four: &[[u32; 3]; 4], corners: Corners<'_>) -> [__m128; 3] {
    // SAFETY: the caller passes triangles of the list.
    let a = unsafe { corners.position(four[0][K]) };
    // SAFETY: as above.
    let b = unsafe { corners.position(four[1][K]) };
    // SAFETY: as above.
    let c = unsafe { corners.position(four[2][K]) };
    // SAFETY: as above.
    let d = unsafe { corners.position(four[3][K]) };
    let (xy_low, z_low) = (halves(&a[..2], &b[..2]), halves(&a[2..], &b[2..]));
    let (xy_high, z_high) = (halves(&c[..2], &d[..2]), halves(&c[2..], &d[2..]));
    [
        _mm_shuffle_ps::<{ order(0, 2, 0, 2) }>(xy_low, xy_high),
        _mm_shuffle_ps::<{ order(1, 3, 1, 3) }>(xy_low, xy_high),
        _mm_shuffle_ps::<{ order(0, 2, 0, 2) }>(z_low, z_high),
    ]
}

/// Loads two floats of one vertex and two of another.
#[inline]
#[target_feature(enable = "sse2")]
fn halves(low: &[f32], high: &[f32]) -> __m128 {
    assert!(low.len() == 2 && high.len() == 2);
    // SAFETY: two readable floats.
    let both = unsafe { _mm_load_sd(low.as_ptr().cast()) };
    // SAFETY: as above.
    _mm_castpd_ps(unsafe { _mm_loadh_pd(both, high.as_ptr().cast()) })
}

#[inline]
#[target_feature(enable = "sse2")]
fn edges(to: [__m128; 3], from: [__m128; 3]) -> [__m128; 3] {
    [_mm_sub_ps(to[0], from[0]), _mm_sub_ps(to[1], from[1]), _mm_sub_ps(to[2], from[2])]
}

/// a b - c d.
#[inline]
#[target_feature(enable = "sse2")]
fn difference(a: __m128, b: __m128, c: __m128, d: __m128) -> __m128 {
    _mm_sub_ps(_mm_mul_ps(a, b), _mm_mul_ps(c, d))
}

#[inline]
#[target_feature(enable = "sse2")]
fn dot(a: [__m128; 3], b: [__m128; 3]) -> __m128 {
    let (x, y, z) = (_mm_mul_ps(a[0], b[0]), _mm_mul_ps(a[1], b[1]), _mm_mul_ps(a[2], b[2]));
    _mm_add_ps(_mm_add_ps(x, y), z)
}

/// Stores four planes, half a plane at a time.
#[inline]
#[target_feature(enable = "sse2")]
fn store_planes([x, y, z]: [__m128; 3], distance: __m128, planes: &mut [Plane; 4]) {
    let pairs = [
        (_mm_unpacklo_ps(x, y), _mm_unpacklo_ps(z, distance)),
        (_mm_unpackhi_ps(x, y), _mm_unpackhi_ps(z, distance)),
    ];
    for ((xy, zd), planes) in pairs.into_iter().zip(planes.as_chunks_mut::<2>().0) {
        let (xy, zd) = (_mm_castps_pd(xy), _mm_castps_pd(zd));
        let [first, second] = planes.each_mut().map(|plane| std::ptr::from_mut(plane).cast::<f64>());
        // SAFETY: a plane is four writable floats.
        unsafe { _mm_storel_pd(first, xy) };
        // SAFETY: as above, the second half.
        unsafe { _mm_storel_pd(first.wrapping_add(1), zd) };
        // SAFETY: as above.
        unsafe { _mm_storeh_pd(second, xy) };
        // SAFETY: as above.
        unsafe { _mm_storeh_pd(second.wrapping_add(1), zd) };
    }
}
