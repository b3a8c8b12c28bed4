//! The corner angles of triangles.

use std::ops::Range;

use super::triangle_points::{
    MIN_SQUARED_LENGTH, TriangleFunction, TrianglePoints, edge, for_each_triangle, normal,
};
use super::vector::{Vector, dot};
use crate::Triangles;
use crate::lanes::Lanes;

/// Computes the corner angles of a range of triangles, in radians, followed by a zero. As many as
/// triangles.
///
/// All zeros if a triangle has no plane: see [`ToPlanes`](crate::ToPlanes).
#[derive(Debug)]
pub struct ToAngles<'a> {
    /// The vertex positions: at least as many as [`Triangles::required_vertices`].
    pub points: TrianglePoints<'a>,
    /// The list of triangles.
    pub triangles: &'a Triangles,
    /// The range of triangles.
    pub range: Range<usize>,
    /// Output.
    pub angles: &'a mut [[f32; 4]],
}

#[inline(always)]
pub(crate) fn body<L: Lanes>(token: L::Token, contract: &mut ToAngles<'_>) {
    let ToAngles { points, triangles, range: Range { start, end }, angles } = contract;
    assert!(*start <= *end && *end <= triangles.len(), "a range of the triangles");
    assert!(*end - *start == angles.len(), "as many angles as triangles");
    for_each_triangle::<L, Angles>(token, &Angles, points, triangles, *start..*end, angles);
}

struct Angles;

impl TriangleFunction for Angles {
    type Output = [f32; 4];

    #[inline(always)]
    fn evaluate<L: Lanes>(&self, token: L::Token, [a, b, c]: [Vector<L>; 3]) -> [L; 4] {
        let (ab, ac, bc) = (edge(a, b), edge(a, c), edge(b, c));
        let across = normal(ab, ac);
        let squared = dot(across, across);
        let finite = squared.lt(L::splat(token, f32::INFINITY));
        let sound = L::and_masks(L::splat(token, MIN_SQUARED_LENGTH).lt(squared), finite);
        // At every corner, twice the area is the product of both edges and the sine between them.
        let sine = squared.sqrt();
        let [a, b, c] = [dot(ab, ac), -dot(ab, bc), dot(ac, bc)];
        [
            select_or_zero::<L>(token, sound, angle(token, sine, a)),
            select_or_zero::<L>(token, sound, angle(token, sine, b)),
            select_or_zero::<L>(token, sound, angle(token, sine, c)),
            L::splat(token, 0.0),
        ]
    }
}

/// Zero if the triangle has no area, or edges so long that the angle is NaN.
#[inline(always)]
fn select_or_zero<L: Lanes>(token: L::Token, sound: L::Mask, angle: L) -> L {
    L::select_or_zero(L::and_masks(sound, angle.lt(L::splat(token, 4.0))), angle)
}

/// atan(t) / t in t^2, for t in 0..=1, with a relative error of 5e-8; lowest coefficient first.
const ARCTANGENT: [f32; 9] = [
    1.0,
    -0.333_330_72,
    0.199_926_2,
    -0.142_036_45,
    0.106_409_34,
    -0.075_042_94,
    0.042_691_51,
    -0.016_068_62,
    0.002_849_887_1,
];

/// The angle from 0 to pi with this sine and cosine, both scaled by any positive number.
#[inline(always)]
fn angle<L: Lanes>(token: L::Token, sine: L, cosine: L) -> L {
    let near = cosine.abs();
    let t = near.min(sine) / near.max(sine);
    let t_squared = t * t;
    let mut sum = L::splat(token, ARCTANGENT[8]);
    let mut i = 8;
    while i > 0 {
        i -= 1;
        sum = sum.mul_add(t_squared, L::splat(token, ARCTANGENT[i]));
    }
    let eighth = t * sum;
    let quarter = L::splat(token, std::f32::consts::FRAC_PI_2);
    let acute = L::select(near.lt(sine), quarter - eighth, eighth);
    L::select(cosine.lt(L::splat(token, 0.0)), L::splat(token, std::f32::consts::PI) - acute, acute)
}
