//! Rays and hits.

use crate::geometry::Side;
use crate::math::vector::{to_f32, to_f64};

/// A ray from an origin along a direction, up to a maximum distance.
///
/// A ray hits nothing if a value is not finite (except an infinite distance), if the direction has
/// length zero, or if the distance is negative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Origin of the ray.
    pub origin: [f32; 3],
    /// Direction of the ray. It need not be normalized, but must not be zero.
    pub direction: [f32; 3],
    /// Largest distance of a hit, inclusive, in model units. May be infinite.
    pub max_distance: f32,
    /// The sides of triangles that the ray hits.
    pub faces: Faces,
}

/// The sides of triangles that a ray hits. On the front side the corners are counter-clockwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Faces {
    /// Front and back.
    #[default]
    Both,
    /// Front only: a ray from inside a closed mesh leaves it without a hit.
    Front,
}

/// A hit of a ray on a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TriangleHit {
    /// Index of the triangle in the mesh.
    pub triangle: usize,
    /// Barycentric coordinates: from 0 to 1, with sum 1 up to rounding.
    pub barycentrics: [f32; 3],
    /// Position of the hit, on the triangle.
    pub point: [f32; 3],
    /// Unit normal of the triangle's front, whichever side is hit; zero if the triangle has no
    /// area.
    pub normal: [f32; 3],
    /// Distance from the ray's origin, in model units.
    pub distance: f32,
    /// The side of the triangle that is hit.
    pub side: Side,
}

impl Ray {
    /// A ray without maximum distance that hits both sides of triangles.
    #[must_use]
    pub fn new(origin: [f32; 3], direction: [f32; 3]) -> Self {
        Self { origin, direction, max_distance: f32::INFINITY, faces: Faces::Both }
    }

    /// A ray from one point to another that hits both sides of triangles. It reaches the end point,
    /// up to the rounding of its direction. A ray from a point to itself hits nothing.
    #[must_use]
    pub fn between(from: [f32; 3], to: [f32; 3]) -> Self {
        let offset = to_f64(to) - to_f64(from);
        let distance = offset.length();
        // The difference of two finite points may exceed the largest `f32`.
        let fits = offset.abs().max_element() <= f64::from(f32::MAX);
        let direction = if fits { offset } else { offset * 0.5 };
        let near = distance as f32;
        let max_distance = if f64::from(near) < distance { near.next_up() } else { near };
        Self { max_distance, ..Self::new(from, to_f32(direction)) }
    }
}
