//! Decomposition of a matrix into rotation axes, scale and residual, for any columns.

use super::vector::{Vector, cross, dot};
use crate::lanes::Lanes;

/// Axes shorter than 2^-60 count as zero; this is the square.
const MIN_SQUARED_LENGTH: f32 = 7.523_164e-37;

/// A difference below 2^-20 of its operands is mostly rounding error; this is the square.
const ROUNDING_SQUARED: f32 = 9.094_947e-13;

/// A decomposed matrix.
pub(super) struct Decomposition<L> {
    /// Right-handed, orthonormal.
    pub(super) axes: [Vector<L>; 3],
    /// Along the axes; negative along x if the matrix mirrors.
    pub(super) scale: Vector<L>,
    /// The length of what axes and scale cannot represent.
    pub(super) residual: L,
}

/// Gram-Schmidt on the columns. A column that is zero or depends on earlier ones gets a fallback
/// axis.
#[inline(always)]
pub(super) fn decompose<L: Lanes>(token: L::Token, [c0, c1, c2]: [Vector<L>; 3]) -> Decomposition<L> {
    let (zero, one) = (L::splat(token, 0.0), L::splat(token, 1.0));
    // Normalized before the products, whose squares would overflow a float.
    let ((u1, _), (u2, _)) =
        (normalize_or(token, c1, zero, [zero; 3]), normalize_or(token, c2, zero, [zero; 3]));

    // x: the first column; else orthogonal to the other two, to the one that is nonzero, or
    // arbitrary.
    let (fallback, _) = normalize_or(token, u2, zero, [one, zero, zero]);
    let (fallback, _) = normalize_or(token, u1, zero, fallback);
    let (fallback, _) = normalize_or(token, cross(u1, u2), one, perpendicular(token, fallback));
    let (x, sx) = normalize_or(token, c0, zero, fallback);

    // y: the second column without its x part; else orthogonal to x and the third column, or to x.
    let (fallback, _) = normalize_or(token, cross(u2, x), one, perpendicular(token, x));
    let along = dot(x, c1);
    let (y, sy) = normalize_or(token, subtract_projection(c1, x, along), dot(c1, c1), fallback);
    // A second pass, in case most of the column was cancelled and the rest is rounding error.
    let (y, _) = normalize_or(token, subtract_projection(y, x, dot(x, y)), zero, fallback);

    // z: if the third column points the other way, the matrix mirrors: negate x and z.
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

/// `v` minus its projection onto the unit vector `axis`.
#[inline(always)]
fn subtract_projection<L: Lanes>(v: Vector<L>, axis: Vector<L>, part: L) -> Vector<L> {
    [axis[0].neg_mul_add(part, v[0]), axis[1].neg_mul_add(part, v[1]), axis[2].neg_mul_add(part, v[2])]
}

/// Normalizes `v` and returns its length. Returns `fallback` and zero if `v` is only the rounding
/// error of operands whose squared length is `source_squared`.
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

/// A unit vector orthogonal to a unit vector.
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
