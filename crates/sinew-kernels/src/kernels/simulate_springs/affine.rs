//! Vectors, quaternions and affine transforms, one per lane, without fused multiply-adds.

use crate::kernels::pose_blocks::{load_vector, store_vector};
use crate::lanes::Lanes;
use crate::{AffineBlock, VectorBlock};

/// One vector per lane.
pub(super) type Vector<L> = [L; 3];

/// One quaternion (x, y, z, w) per lane.
pub(super) type Rotation<L> = [L; 4];

/// The same vector in every lane.
#[inline(always)]
pub(super) fn splat<L: Lanes>(token: L::Token, v: [f32; 3]) -> Vector<L> {
    [L::splat(token, v[0]), L::splat(token, v[1]), L::splat(token, v[2])]
}

#[inline(always)]
pub(super) fn add<L: Lanes>(a: Vector<L>, b: Vector<L>) -> Vector<L> {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

#[inline(always)]
pub(super) fn sub<L: Lanes>(a: Vector<L>, b: Vector<L>) -> Vector<L> {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
pub(super) fn neg<L: Lanes>(v: Vector<L>) -> Vector<L> {
    [-v[0], -v[1], -v[2]]
}

#[inline(always)]
pub(super) fn scaled<L: Lanes>(v: Vector<L>, factor: L) -> Vector<L> {
    [v[0] * factor, v[1] * factor, v[2] * factor]
}

/// The product of each component with that of another vector.
#[inline(always)]
pub(super) fn times<L: Lanes>(a: Vector<L>, b: Vector<L>) -> Vector<L> {
    [a[0] * b[0], a[1] * b[1], a[2] * b[2]]
}

/// The quotient of each component and that of another vector.
#[inline(always)]
pub(super) fn over<L: Lanes>(a: Vector<L>, b: Vector<L>) -> Vector<L> {
    [a[0] / b[0], a[1] / b[1], a[2] / b[2]]
}

#[inline(always)]
pub(super) fn dot<L: Lanes>(a: Vector<L>, b: Vector<L>) -> L {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
pub(super) fn cross<L: Lanes>(a: Vector<L>, b: Vector<L>) -> Vector<L> {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[inline(always)]
pub(super) fn length<L: Lanes>(v: Vector<L>) -> L {
    dot(v, v).sqrt()
}

/// One divided by a number, or zero where it is not greater than zero.
#[inline(always)]
pub(super) fn reciprocal_or_zero<L: Lanes>(token: L::Token, value: L) -> L {
    L::select_or_zero(L::splat(token, 0.0).lt(value), L::splat(token, 1.0) / value)
}

/// A vector of length one, or zero where the length is zero. NaN and infinity give NaN.
#[inline(always)]
pub(super) fn normalized<L: Lanes>(token: L::Token, v: Vector<L>) -> Vector<L> {
    scaled(v, reciprocal_or_zero(token, length(v)))
}

/// `yes` where the mask is set, `no` elsewhere.
#[inline(always)]
pub(super) fn select<L: Lanes>(mask: L::Mask, yes: Vector<L>, no: Vector<L>) -> Vector<L> {
    [L::select(mask, yes[0], no[0]), L::select(mask, yes[1], no[1]), L::select(mask, yes[2], no[2])]
}

/// Rotates a vector by a unit quaternion.
#[inline(always)]
pub(super) fn rotate<L: Lanes>([x, y, z, w]: Rotation<L>, v: Vector<L>) -> Vector<L> {
    let axis = [x, y, z];
    let once = cross(axis, v);
    let twice = add(once, once);
    add(add(v, scaled(twice, w)), cross(axis, twice))
}

/// The product: applies `b` first, then `a`.
#[inline(always)]
pub(super) fn product<L: Lanes>(a: Rotation<L>, b: Rotation<L>) -> Rotation<L> {
    let (u, v) = ([a[0], a[1], a[2]], [b[0], b[1], b[2]]);
    let [x, y, z] = add(add(scaled(v, a[3]), scaled(u, b[3])), cross(u, v));
    [x, y, z, a[3] * b[3] - dot(u, v)]
}

/// The shortest rotation from one unit vector to another; about `perpendicular` where they are
/// opposite. The identity where `to` is zero.
#[inline(always)]
pub(super) fn rotation_arc<L: Lanes>(
    token: L::Token,
    from: Vector<L>,
    to: Vector<L>,
    perpendicular: Vector<L>,
) -> Rotation<L> {
    let zero = L::splat(token, 0.0);
    let w = L::splat(token, 1.0) + dot(from, to);
    let is_opposite = w.lt(L::splat(token, 1e-6));
    let axis = select(is_opposite, perpendicular, cross(from, to));
    let w = L::select(is_opposite, zero, w);
    let factor = reciprocal_or_zero(token, (dot(axis, axis) + w * w).sqrt());
    let [x, y, z] = scaled(axis, factor);
    [x, y, z, w * factor]
}

/// The columns of the matrix of a unit quaternion.
#[inline(always)]
pub(super) fn rotation_columns<L: Lanes>(token: L::Token, [x, y, z, w]: Rotation<L>) -> [Vector<L>; 3] {
    let one = L::splat(token, 1.0);
    let (x2, y2, z2) = (x + x, y + y, z + z);
    [
        [one - (y * y2 + z * z2), x * y2 + w * z2, x * z2 - w * y2],
        [x * y2 - w * z2, one - (x * x2 + z * z2), y * z2 + w * x2],
        [x * z2 + w * y2, y * z2 - w * x2, one - (x * x2 + y * y2)],
    ]
}

/// One affine transform per lane: the columns of its linear part, and its translation.
#[derive(Clone, Copy)]
pub(super) struct Affine<L> {
    pub(super) columns: [Vector<L>; 3],
    pub(super) translation: Vector<L>,
}

impl<L: Lanes> Affine<L> {
    #[inline(always)]
    pub(super) fn load(token: L::Token, block: &AffineBlock, group: usize) -> Self {
        let [x, y, z, translation] = &block.columns;
        let load = |column: &VectorBlock| load_vector::<L>(token, column, group);
        Self { columns: [load(x), load(y), load(z)], translation: load(translation) }
    }

    #[inline(always)]
    pub(super) fn store(&self, block: &mut AffineBlock, group: usize) {
        let [x, y, z, translation] = &mut block.columns;
        store_vector(self.columns[0], x, group);
        store_vector(self.columns[1], y, group);
        store_vector(self.columns[2], z, group);
        store_vector(self.translation, translation, group);
    }

    #[inline(always)]
    pub(super) fn vector(&self, v: Vector<L>) -> Vector<L> {
        let [x, y, z] = self.columns;
        add(add(scaled(x, v[0]), scaled(y, v[1])), scaled(z, v[2]))
    }

    #[inline(always)]
    pub(super) fn point(&self, p: Vector<L>) -> Vector<L> {
        add(self.vector(p), self.translation)
    }

    #[inline(always)]
    pub(super) fn times(&self, other: &Self) -> Self {
        let [x, y, z] = other.columns;
        Self {
            columns: [self.vector(x), self.vector(y), self.vector(z)],
            translation: self.point(other.translation),
        }
    }

    /// The rows of the adjugate of the linear part: its inverse times its determinant, which comes
    /// with it.
    #[inline(always)]
    pub(super) fn adjugate(&self) -> ([Vector<L>; 3], L) {
        let [x, y, z] = self.columns;
        let rows = [cross(y, z), cross(z, x), cross(x, y)];
        (rows, dot(x, rows[0]))
    }

    /// The inverse. Not finite where there is none.
    #[inline(always)]
    pub(super) fn inverse(&self, token: L::Token) -> Self {
        let ([x, y, z], determinant) = self.adjugate();
        let factor = L::splat(token, 1.0) / determinant;
        let zero = L::splat(token, 0.0);
        let columns = [
            scaled([x[0], y[0], z[0]], factor),
            scaled([x[1], y[1], z[1]], factor),
            scaled([x[2], y[2], z[2]], factor),
        ];
        let linear = Self { columns, translation: [zero, zero, zero] };
        Self { columns, translation: neg(linear.vector(self.translation)) }
    }
}
