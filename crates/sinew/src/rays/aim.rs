//! A ray made ready: to be tested against many boxes and triangles.
//!
//! Triangles are tested in `f64`, in a space where the ray runs along one axis (Woop, Benthin and Wald, "Watertight
//! ray/triangle intersection"). A corner gets the same coordinates there for all triangles that share it, and the sides of
//! edges are told exactly, so a ray cannot slip between triangles.

use super::exact::{Flat, area};
use super::ray::{Faces, Ray, Side};
use crate::vector::{Vector, scale, sub, unit, wide};

/// Distances to far sides of boxes are made longer by this part, many times what rounding takes from them in `f32`.
const WIDER: f64 = 1.0 + 1.0 / (1 << 19) as f64;

/// A ray, ready.
#[derive(Clone, Copy, Debug)]
pub(super) struct AimedRay {
    /// For triangles.
    origin: Vector,
    /// Across the ray, across it, and along it.
    axes: [usize; 3],
    /// What of the way along is taken off each way across, and what the distance is of the way along.
    shear: Vector,
    faces: Faces,
    /// Distances up to this are hits.
    pub(super) limit: f64,
    /// For boxes.
    pub(super) slabs: Slabs,
}

/// What boxes are tested with, for each axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slabs {
    pub(super) origin: [f32; 3],
    /// Distance for each unit along the axis, to sides that are entered: finite.
    pub(super) enter: [f32; 3],
    /// The same to sides that are left: wider, and infinite across the axis.
    pub(super) leave: [f32; 3],
    /// Which of a box's sides is entered: 0 is the lower, 1 the upper.
    pub(super) first: [usize; 3],
}

/// Where a ray crosses a triangle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crossing {
    pub(super) distance: f64,
    pub(super) barycentrics: [f64; 3],
    pub(super) side: Side,
}

impl AimedRay {
    /// `None` for a ray that hits nothing.
    pub(super) fn new(ray: &Ray) -> Option<Self> {
        let finite = |v: [f32; 3]| v.iter().all(|element| element.is_finite());
        // Written so that a NaN is refused.
        let goes = ray.max_distance >= 0.0 && finite(ray.origin) && finite(ray.direction);
        let direction = unit(wide(ray.direction)).filter(|_| goes)?;
        let along = longest(direction);
        let (mut x, mut y) = ((along + 1) % 3, (along + 2) % 3);
        if direction[along] < 0.0 {
            // Seen along the ray, triangles turn the way they do seen from its origin.
            (x, y) = (y, x);
        }
        let inverse = 1.0 / direction[along];
        Some(Self {
            origin: wide(ray.origin),
            axes: [x, y, along],
            shear: [direction[x] * inverse, direction[y] * inverse, inverse],
            faces: ray.faces,
            limit: f64::from(ray.max_distance),
            slabs: Slabs::new(ray.origin, direction),
        })
    }

    /// Where the ray crosses a triangle, if it does within the limit. A point on an edge belongs to both triangles.
    /// `None` for a triangle with a corner that is not a number. One that is seen edge-on, or has no area, is crossed only where
    /// the rounding of corners says so; such needles close gaps.
    #[inline]
    pub(super) fn cross(&self, corners: [[f32; 3]; 3]) -> Option<Crossing> {
        let [(a, za), (b, zb), (c, zc)] = corners.map(|corner| self.sheared(corner));
        let areas = [area(c, b), area(a, c), area(b, a)];
        let front = areas.iter().all(|&area| area >= 0.0);
        if !(front || (self.faces == Faces::Both && areas.iter().all(|&area| area <= 0.0))) {
            return None;
        }
        let whole = areas[0] + areas[1] + areas[2];
        if whole == 0.0 {
            return None;
        }
        let distance = (areas[0] * za + areas[1] * zb + areas[2] * zc) / whole;
        let side = if front { Side::Front } else { Side::Back };
        // Adding zero makes minus zero plus zero.
        let crossing = || Crossing {
            distance: distance + 0.0,
            barycentrics: areas.map(|area| area / whole + 0.0),
            side,
        };
        (distance >= 0.0 && distance <= self.limit).then(crossing)
    }

    /// Across the ray, and how far along it.
    #[inline]
    fn sheared(&self, corner: [f32; 3]) -> (Flat, f64) {
        let from_origin = sub(wide(corner), self.origin);
        let [x, y, along] = self.axes.map(|axis| from_origin[axis]);
        let [sx, sy, sz] = self.shear;
        ([x - sx * along, y - sy * along], sz * along)
    }
}

impl Slabs {
    fn new(origin: [f32; 3], direction: Vector) -> Self {
        let inverse = direction.map(|element| 1.0 / element);
        let largest = f64::from(f32::MAX);
        Self {
            origin,
            enter: inverse.map(|element| element.clamp(-largest, largest) as f32),
            leave: scale(inverse, WIDER).map(|element| element as f32),
            first: inverse.map(|element| usize::from(element < 0.0)),
        }
    }
}

/// A distance that no box is nearer than whose triangles are hit at `distance`, in spite of rounding.
pub(super) fn reach(distance: f64) -> f32 {
    (distance * WIDER) as f32 + f32::MIN_POSITIVE
}

/// The axis that a direction goes along most, the first of equals.
fn longest(direction: Vector) -> usize {
    let [x, y, z] = direction.map(f64::abs);
    if x >= y && x >= z {
        0
    } else if y >= z {
        1
    } else {
        2
    }
}
