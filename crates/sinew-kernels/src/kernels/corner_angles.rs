//! The angles of triangles.

use std::ops::Range;

use super::triangle_points::{
    MIN_SQUARED_LENGTH, TriangleFunction, TrianglePoints, edge, for_each_triangle, normal,
};
use super::vector::{Vector, dot};
use crate::Triangles;
use crate::lanes::Lanes;

/// The angles at the corners of some triangles, in radians, and a zero after them. As many as triangles.
///
/// Zeros where a triangle has no plane: see [`ToPlanes`](crate::ToPlanes).
#[derive(Debug)]
pub struct ToAngles<'a> {
    /// Where the vertices are: all that the list of triangles reaches.
    pub points: TrianglePoints<'a>,
    /// The list.
    pub triangles: &'a Triangles,
    /// Which of them.
    pub range: Range<usize>,
    /// Written.
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
        // The product of two edges and the sine of the angle between them is twice the area, at every corner.
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

/// Zero where the triangle has no area, or so long edges that their product is not a number.
#[inline(always)]
fn select_or_zero<L: Lanes>(token: L::Token, sound: L::Mask, angle: L) -> L {
    L::select_or_zero(L::and_masks(sound, angle.lt(L::splat(token, 4.0))), angle)
}

/// atan(t) / t in t^2, for t in 0..=1, to 5e-8 of its value; the first coefficient is the lowest.
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

/// The angle from 0 to pi whose sine and cosine are as these, times any number.
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
