//! Vectors of three components, one vector per lane.

use crate::lanes::Lanes;

/// One vector per lane.
pub(super) type Vector<L> = [L; 3];

#[inline(always)]
pub(super) fn dot<L: Lanes>(a: Vector<L>, b: Vector<L>) -> L {
    a[0].mul_add(b[0], a[1].mul_add(b[1], a[2] * b[2]))
}

#[inline(always)]
pub(super) fn cross<L: Lanes>(a: Vector<L>, b: Vector<L>) -> Vector<L> {
    [
        a[2].neg_mul_add(b[1], a[1] * b[2]),
        a[0].neg_mul_add(b[2], a[2] * b[0]),
        a[1].neg_mul_add(b[0], a[0] * b[1]),
    ]
}
