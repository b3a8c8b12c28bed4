//! Four AABBs side by side, which a ray tests at once.

use super::prepared_ray::Slabs;
use crate::bounds::{max, min};

/// Children of a wide BVH node.
pub(super) const WIDTH: usize = 4;

/// Four AABBs in SoA layout: per axis, the minima and then the maxima of all four.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub(super) struct Aabb4 {
    pub(super) min_max: [[[f32; WIDTH]; 2]; 3],
}

/// An AABB padded to four lanes; the fourth lane is ignored.
#[derive(Clone, Copy, Debug)]
pub(super) struct PaddedAabb {
    pub(super) min: [f32; 4],
    pub(super) max: [f32; 4],
}

impl Aabb4 {
    /// Four empty AABBs.
    pub(super) const EMPTY: Self =
        Self { min_max: [[[f32::INFINITY; WIDTH], [f32::NEG_INFINITY; WIDTH]]; 3] };

    /// The distances along a ray at which it enters each AABB: zero if the ray starts inside, NaN
    /// if the ray misses the AABB or enters it beyond `limit`.
    ///
    /// Rounding never turns a hit into a miss. If the ray is perpendicular to an axis, the slabs of
    /// that axis are infinitely far away. If such a ray also lies in a slab plane, the product is
    /// NaN; the comparisons then ignore that axis.
    #[inline(always)]
    pub(super) fn entry_distances(&self, slabs: &Slabs, limit: f32) -> [f32; WIDTH] {
        let (mut enter, mut leave) = ([0.0_f32; WIDTH], [limit; WIDTH]);
        for axis in 0..3 {
            let near_side = slabs.near_side[axis] & 1;
            let (near, far) = (&self.min_max[axis][near_side], &self.min_max[axis][1 - near_side]);
            let (origin, to_near, to_far) = (slabs.origin[axis], slabs.enter[axis], slabs.leave[axis]);
            for lane in 0..WIDTH {
                let enter_distance = (near[lane] - origin) * to_near;
                enter[lane] = if enter_distance > enter[lane] { enter_distance } else { enter[lane] };
                let leave_distance = (far[lane] - origin) * to_far;
                leave[lane] = if leave_distance < leave[lane] { leave_distance } else { leave[lane] };
            }
        }
        let mut entries = [f32::NAN; WIDTH];
        for lane in 0..WIDTH {
            // A subnormal value loses more to rounding than the far planes were moved outward.
            let hit = enter[lane] <= leave[lane] + f32::MIN_POSITIVE;
            entries[lane] = if hit { enter[lane] } else { f32::NAN };
        }
        entries
    }

    pub(super) fn set(&mut self, lane: usize, aabb: &PaddedAabb) {
        for axis in 0..3 {
            self.min_max[axis][0][lane] = aabb.min[axis];
            self.min_max[axis][1][lane] = aabb.max[axis];
        }
    }

    /// The AABB around all four.
    pub(super) fn union(&self) -> PaddedAabb {
        let mut aabb = PaddedAabb::EMPTY;
        for (axis, [low, high]) in self.min_max.iter().enumerate() {
            aabb.min[axis] = min(min(low[0], low[1]), min(low[2], low[3]));
            aabb.max[axis] = max(max(high[0], high[1]), max(high[2], high[3]));
        }
        aabb
    }
}

impl PaddedAabb {
    /// An AABB that contains nothing.
    pub(super) const EMPTY: Self = Self { min: [f32::INFINITY; 4], max: [f32::NEG_INFINITY; 4] };

    /// Grows to contain a point. A NaN coordinate is ignored.
    #[inline]
    pub(super) fn add_point(&mut self, point: &[f32; 4]) {
        for ((low, high), &element) in self.min.iter_mut().zip(&mut self.max).zip(point) {
            *low = min(element, *low);
            *high = max(element, *high);
        }
    }

    /// Grows to contain another AABB, which may be empty (so its corners cannot be added as
    /// points).
    #[inline]
    pub(super) fn merge(&mut self, other: &Self) {
        for axis in 0..4 {
            self.min[axis] = min(other.min[axis], self.min[axis]);
            self.max[axis] = max(other.max[axis], self.max[axis]);
        }
    }

    /// Half of the surface area; zero if empty.
    pub(super) fn half_area(&self) -> f32 {
        let side = |axis: usize| (self.max[axis] - self.min[axis]).max(0.0);
        side(0) * side(1) + side(1) * side(2) + side(2) * side(0)
    }
}
