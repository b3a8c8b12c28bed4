//! A ray with precomputed values for tests against many AABBs (`aabb4.rs`) and triangles
//! (`ray_triangle.rs`).

use super::ray::{Faces, Ray};
use crate::math::vector::{Vector, to_f64, try_normalize};

/// Factor on distances to the far sides of AABBs, so that rounding never makes them too small. It
/// exceeds the rounding error of `f32` many times.
const ROUND_UP: f64 = 1.0 + 1.0 / (1 << 19) as f64;

/// A valid ray with precomputed values.
#[derive(Clone, Copy, Debug)]
pub(super) struct PreparedRay {
    /// The two axes across the ray, then the dominant axis of its direction.
    pub(super) axes: [usize; 3],
    /// Origin for triangle tests, along these axes.
    pub(super) origin: [f64; 3],
    /// Shear of the first two axes per unit of the dominant axis, and ray distance per unit of the
    /// dominant axis.
    pub(super) shear: Vector,
    pub(super) faces: Faces,
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
            axes: [x, y, along],
            origin: [x, y, along].map(|axis| f64::from(ray.origin[axis])),
            shear: Vector::new(direction[x] * inverse, direction[y] * inverse, inverse),
            faces: ray.faces,
            limit: f64::from(ray.max_distance),
            slabs: Slabs::new(ray.origin, direction),
        })
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
