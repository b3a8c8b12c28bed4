//! *Deriving Triangle Plane Equations* in plain numbers.
//!
//! `unsafe` follows the checked triangles.

use super::planes::Corners;
use super::{LitPoint, TriangleList};
use crate::Plane;

/// `planes[i]` = the plane of triangle `i`, with a normal of length one that points to its back.
///
/// # Panics
///
/// When there are not as many planes as triangles, or too few vertices.
pub fn triangle_planes(triangles: &TriangleList<'_>, vertices: &[LitPoint], planes: &mut [Plane]) {
    assert!(triangles.triangles().len() == planes.len(), "as many planes as triangles");
    let corners = triangles.corners(vertices);
    for (triangle, plane) in triangles.triangles().iter().zip(planes) {
        // SAFETY: a triangle of the list.
        *plane = unsafe { plane_of(corners, *triangle) };
    }
}

/// The plane of one triangle.
///
/// # Safety
///
/// Indices from the list that gave the corners.
#[inline(always)]
pub(super) unsafe fn plane_of(corners: Corners<'_>, [a, b, c]: [u32; 3]) -> Plane {
    // SAFETY: the caller's indices.
    let origin = unsafe { corners.position(a) };
    // SAFETY: as above.
    let second = unsafe { corners.position(b) };
    // SAFETY: as above.
    let third = unsafe { corners.position(c) };
    let edge = |to: &[f32; 4]| [to[0] - origin[0], to[1] - origin[1], to[2] - origin[2]];
    let ([ax, ay, az], [bx, by, bz]) = (edge(third), edge(second));
    let [x, y, z] = [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx];
    let inverse = 1.0 / (x * x + y * y + z * z).sqrt();
    let normal = [x * inverse, y * inverse, z * inverse];
    let distance = -(normal[0] * origin[0] + normal[1] * origin[1] + normal[2] * origin[2]);
    Plane { normal, distance }
}
