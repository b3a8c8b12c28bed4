//! The planes of triangles.
//!
//! A corner is one 128-bit load, and four corners of four triangles are transposed in registers. A gather of the
//! hardware would take four times as long.

use std::ops::Range;

use super::vector::{Vector, cross, dot};
use crate::lanes::Lanes;
use crate::lanes::corners::{Corners, Index};
use crate::lanes::quads::{gather_from, scatter};
use crate::{BLOCK, Plane, Triangles, VectorBlock};

/// The planes of some triangles, which are counter-clockwise seen from their fronts. As many planes as triangles.
///
/// A triangle has no plane, and [`Plane::NONE`] is written, where twice its area is below 2^-60, above 2^63 or not a
/// number: so a corner that is not finite gives zeros, never a NaN. Coordinates are below 2^126.
#[derive(Debug)]
pub struct ToPlanes<'a> {
    /// Where the vertices are: all that the list of triangles reaches.
    pub points: TrianglePoints<'a>,
    /// The list.
    pub triangles: &'a Triangles,
    /// Which of them.
    pub range: Range<usize>,
    /// How long normals are.
    pub normals: PlaneNormals,
    /// Written.
    pub planes: &'a mut [Plane],
}

/// The vertices of triangles.
#[derive(Debug)]
pub enum TrianglePoints<'a> {
    /// Twelve bytes each.
    Packed(&'a [[f32; 3]]),
    /// Sixteen bytes each; the fourth number counts for nothing.
    Padded(&'a [[f32; 4]]),
    /// The first vector of blocks of eight vertices.
    Blocks {
        /// `vectors` for each eight vertices.
        blocks: &'a [VectorBlock],
        /// Vectors of each vertex, one or more.
        vectors: usize,
        /// Written: the vertices, sixteen bytes each, the fourth number zero. As many as the blocks hold. This is faster
        /// than picking single numbers out of the blocks.
        scratch: &'a mut [[f32; 4]],
    },
}

/// How long the normals of planes are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PlaneNormals {
    /// Length one.
    #[default]
    Unit,
    /// Twice the area of the triangle.
    TwiceArea,
}

/// 2^-60, squared: normals that are shorter have no direction.
const SHORT: f32 = 7.523_164e-37;

#[inline(always)]
pub(crate) fn body<L: Lanes>(token: L::Token, contract: &mut ToPlanes<'_>) {
    let Range { start, end } = contract.range;
    let triangles = contract.triangles;
    assert!(start <= end && end <= triangles.len(), "a range of the triangles");
    assert!(end - start == contract.planes.len(), "as many planes as triangles");
    let to = To { triangles, range: start..end, normals: contract.normals, planes: contract.planes };
    match &mut contract.points {
        TrianglePoints::Packed(points) => of_points::<L, _>(token, points, to),
        TrianglePoints::Padded(points) => of_points::<L, _>(token, points, to),
        TrianglePoints::Blocks { blocks, vectors, scratch } => {
            assert!(*vectors >= 1, "one vector or more");
            assert!(blocks.len() / *vectors * BLOCK == scratch.len(), "room for every vertex");
            assert!(triangles.reach() <= scratch.len(), "a point for every vertex of the triangles");
            unpack::<L>(token, blocks, *vectors, scratch);
            of_points::<L, _>(token, scratch, to);
        }
    }
}

/// The first vector of every block, a vertex after the other.
#[inline(always)]
fn unpack<L: Lanes>(token: L::Token, blocks: &[VectorBlock], vectors: usize, to: &mut [[f32; 4]]) {
    for (block, to) in blocks.iter().step_by(vectors).zip(to.as_chunks_mut::<BLOCK>().0) {
        for group in 0..L::GROUPS {
            let [x, y, z] = &block.rows;
            let (x, y, z) = (L::load(token, x, group), L::load(token, y, group), L::load(token, z, group));
            scatter([x, y, z, L::splat(token, 0.0)], to, 0, group);
        }
    }
}

/// The contract without its points.
struct To<'a> {
    triangles: &'a Triangles,
    range: Range<usize>,
    normals: PlaneNormals,
    planes: &'a mut [Plane],
}

#[inline(always)]
fn of_points<L: Lanes, P: Point>(token: L::Token, points: &[P], to: To<'_>) {
    let To { triangles, range, normals, planes } = to;
    if let Some(corners) = Corners::<P, u16>::new(points, triangles, range.clone()) {
        of_corners::<L, P, _>(token, corners, normals, planes);
    } else if let Some(corners) = Corners::<P, u32>::new(points, triangles, range) {
        of_corners::<L, P, _>(token, corners, normals, planes);
    }
}

#[inline(always)]
fn of_corners<L: Lanes, P: Point, I: Index>(
    token: L::Token,
    corners: Corners<'_, P, I>,
    normals: PlaneNormals,
    planes: &mut [Plane],
) {
    match normals {
        PlaneNormals::Unit => all::<L, P, I, true>(token, corners, planes),
        PlaneNormals::TwiceArea => all::<L, P, I, false>(token, corners, planes),
    }
}

#[inline(always)]
fn all<L: Lanes, P: Point, I: Index, const UNIT: bool>(
    token: L::Token,
    mut corners: Corners<'_, P, I>,
    planes: &mut [Plane],
) {
    let (blocks, tail) = planes.as_chunks_mut::<BLOCK>();
    for planes in blocks {
        let Some(corners) = corners.next_block() else { return };
        block::<L, P, I, UNIT>(token, &corners, planes);
    }
    block::<L, P, I, UNIT>(token, &corners, tail);
}

/// Up to a block of triangles.
#[inline(always)]
fn block<L: Lanes, P: Point, I: Index, const UNIT: bool>(
    token: L::Token,
    corners: &Corners<'_, P, I>,
    planes: &mut [Plane],
) {
    for group in 0..L::GROUPS {
        let corner =
            |k: usize| -> Vector<L> { P::gather(token, |i| corners.point(group * L::LEN + i, k, P::ORIGIN)) };
        scatter(plane::<L, UNIT>(token, [corner(0), corner(1), corner(2)]), planes, 0, group);
    }
}

/// The planes of one register of triangles.
#[inline(always)]
fn plane<L: Lanes, const UNIT: bool>(token: L::Token, [a, b, c]: [Vector<L>; 3]) -> [L; 4] {
    let [x, y, z] = cross(minus(b, a), minus(c, a));
    let squared = dot([x, y, z], [x, y, z]);
    // Not the negative of a sum, which a fused instruction may give as the other zero.
    let distance = x.neg_mul_add(a[0], y.neg_mul_add(a[1], -(z * a[2])));
    // The larger of the two is not a number where the distance is not, and that is so where anything is not.
    let finite = squared.max(distance.abs()).lt(L::splat(token, f32::INFINITY));
    let sound = L::both(L::splat(token, SHORT).lt(squared), finite);
    let plane = if UNIT {
        // As a last product, since everything before it waits for nothing while the root is being found.
        let inverse = squared.rsqrt();
        [x * inverse, y * inverse, z * inverse, distance * inverse]
    } else {
        [x, y, z, distance]
    };
    let [x, y, z, distance] = plane;
    [L::or_zero(sound, x), L::or_zero(sound, y), L::or_zero(sound, z), L::or_zero(sound, distance)]
}

#[inline(always)]
fn minus<L: Lanes>(a: Vector<L>, b: Vector<L>) -> Vector<L> {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// A vertex as it lies in memory.
trait Point: 'static {
    const ORIGIN: &'static Self;
    /// `LEN` vertices from anywhere, component by component.
    fn gather<'a, L: Lanes>(token: L::Token, point: impl Fn(usize) -> &'a Self) -> Vector<L>;
}

impl Point for [f32; 4] {
    const ORIGIN: &'static Self = &[0.0; 4];

    #[inline(always)]
    fn gather<'a, L: Lanes>(token: L::Token, point: impl Fn(usize) -> &'a Self) -> Vector<L> {
        let [x, y, z, _] = gather_from(token, point);
        [x, y, z]
    }
}

impl Point for [f32; 3] {
    const ORIGIN: &'static Self = &[0.0; 3];

    #[inline(always)]
    fn gather<'a, L: Lanes>(token: L::Token, point: impl Fn(usize) -> &'a Self) -> Vector<L> {
        let [x, y, z, _] = L::transpose([
            L::load_threes(token, |i| point(4 * i)),
            L::load_threes(token, |i| point(4 * i + 1)),
            L::load_threes(token, |i| point(4 * i + 2)),
            L::load_threes(token, |i| point(4 * i + 3)),
        ]);
        [x, y, z]
    }
}
