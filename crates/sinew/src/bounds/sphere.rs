//! A sphere that holds some points.

use sinew_kernels::Aabb;

/// A sphere that holds some points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sphere {
    /// Its middle.
    pub centre: [f32; 3],
    /// How far it reaches: negative where it holds nothing, infinite where it holds everything.
    pub radius: f32,
}

impl Sphere {
    /// Holds nothing.
    pub const EMPTY: Self = Self { centre: [0.0; 3], radius: f32::NEG_INFINITY };

    /// Whether it holds nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.radius < 0.0
    }
}

/// A sphere about the middle of a box that holds nothing as yet; at the origin where the box is empty or infinite.
pub(crate) fn about(bounds: &Aabb) -> Sphere {
    let middle = |axis: usize| 0.5 * bounds.min[axis] + 0.5 * bounds.max[axis];
    let centre: [f32; 3] = std::array::from_fn(middle);
    if centre.iter().all(|c| c.is_finite()) { Sphere { centre, ..Sphere::EMPTY } } else { Sphere::EMPTY }
}
