//! The intersection of a ray with a triangle.
//!
//! It is computed in `f64`, in a sheared space where the ray runs along one axis (Woop, Benthin and
//! Wald, "Watertight ray/triangle intersection"). A corner has the same coordinates there for all
//! triangles that share it, and the edge tests are exact, so no ray passes between adjacent
//! triangles.

use super::predicates::{ApproximateArea, Point2, signed_area};
use super::prepared_ray::PreparedRay;
use super::ray::Faces;
use crate::geometry::Side;

/// Where a ray intersects a triangle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Intersection {
    pub(super) distance: f64,
    pub(super) barycentrics: [f64; 3],
    pub(super) side: Side,
}

impl PreparedRay {
    /// The intersection with a triangle within the limit. A point on an edge belongs to both
    /// triangles. `None` if a corner is NaN. Triangles that are seen edge-on or have no area are
    /// hit only by rounding of the corners; such slivers close gaps. The corners' fourth components
    /// are ignored.
    #[inline(always)]
    pub(super) fn intersect_triangle(&self, corners: [&[f32; 4]; 3]) -> Option<Intersection> {
        // Not `corners.map`, whose closure is a call for each corner.
        let (a, za) = self.ray_space_corner(corners[0]);
        let (b, zb) = self.ray_space_corner(corners[1]);
        let (c, zc) = self.ray_space_corner(corners[2]);
        let (cb, ac, ba) =
            (ApproximateArea::new(c, b), ApproximateArea::new(a, c), ApproximateArea::new(b, a));
        // Most triangles are missed, and leave here: one branch, not one for each sign.
        if (cb.is_positive() | ac.is_positive() | ba.is_positive())
            & (cb.is_negative() | ac.is_negative() | ba.is_negative())
        {
            return None;
        }
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
    #[inline(always)]
    fn ray_space_corner(&self, corner: &[f32; 4]) -> (Point2, f64) {
        let [i, j, k] = self.axes;
        let x = f64::from(corner[i & 3]) - self.origin[0];
        let y = f64::from(corner[j & 3]) - self.origin[1];
        let along = f64::from(corner[k & 3]) - self.origin[2];
        let [sx, sy, sz] = self.shear.to_array();
        ([x - sx * along, y - sy * along], sz * along)
    }
}
