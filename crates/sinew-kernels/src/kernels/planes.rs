//! The planes of triangles.

use std::ops::Range;

use super::triangle_points::{
    CHUNK, MIN_SQUARED_LENGTH, TriangleFunction, TrianglePoints, edge, for_each_triangle, normal,
};
use super::vector::{Vector, dot};
use crate::lanes::Lanes;
use crate::lanes::block_scratch::Scratch;
use crate::lanes::quads::plane_block_mut;
use crate::{BLOCK, Plane, Triangles};

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
    fn quads_of(block: &mut [Plane; BLOCK]) -> &mut [[f32; 4]; BLOCK] {
        plane_block_mut(block)
    }

    #[inline(always)]
    fn evaluate<L: Lanes>(&self, token: L::Token, corners: [Vector<L>; 3]) -> [L; 4] {
        self.raw::<L>(token, corners).0.checked(token)
    }

    /// In two passes, so that a chunk's roots are under way at once. In one pass, a triangle waits
    /// for its root and a division, for longer than a CPU can look ahead.
    #[inline(always)]
    fn evaluate_blocks<L: Lanes>(
        &self,
        token: L::Token,
        corners: impl Fn(usize, usize) -> [Vector<L>; 3],
        output: &mut [[Plane; BLOCK]],
    ) {
        let mut scratch = Scratch::<RawPlanes<L>, { 2 * CHUNK }>::new();
        let (mut least, mut sum) = (L::splat(token, f32::INFINITY), L::splat(token, 0.0));
        let raw = scratch.fill(output.len(), L::GROUPS, |b, group| {
            let (raw, squared) = self.raw::<L>(token, corners(b, group));
            least = least.min(squared);
            sum = sum + (squared + raw.plane[3]);
            raw
        });
        #[allow(clippy::eq_op, reason = "zero if all are finite, else NaN, which is below nothing")]
        let zero = sum - sum;
        let sound = L::splat(token, MIN_SQUARED_LENGTH).lt(least + zero);
        if usize::from(L::bitmask(sound)) + 1 == 1 << L::LEN {
            store_blocks(raw, output, |raw| raw.scaled(token));
        } else {
            // There may be a triangle without a plane.
            store_blocks(raw, output, |raw| raw.checked(token));
        }
    }
}

#[inline(always)]
fn store_blocks<L: Lanes>(
    raw: &[RawPlanes<L>],
    output: &mut [[Plane; BLOCK]],
    plane: impl Fn(&RawPlanes<L>) -> [L; 4],
) {
    for b in 0..output.len() {
        for group in 0..L::GROUPS {
            if let Some(raw) = raw.get(b * L::GROUPS + group) {
                L::store_quads(plane(raw), plane_block_mut(&mut output[b]), group);
            }
        }
    }
}

impl PlaneNormals {
    /// The planes before they are scaled, and the squares of their lengths.
    #[inline(always)]
    fn raw<L: Lanes>(self, token: L::Token, [a, b, c]: [Vector<L>; 3]) -> (RawPlanes<L>, L) {
        let [x, y, z] = normal(edge(a, b), edge(a, c));
        let squared = dot([x, y, z], [x, y, z]);
        // Not the negative of a sum, whose zero may get the other sign where lanes fuse.
        let distance = x.neg_mul_add(a[0], y.neg_mul_add(a[1], -(z * a[2])));
        let divisor = match self {
            Self::Unit => squared.sqrt(),
            Self::TwiceArea => L::splat(token, 1.0),
        };
        (RawPlanes { plane: [x, y, z, distance], divisor }, squared)
    }
}

#[derive(Clone, Copy)]
struct RawPlanes<L> {
    /// With normals as long as twice the area.
    plane: [L; 4],
    /// This length over the length asked for.
    divisor: L,
}

impl<L: Lanes> RawPlanes<L> {
    #[inline(always)]
    fn scaled(&self, token: L::Token) -> [L; 4] {
        let [x, y, z, distance] = self.plane;
        let scale = L::splat(token, 1.0) / self.divisor;
        [x * scale, y * scale, z * scale, distance * scale]
    }

    /// The same, and zeros for triangles without a plane.
    #[inline(always)]
    fn checked(&self, token: L::Token) -> [L; 4] {
        let [x, y, z, distance] = self.plane;
        let squared = dot([x, y, z], [x, y, z]);
        // The maximum is NaN if the distance is, and the distance is if anything is.
        let finite = squared.max(distance.abs()).lt(L::splat(token, f32::INFINITY));
        let sound = L::and_masks(L::splat(token, MIN_SQUARED_LENGTH).lt(squared), finite);
        or_none::<L>(sound, self.scaled(token))
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
