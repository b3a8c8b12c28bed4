//! An AABB as center and half extents, the form that is transformed by matrices.

use sinew_kernels::Aabb;

/// An AABB as center and half extents.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CenterExtents {
    pub(crate) center: [f32; 3],
    /// Measured to the farther side, so that rounding of the center leaves nothing outside.
    pub(crate) half_extents: [f32; 3],
}

impl CenterExtents {
    /// Converts an AABB that is not empty.
    pub(crate) fn from_aabb(Aabb { min, max }: &Aabb) -> Self {
        let center = std::array::from_fn(|axis| 0.5 * min[axis] + 0.5 * max[axis]);
        let half_extents =
            std::array::from_fn(|axis| (max[axis] - center[axis]).max(center[axis] - min[axis]));
        Self { center, half_extents }
    }
}
