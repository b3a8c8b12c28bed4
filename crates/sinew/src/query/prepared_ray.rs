//! A ray with precomputed values for tests against many AABBs and triangles.
//!
//! Triangles are tested in `f64`, in a sheared space where the ray runs along one axis (Woop,
//! Benthin and Wald, "Watertight ray/triangle intersection"). A corner has the same coordinates
//! there for all triangles that share it, and the edge tests are exact, so no ray passes between
//! adjacent triangles.

use super::predicates::{Point2, signed_area};
use super::ray::{Faces, Ray};
use crate::geometry::Side;
use crate::math::vector::{Vector, to_f64, try_normalize};

/// Factor on distances to the far sides of AABBs, so that rounding never makes them too small. It
/// exceeds the rounding error of `f32` many times.
const ROUND_UP: f64 = 1.0 + 1.0 / (1 << 19) as f64;

/// A valid ray with precomputed values.
#[derive(Clone, Copy, Debug)]
pub(super) struct PreparedRay {
    /// Origin for triangle tests.
    origin: Vector,
    /// The two axes across the ray, then the dominant axis of its direction.
    axes: [usize; 3],
    /// Shear of the first two axes per unit of the dominant axis, and ray distance per unit of the
    /// dominant axis.
    shear: Vector,
    faces: Faces,
    /// Largest distance of a hit.
    pub(super) limit: f64,
    /// Values for AABB tests.
    pub(super) slabs: Slabs,
}

/// Precomputed values of the slab test, per axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slabs {
    pub(super) origin: [f32; 3],
    /// Ray distance per unit along the axis, for sides where the ray enters; always finite.
    pub(super) enter: [f32; 3],
    /// The same for sides where the ray leaves; rounded up, and infinite if the ray is
    /// perpendicular to the axis.
    pub(super) leave: [f32; 3],
    /// The side where the ray enters: 0 for the minimum, 1 for the maximum.
    pub(super) near_side: [usize; 3],
}

/// Where a ray intersects a triangle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Intersection {
    pub(super) distance: f64,
    pub(super) barycentrics: [f64; 3],
    pub(super) side: Side,
}

impl PreparedRay {
    /// `None` for an invalid ray, which hits nothing.
    pub(super) fn new(ray: &Ray) -> Option<Self> {
        let finite = |v: [f32; 3]| v.iter().all(|element| element.is_finite());
        // The comparison is false for NaN.
        let valid = ray.max_distance >= 0.0 && finite(ray.origin) && finite(ray.direction);
        let direction = try_normalize(to_f64(ray.direction)).filter(|_| valid)?;
        let along = longest_axis(direction);
        let (mut x, mut y) = ((along + 1) % 3, (along + 2) % 3);
        if direction[along] < 0.0 {
            // Keeps the winding order of triangles as seen from the ray's origin.
            (x, y) = (y, x);
        }
        let inverse = 1.0 / direction[along];
        Some(Self {
            origin: to_f64(ray.origin),
            axes: [x, y, along],
            shear: Vector::new(direction[x] * inverse, direction[y] * inverse, inverse),
            faces: ray.faces,
            limit: f64::from(ray.max_distance),
            slabs: Slabs::new(ray.origin, direction),
        })
    }

    /// The intersection with a triangle within the limit. A point on an edge belongs to both
    /// triangles. `None` if a corner is NaN. Triangles that are seen edge-on or have no area are
    /// hit only by rounding of the corners; such slivers close gaps.
    #[inline]
    pub(super) fn intersect(&self, corners: [[f32; 3]; 3]) -> Option<Intersection> {
        let [(a, za), (b, zb), (c, zc)] = corners.map(|corner| self.ray_space_corner(corner));
        let areas = [signed_area(c, b), signed_area(a, c), signed_area(b, a)];
        let front = areas.iter().all(|&area| area >= 0.0);
        if !(front || (self.faces == Faces::Both && areas.iter().all(|&area| area <= 0.0))) {
            return None;
        }
        let total = areas[0] + areas[1] + areas[2];
        if total == 0.0 {
            return None;
        }
        let distance = (areas[0] * za + areas[1] * zb + areas[2] * zc) / total;
        let side = if front { Side::Front } else { Side::Back };
        // Adding zero turns -0 into +0.
        let intersection = || Intersection {
            distance: distance + 0.0,
            barycentrics: areas.map(|area| area / total + 0.0),
            side,
        };
        (distance >= 0.0 && distance <= self.limit).then(intersection)
    }

    /// The coordinates across the ray, and the distance along it.
    #[inline]
    fn ray_space_corner(&self, corner: [f32; 3]) -> (Point2, f64) {
        let from_origin = to_f64(corner) - self.origin;
        let [x, y, along] = self.axes.map(|axis| from_origin[axis]);
        let [sx, sy, sz] = self.shear.to_array();
        ([x - sx * along, y - sy * along], sz * along)
    }
}

impl Slabs {
    fn new(origin: [f32; 3], direction: Vector) -> Self {
        let inverse = direction.to_array().map(|element| 1.0 / element);
        let largest = f64::from(f32::MAX);
        Self {
            origin,
            enter: inverse.map(|element| element.clamp(-largest, largest) as f32),
            leave: inverse.map(|element| (element * ROUND_UP) as f32),
            near_side: inverse.map(|element| usize::from(element < 0.0)),
        }
    }
}

/// An upper bound, in spite of rounding, of the entry distance of any AABB with a hit at
/// `distance`.
pub(super) fn aabb_limit(distance: f64) -> f32 {
    (distance * ROUND_UP) as f32 + f32::MIN_POSITIVE
}

/// The axis of the component with the largest magnitude; the first if several tie.
fn longest_axis(direction: Vector) -> usize {
    let [x, y, z] = direction.abs().to_array();
    if x >= y && x >= z {
        0
    } else if y >= z {
        1
    } else {
        2
    }
}
