//! Bounding spheres.

use sinew_kernels::Aabb;

/// A bounding sphere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sphere {
    /// Center of the sphere.
    pub center: [f32; 3],
    /// Radius: negative if the sphere is empty, infinite if it contains everything.
    pub radius: f32,
}

impl Sphere {
    /// A sphere that contains nothing.
    pub const EMPTY: Self = Self { center: [0.0; 3], radius: f32::NEG_INFINITY };

    /// Whether the sphere contains nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.radius < 0.0
    }

    /// An empty sphere at the center of a box, or at the origin if the box is empty or infinite.
    pub(crate) fn empty_at_center(bounds: &Aabb) -> Self {
        let center: [f32; 3] = std::array::from_fn(|axis| 0.5 * bounds.min[axis] + 0.5 * bounds.max[axis]);
        if center.iter().all(|c| c.is_finite()) { Self { center, ..Self::EMPTY } } else { Self::EMPTY }
    }
}
