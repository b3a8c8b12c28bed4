//! Runs a function for each triangle: corners in, four numbers out.
//!
//! A corner is one 128-bit load, and four corners of four triangles are transposed in registers. A
//! hardware gather takes four times as long.

use std::ops::Range;

use super::vector::Vector;
use crate::lanes::Lanes;
use crate::lanes::inline_zip::InlineZip;
use crate::lanes::quads::{Quads, gather_from, scatter};
use crate::lanes::triangles::{Index, Points, TriangleCorners};
use crate::{BLOCK, StridedPositions, Triangles, VectorBlock};

/// The vertex positions of triangles.
#[derive(Debug)]
pub enum TrianglePoints<'a> {
    /// Three floats each, at any distance.
    Strided(StridedPositions<'a>),
    /// Sixteen bytes each; the fourth number is ignored.
    Padded(&'a [[f32; 4]]),
    /// The first vector of each block of eight vertices.
    Blocks {
        /// `vectors` blocks for every eight vertices.
        blocks: &'a [VectorBlock],
        /// Vectors per vertex, one or more.
        vectors: usize,
        /// Written: the vertices, sixteen bytes each with a zero in the fourth number, as many as
        /// the blocks hold. This is faster than picking single numbers out of the blocks.
        scratch: &'a mut [[f32; 4]],
    },
}

/// A function of a triangle.
pub(super) trait TriangleFunction {
    /// Four floats.
    type Output: Quads;
    /// Evaluates one register of triangles.
    fn evaluate<L: Lanes>(&self, token: L::Token, corners: [Vector<L>; 3]) -> [L; 4];
    /// Evaluates whole blocks of triangles. As many outputs.
    #[inline(always)]
    fn evaluate_blocks<'a, L: Lanes, P: Points<'a, Point: Point>, I: Index>(
        &self,
        token: L::Token,
        mut corners: TriangleCorners<'a, P, I>,
        output: &mut [Self::Output],
    ) {
        for output in output.as_chunks_mut::<BLOCK>().0 {
            let Some(block) = corners.next_triangles(BLOCK) else { break };
            let evaluate = |group| self.evaluate(token, gather_corners::<L, P, I>(token, &block, group));
            // Both registers before either is stored, so that their roots are under way at once.
            let first = evaluate(0);
            let second = if L::GROUPS > 1 { evaluate(1) } else { first };
            scatter(first, output, 0, 0);
            if L::GROUPS > 1 {
                scatter(second, output, 0, 1);
            }
        }
    }
}

/// 2^-60, squared: a shorter normal counts as zero.
pub(super) const MIN_SQUARED_LENGTH: f32 = 7.523_164e-37;

/// Evaluates a range of triangles. The caller has checked the range and the output's length.
#[inline(always)]
pub(super) fn for_each_triangle<L: Lanes, A: TriangleFunction>(
    token: L::Token,
    function: &A,
    points: &mut TrianglePoints<'_>,
    triangles: &Triangles,
    range: Range<usize>,
    output: &mut [A::Output],
) {
    let padded: &[[f32; 4]] = match points {
        TrianglePoints::Strided(points) => {
            return dispatch_index_type::<L, A, _>(token, function, *points, triangles, range, output);
        }
        TrianglePoints::Padded(points) => points,
        TrianglePoints::Blocks { blocks, vectors, scratch } => {
            assert!(*vectors >= 1, "one vector or more");
            assert!(blocks.len() / *vectors * BLOCK == scratch.len(), "a scratch element for every vertex");
            assert!(
                triangles.required_vertices() <= scratch.len(),
                "a point for every vertex of the triangles"
            );
            unpack::<L>(token, blocks, *vectors, scratch);
            scratch
        }
    };
    dispatch_index_type::<L, A, _>(token, function, padded, triangles, range, output);
}

/// Unpacks the first vector of every block, one vertex after the other.
#[inline(always)]
fn unpack<L: Lanes>(token: L::Token, blocks: &[VectorBlock], vectors: usize, to: &mut [[f32; 4]]) {
    for (block, to) in blocks.iter().step_by(vectors).inline_zip(to.as_chunks_mut::<BLOCK>().0) {
        for group in 0..L::GROUPS {
            let [x, y, z] = &block.rows;
            let (x, y, z) = (L::load(token, x, group), L::load(token, y, group), L::load(token, z, group));
            scatter([x, y, z, L::splat(token, 0.0)], to, 0, group);
        }
    }
}

#[inline(always)]
fn dispatch_index_type<'a, L: Lanes, A: TriangleFunction, P: Points<'a, Point: Point>>(
    token: L::Token,
    function: &A,
    points: P,
    triangles: &'a Triangles,
    range: Range<usize>,
    output: &mut [A::Output],
) {
    if let Some(corners) = TriangleCorners::<P, u16>::new(points, triangles, range.clone()) {
        run_blocks::<L, A, P, _>(token, function, corners, output);
    } else if let Some(corners) = TriangleCorners::<P, u32>::new(points, triangles, range) {
        run_blocks::<L, A, P, _>(token, function, corners, output);
    }
}

#[inline(always)]
fn run_blocks<'a, L: Lanes, A: TriangleFunction, P: Points<'a, Point: Point>, I: Index>(
    token: L::Token,
    function: &A,
    mut corners: TriangleCorners<'a, P, I>,
    output: &mut [A::Output],
) {
    let whole = output.len() / BLOCK * BLOCK;
    let (Some(triangles), Some((blocks, tail))) =
        (corners.next_triangles(whole), output.split_at_mut_checked(whole))
    else {
        return;
    };
    function.evaluate_blocks::<L, P, I>(token, triangles, blocks);
    for group in 0..tail.len().div_ceil(L::LEN) {
        let corners = gather_corners::<L, P, I>(token, &corners, group);
        scatter(function.evaluate::<L>(token, corners), tail, 0, group);
    }
}

/// The corners of one register of triangles; those past the end are the origin.
#[inline(always)]
pub(super) fn gather_corners<'a, L: Lanes, P: Points<'a, Point: Point>, I: Index>(
    token: L::Token,
    corners: &TriangleCorners<'a, P, I>,
    group: usize,
) -> [Vector<L>; 3] {
    let corner = |k: usize| -> Vector<L> {
        P::Point::gather(token, |i| corners.point(group * L::LEN + i, k, P::Point::ORIGIN))
    };
    [corner(0), corner(1), corner(2)]
}

/// The cross product of two edges. Products are rounded before the subtraction, even where lanes
/// fuse: so the result is exactly zero where two corners coincide.
#[inline(always)]
pub(super) fn normal<L: Lanes>(a: Vector<L>, b: Vector<L>) -> Vector<L> {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The vector from one corner to another.
#[inline(always)]
pub(super) fn edge<L: Lanes>(from: Vector<L>, to: Vector<L>) -> Vector<L> {
    [to[0] - from[0], to[1] - from[1], to[2] - from[2]]
}

/// A vertex position in memory.
pub(super) trait Point: Copy + 'static {
    const ORIGIN: &'static Self;
    /// Gathers `LEN` vertices, component by component.
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
        L::gather_vec3s(token, point)
    }
}
