//! Four boxes beside each other, so that a ray is tested against all of them at once.

use super::aim::Slabs;
use crate::bounds::{higher, lower};

/// Boxes of a node.
pub(super) const WIDTH: usize = 4;

/// For each axis the lower and the upper sides of four boxes.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub(super) struct Boxes {
    pub(super) sides: [[[f32; WIDTH]; 2]; 3],
}

/// The lowest and the highest of points; the fourth number counts for nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) low: [f32; 4],
    pub(super) high: [f32; 4],
}

impl Boxes {
    /// Nothing is in them.
    pub(super) const EMPTY: Self = Self { sides: [[[f32::INFINITY; WIDTH], [f32::NEG_INFINITY; WIDTH]]; 3] };

    /// How far along a ray each box begins, zero where the ray begins in it; not a number where the ray misses the box or
    /// meets it only beyond `limit`.
    ///
    /// Rounding never makes a miss of a hit. Across an axis sides are infinitely far away, and where the ray lies in one of
    /// them, the product is not a number; the comparisons are written so that this leaves the box to the other axes.
    #[inline]
    pub(super) fn entries(&self, slabs: &Slabs, limit: f32) -> [f32; WIDTH] {
        let (mut enter, mut leave) = ([0.0_f32; WIDTH], [limit; WIDTH]);
        for axis in 0..3 {
            let first = slabs.first[axis] & 1;
            let (near, far) = (&self.sides[axis][first], &self.sides[axis][1 - first]);
            let (origin, to_near, to_far) = (slabs.origin[axis], slabs.enter[axis], slabs.leave[axis]);
            for lane in 0..WIDTH {
                let entered = (near[lane] - origin) * to_near;
                enter[lane] = if entered > enter[lane] { entered } else { enter[lane] };
                let left = (far[lane] - origin) * to_far;
                leave[lane] = if left < leave[lane] { left } else { leave[lane] };
            }
        }
        let mut entries = [f32::NAN; WIDTH];
        for lane in 0..WIDTH {
            // What is too small for a normal number has lost more to rounding than the far sides were moved by.
            let met = enter[lane] <= leave[lane] + f32::MIN_POSITIVE;
            entries[lane] = if met { enter[lane] } else { f32::NAN };
        }
        entries
    }

    pub(super) fn set(&mut self, lane: usize, span: &Span) {
        for axis in 0..3 {
            self.sides[axis][0][lane] = span.low[axis];
            self.sides[axis][1][lane] = span.high[axis];
        }
    }

    /// The box that holds all four.
    pub(super) fn span(&self) -> Span {
        let mut span = Span::EMPTY;
        for (axis, [low, high]) in self.sides.iter().enumerate() {
            span.low[axis] = lower(lower(low[0], low[1]), lower(low[2], low[3]));
            span.high[axis] = higher(higher(high[0], high[1]), higher(high[2], high[3]));
        }
        span
    }
}

impl Span {
    /// Holds nothing.
    pub(super) const EMPTY: Self = Self { low: [f32::INFINITY; 4], high: [f32::NEG_INFINITY; 4] };

    /// Grows to hold a point; a coordinate that is not a number counts for nothing.
    #[inline]
    pub(super) fn add(&mut self, point: &[f32; 4]) {
        for ((low, high), &element) in self.low.iter_mut().zip(&mut self.high).zip(point) {
            *low = lower(element, *low);
            *high = higher(element, *high);
        }
    }

    /// Grows to hold another, which may hold nothing: then its corners are no points to add.
    #[inline]
    pub(super) fn join(&mut self, other: &Self) {
        for axis in 0..4 {
            self.low[axis] = lower(other.low[axis], self.low[axis]);
            self.high[axis] = higher(other.high[axis], self.high[axis]);
        }
    }

    /// Half of its surface; zero where it holds nothing.
    pub(super) fn area(&self) -> f32 {
        let side = |axis: usize| (self.high[axis] - self.low[axis]).max(0.0);
        side(0) * side(1) + side(1) * side(2) + side(2) * side(0)
    }
}
