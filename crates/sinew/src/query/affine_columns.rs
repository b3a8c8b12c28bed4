//! An affine matrix stored by columns, which transforms all axes of an AABB at once.

use sinew_kernels::Matrix;

use super::aabb4::PaddedAabb;
use crate::bounds::CenterExtents;

/// The columns of an affine matrix, each padded with a zero to four lanes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AffineColumns([[f32; 4]; 4]);

impl AffineColumns {
    pub(super) fn from_matrix(matrix: &Matrix) -> Self {
        let [x, y, z] = matrix.rows;
        Self(std::array::from_fn(|c| [x[c], y[c], z[c], 0.0]))
    }

    /// The AABB of a transformed AABB, not rounded outward.
    #[inline]
    pub(super) fn transform(&self, CenterExtents { center, half_extents }: &CenterExtents) -> PaddedAabb {
        let [x, y, z, t] = &self.0;
        let mut aabb = PaddedAabb::EMPTY;
        for row in 0..4 {
            let center = x[row] * center[0] + y[row] * center[1] + z[row] * center[2] + t[row];
            let half_extent = x[row].abs() * half_extents[0]
                + y[row].abs() * half_extents[1]
                + z[row].abs() * half_extents[2];
            aabb.min[row] = center - half_extent;
            aabb.max[row] = center + half_extent;
        }
        aabb
    }
}
