//! *Deriving Triangle Plane Equations*, scalar.
//!
//! `unsafe` follows the checked indices.

use sinew_kernels::Plane;

use crate::triangle_list::Corners;
use crate::{PaddedVertex, TriangleList};

/// `planes[i]` = the plane of triangle `i`, with a unit normal that points to its back.
///
/// # Panics
///
/// When the number of planes is not that of triangles, or vertices are missing.
pub fn triangle_planes(triangles: &TriangleList<'_>, vertices: &[PaddedVertex], planes: &mut [Plane]) {
    assert!(triangles.triangles().len() == planes.len(), "as many planes as triangles");
    let corners = triangles.corners(vertices);
    for (triangle, plane) in triangles.triangles().iter().zip(planes) {
        // SAFETY: the triangle is in the list.
        *plane = unsafe { triangle_plane(corners, *triangle) };
    }
}

/// The plane of one triangle.
///
/// # Safety
///
/// The indices are in the list that built the corners.
#[inline(always)]
pub(crate) unsafe fn triangle_plane(corners: Corners<'_>, [a, b, c]: [u32; 3]) -> Plane {
    // SAFETY: the caller passes indices of the list.
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
