//! The planes of triangles.

use std::ops::Range;

use super::triangle_points::{
    MIN_SQUARED_LENGTH, TriangleFunction, TrianglePoints, edge, for_each_triangle, normal,
};
use super::vector::{Vector, dot};
use crate::lanes::Lanes;
use crate::{Plane, Triangles};

/// Computes the planes of a range of triangles, counter-clockwise seen from the front. As many
/// planes as triangles.
///
/// A triangle has no plane, and [`Plane::NONE`] is written, if twice its area is below 2^-60, above
/// about 2^63 or NaN, or if that area times the distance from the origin overflows an `f32`. So a
/// corner that is not finite gives zeros, never a NaN. Coordinates must be below 2^126.
#[derive(Debug)]
pub struct ToPlanes<'a> {
    /// The vertex positions: at least as many as [`Triangles::required_vertices`].
    pub points: TrianglePoints<'a>,
    /// The list of triangles.
    pub triangles: &'a Triangles,
    /// The range of triangles.
    pub range: Range<usize>,
    /// The length of the normals.
    pub normals: PlaneNormals,
    /// Output.
    pub planes: &'a mut [Plane],
}

/// The length of the normals of planes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PlaneNormals {
    /// Length one.
    #[default]
    Unit,
    /// Twice the area of the triangle.
    TwiceArea,
}

#[inline(always)]
pub(crate) fn body<L: Lanes>(token: L::Token, contract: &mut ToPlanes<'_>) {
    let ToPlanes { points, triangles, range: Range { start, end }, normals, planes } = contract;
    assert!(*start <= *end && *end <= triangles.len(), "a range of the triangles");
    assert!(*end - *start == planes.len(), "as many planes as triangles");
    for_each_triangle::<L, PlaneNormals>(token, normals, points, triangles, *start..*end, planes);
}

impl TriangleFunction for PlaneNormals {
    type Output = Plane;

    #[inline(always)]
    fn evaluate<L: Lanes>(&self, token: L::Token, corners: [Vector<L>; 3]) -> [L; 4] {
        let Raw { mut plane, squared, sound } = raw::<L>(token, corners);
        if *self == Self::Unit {
            // The last product, so that nothing else waits for the root.
            let inverse = squared.rsqrt(token);
            plane = [plane[0] * inverse, plane[1] * inverse, plane[2] * inverse, plane[3] * inverse];
        }
        or_none::<L>(sound, plane)
    }
}

struct Raw<L: Lanes> {
    /// With a normal of any length.
    plane: [L; 4],
    /// The square of that length.
    squared: L,
    /// Where there is a plane.
    sound: L::Mask,
}

#[inline(always)]
fn raw<L: Lanes>(token: L::Token, [a, b, c]: [Vector<L>; 3]) -> Raw<L> {
    let [x, y, z] = normal(edge(a, b), edge(a, c));
    let squared = dot([x, y, z], [x, y, z]);
    // Not the negative of a sum, whose zero may get the other sign where lanes fuse.
    let distance = x.neg_mul_add(a[0], y.neg_mul_add(a[1], -(z * a[2])));
    // The maximum is NaN if the distance is, and the distance is if anything is.
    let finite = squared.max(distance.abs()).lt(L::splat(token, f32::INFINITY));
    Raw {
        plane: [x, y, z, distance],
        squared,
        sound: L::and_masks(L::splat(token, MIN_SQUARED_LENGTH).lt(squared), finite),
    }
}

#[inline(always)]
fn or_none<L: Lanes>(sound: L::Mask, [x, y, z, distance]: [L; 4]) -> [L; 4] {
    [
        L::select_or_zero(sound, x),
        L::select_or_zero(sound, y),
        L::select_or_zero(sound, z),
        L::select_or_zero(sound, distance),
    ]
}
