//! The axes that are in a matrix: a rotation that fits its columns, whatever they are.

use super::vector::{Vector, cross, dot};
use crate::lanes::Lanes;

/// Axes shorter than 2^-60 are zero; this is that squared.
const MIN_SQUARED_LENGTH: f32 = 7.523_164e-37;

/// A difference smaller than 2^-20 of what it was made from is mostly rounding; this is that squared.
const ROUNDING_SQUARED: f32 = 9.094_947e-13;

/// A matrix taken apart.
pub(super) struct Decomposition<L> {
    /// Right-handed, of length one, at right angles.
    pub(super) axes: [Vector<L>; 3],
    /// Along the axes; negative along x where the matrix mirrors.
    pub(super) scale: Vector<L>,
    /// The length of what axes and scale cannot hold.
    pub(super) residual: L,
}

/// Gram-Schmidt on the columns, with an axis made up where a column adds nothing to those before it.
#[inline(always)]
pub(super) fn decompose<L: Lanes>(token: L::Token, [c0, c1, c2]: [Vector<L>; 3]) -> Decomposition<L> {
    let (zero, one) = (L::splat(token, 0.0), L::splat(token, 1.0));
    // Directions before products, whose squares would not fit a float.
    let ((u1, _), (u2, _)) =
        (normalize_or(token, c1, zero, [zero; 3]), normalize_or(token, c2, zero, [zero; 3]));

    // x: the first column, or at right angles to the others, or to the one that is there, or anything.
    let (fallback, _) = normalize_or(token, u2, zero, [one, zero, zero]);
    let (fallback, _) = normalize_or(token, u1, zero, fallback);
    let (fallback, _) = normalize_or(token, cross(u1, u2), one, perpendicular(token, fallback));
    let (x, sx) = normalize_or(token, c0, zero, fallback);

    // y: what the second column adds, or at right angles to x and the third column, or to x alone.
    let (fallback, _) = normalize_or(token, cross(u2, x), one, perpendicular(token, x));
    let along = dot(x, c1);
    let (y, sy) = normalize_or(token, subtract_projection(c1, x, along), dot(c1, c1), fallback);
    // Little may have been left of the column, and much of that was rounding: once more.
    let (y, _) = normalize_or(token, subtract_projection(y, x, dot(x, y)), zero, fallback);

    // z: where the third column lies on the other side, the matrix mirrors, and x and z turn round.
    let z = cross(x, y);
    let sz = dot(z, c2);
    let mirrored = sz.lt(zero);
    let residual = {
        let (xz, yz) = (dot(x, c2), dot(y, c2));
        along.mul_add(along, xz.mul_add(xz, yz * yz)).sqrt()
    };
    let axes = [negate_vector_where::<L>(mirrored, x), y, negate_vector_where::<L>(mirrored, z)];
    Decomposition { axes, scale: [L::negate_where(mirrored, sx), sy, sz.abs()], residual }
}

/// `v` less its part along the direction `axis`.
#[inline(always)]
fn subtract_projection<L: Lanes>(v: Vector<L>, axis: Vector<L>, part: L) -> Vector<L> {
    [axis[0].neg_mul_add(part, v[0]), axis[1].neg_mul_add(part, v[1]), axis[2].neg_mul_add(part, v[2])]
}

/// `v` at length one and its length; `otherwise` and zero where nothing but rounding is left of what `v` was made
/// from, whose squared length is `source_squared`.
#[inline(always)]
fn normalize_or<L: Lanes>(
    token: L::Token,
    v: Vector<L>,
    source_squared: L,
    fallback: Vector<L>,
) -> (Vector<L>, L) {
    let squared = dot(v, v);
    let least = (source_squared * L::splat(token, ROUNDING_SQUARED)).max(L::splat(token, MIN_SQUARED_LENGTH));
    let short = squared.lt(least);
    let length = L::select(short, L::splat(token, 1.0), squared).sqrt();
    let inverse = L::splat(token, 1.0) / length;
    let unit = [
        L::select(short, fallback[0], v[0] * inverse),
        L::select(short, fallback[1], v[1] * inverse),
        L::select(short, fallback[2], v[2] * inverse),
    ];
    (unit, L::select(short, L::splat(token, 0.0), length))
}

/// Some direction at right angles to a direction.
#[inline(always)]
fn perpendicular<L: Lanes>(token: L::Token, v: Vector<L>) -> Vector<L> {
    let zero = L::splat(token, 0.0);
    let steep = L::splat(token, 0.5).lt(v[2].abs());
    let u = [L::select(steep, zero, v[1]), L::select(steep, v[2], -v[0]), L::select(steep, -v[1], zero)];
    normalize_or(token, u, zero, [zero, L::splat(token, 1.0), zero]).0
}

#[inline(always)]
fn negate_vector_where<L: Lanes>(mask: L::Mask, v: Vector<L>) -> Vector<L> {
    [L::negate_where(mask, v[0]), L::negate_where(mask, v[1]), L::negate_where(mask, v[2])]
}
