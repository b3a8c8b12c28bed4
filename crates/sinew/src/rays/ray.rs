//! Rays, and what they hit.

use crate::vector::{length, narrow, scale, sub, wide};

/// A ray: from a point in a direction, up to a distance.
///
/// A number that is not finite (but for an infinite distance), a direction of length zero or a negative distance make a
/// ray that hits nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Where it begins.
    pub origin: [f32; 3],
    /// Where it goes; of any length but zero, which counts for nothing.
    pub direction: [f32; 3],
    /// How far it goes, in the units of the model; what is as far away is hit. May be infinite.
    pub max_distance: f32,
    /// Which sides of triangles it hits.
    pub faces: Faces,
}

/// Which sides of triangles a ray hits. The front is where the corners go counter-clockwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Faces {
    /// Front and back.
    #[default]
    Both,
    /// The front alone: a ray from inside a closed mesh leaves it without a hit.
    Front,
}

/// A side of a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Where the corners go counter-clockwise.
    Front,
    /// The other.
    Back,
}

/// Where a ray hits a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TriangleHit {
    /// Which of the mesh's triangles.
    pub triangle: usize,
    /// How much each of its corners has of the point: from 0 to 1, in sum 1 but for rounding.
    pub barycentrics: [f32; 3],
    /// The point, on the triangle.
    pub point: [f32; 3],
    /// At right angles to the triangle, of length one, out of its front; whichever side is hit. Zero where a triangle without
    /// area is hit.
    pub normal: [f32; 3],
    /// From the ray's origin, in the units of the model.
    pub distance: f32,
    /// Which side of the triangle.
    pub side: Side,
}

impl Ray {
    /// From a point in a direction, without end, hitting both sides of triangles.
    #[must_use]
    pub fn new(origin: [f32; 3], direction: [f32; 3]) -> Self {
        Self { origin, direction, max_distance: f32::INFINITY, faces: Faces::Both }
    }

    /// From a point to another, no less far but for the rounding of its direction, hitting both sides of triangles. From a
    /// point to itself it hits nothing.
    #[must_use]
    pub fn between(from: [f32; 3], to: [f32; 3]) -> Self {
        let way = sub(wide(to), wide(from));
        let distance = length(way);
        // Two finite points may be further apart than the largest number.
        let fits = way.iter().all(|&element| element.abs() <= f64::from(f32::MAX));
        let direction = if fits { way } else { scale(way, 0.5) };
        let near = distance as f32;
        let max_distance = if f64::from(near) < distance { near.next_up() } else { near };
        Self { max_distance, ..Self::new(from, narrow(direction)) }
    }
}
