//! Octahedral encoding of directions.

use crate::kernels::vector::Vector;
use crate::lanes::Lanes;

/// Encodes directions of any length as two numbers from -1 to 1: the point where a direction meets
/// the octahedron |x| + |y| + |z| = 1, seen along z, with the four lower faces folded outward over
/// the edges of the upper ones. Zero, and what has a NaN, encodes as +z.
///
/// Multiplications are not fused, so the bits are the same everywhere.
#[inline(always)]
pub(super) fn encode<L: Lanes>(token: L::Token, [x, y, z]: Vector<L>) -> [L; 2] {
    let (zero, one) = (L::splat(token, 0.0), L::splat(token, 1.0));
    let sum = x.abs() + y.abs() + z.abs();
    // The lower limit keeps zero at zero. `max` takes its second operand if it is NaN.
    let inverse = one / L::splat(token, 1e-30).max(sum);
    let (u, v) = (x * inverse, y * inverse);
    let (folded_u, folded_v) = (one - v.abs(), one - u.abs());
    let below = z.lt(zero);
    // Signs of x and y, not of u and v: those may be NaN, whose sign is not the same everywhere.
    [L::select(below, folded_u.negate_by_sign(x), u), L::select(below, folded_v.negate_by_sign(y), v)]
}
