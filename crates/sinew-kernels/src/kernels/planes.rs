//! The planes of triangles.

use std::ops::Range;

use super::triangle_points::{
    MIN_SQUARED_LENGTH, Point, TriangleFunction, TrianglePoints, edge, for_each_triangle, gather_corners,
    normal,
};
use super::vector::{Vector, dot};
use crate::lanes::Lanes;
use crate::lanes::block_scratch::Pending;
use crate::lanes::quads::scatter;
use crate::lanes::triangles::{Index, Points, TriangleCorners};
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
        self.raw::<L>(token, corners).0.checked(token)
    }

    /// Scales each register of planes eight registers later: a register that waits for its root and
    /// then a division takes longer than a CPU can look ahead.
    #[inline(always)]
    fn evaluate_blocks<'a, L: Lanes, P: Points<'a, Point: Point>, I: Index>(
        &self,
        token: L::Token,
        mut corners: TriangleCorners<'a, P, I>,
        mut output: &mut [Plane],
    ) {
        let mut pending = Pending::<RawPlanes<L>, DEPTH>::new();
        loop {
            let mut check = Check::new(token);
            if pending.is_full()
                && let Some(batch) = corners.next_triangles(DEPTH * L::LEN)
            {
                let Some((planes, rest)) = output.split_at_mut_checked(DEPTH * L::LEN) else { break };
                output = rest;
                pending.exchange_all(
                    |i| Some(self.start(token, &batch.part(i * L::LEN, L::LEN)?, &mut check)),
                    |i, raw| {
                        if let Some(planes) =
                            planes.get_mut(i * L::LEN..).and_then(|planes| planes.get_mut(..L::LEN))
                        {
                            scatter(raw.scaled(token), planes, 0, 0);
                        }
                    },
                );
            } else if !pending.exchange(
                || Some(self.start(token, &corners.next_triangles(L::LEN)?, &mut check)),
                |raw| store_next(raw.scaled(token), &mut output),
            ) {
                break;
            }
            if !check.is_sound(token) {
                // There may be a triangle without a plane.
                pending.finish(|raw| store_next(raw.checked(token), &mut output));
            }
        }
    }
}

/// Registers of planes that wait for their roots.
const DEPTH: usize = 8;

/// Stores a register of planes, and leaves the planes after them.
#[inline(always)]
fn store_next<L: Lanes>(planes: [L; 4], output: &mut &mut [Plane]) {
    if let Some((next, rest)) = std::mem::take(output).split_at_mut_checked(L::LEN) {
        scatter(planes, next, 0, 0);
        *output = rest;
    }
}

/// Whether all of a number of triangles have a plane.
struct Check<L> {
    /// The least squared length of a normal.
    least: L,
    /// Not finite if one of the numbers is not.
    sum: L,
}

impl<L: Lanes> Check<L> {
    #[inline(always)]
    fn new(token: L::Token) -> Self {
        Self { least: L::splat(token, f32::INFINITY), sum: L::splat(token, 0.0) }
    }

    #[inline(always)]
    fn add(&mut self, squared: L, distance: L) {
        self.least = self.least.min(squared);
        self.sum = self.sum + (squared + distance);
    }

    #[inline(always)]
    fn is_sound(&self, token: L::Token) -> bool {
        #[allow(clippy::eq_op, reason = "zero if all are finite, else NaN, which is below nothing")]
        let zero = self.sum - self.sum;
        let sound = L::splat(token, MIN_SQUARED_LENGTH).lt(self.least + zero);
        usize::from(L::bitmask(sound)) + 1 == 1 << L::LEN
    }
}

impl PlaneNormals {
    /// A register of planes before they are scaled.
    #[inline(always)]
    fn start<'a, L: Lanes, P: Points<'a, Point: Point>, I: Index>(
        self,
        token: L::Token,
        corners: &TriangleCorners<'a, P, I>,
        check: &mut Check<L>,
    ) -> RawPlanes<L> {
        let (raw, squared) = self.raw::<L>(token, gather_corners::<L, P, I>(token, corners, 0));
        check.add(squared, raw.plane[3]);
        raw
    }

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
