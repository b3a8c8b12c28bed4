//! A box by its middle and half, as matrices move it.

use sinew_kernels::Aabb;

/// A box by its middle and half.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    pub(crate) middle: [f32; 3],
    /// To the farther side, so that rounding of the middle leaves nothing outside.
    pub(crate) half: [f32; 3],
}

impl Extent {
    /// Of a box that holds something.
    pub(crate) fn of(Aabb { min, max }: &Aabb) -> Self {
        let middle = std::array::from_fn(|axis| 0.5 * min[axis] + 0.5 * max[axis]);
        let half = std::array::from_fn(|axis| (max[axis] - middle[axis]).max(middle[axis] - min[axis]));
        Self { middle, half }
    }
}
