//! The rounding margin of transformed positions.

use sinew_kernels::Matrix;

use super::min_max::max;

/// Half the distance from one to the next `f32`: the largest relative error of one rounding.
const UNIT_ROUNDOFF: f32 = 1.0 / (1 << 24) as f32;

/// Limit on magnitudes: sums or differences of a few larger numbers may overflow `f32`.
const MAX_MAGNITUDE: f32 = 1e37;

/// Magnitudes of the matrices that transform positions, to which rounding errors are proportional.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RoundingMargin {
    /// Largest magnitude of each matrix element.
    max_elements: [[f32; 4]; 3],
    /// Zero while every element is finite, otherwise NaN.
    non_finite: [[f32; 4]; 3],
}

impl RoundingMargin {
    /// Includes a matrix.
    #[inline]
    pub(crate) fn add(&mut self, matrix: &Matrix) {
        for (r, row) in matrix.rows.iter().enumerate() {
            for (c, &element) in row.iter().enumerate() {
                self.max_elements[r][c] = max(element.abs(), self.max_elements[r][c]);
                self.non_finite[r][c] += element * 0.0;
            }
        }
    }

    /// The error of `roundings` roundings per axis, for positions whose coordinate magnitudes are
    /// at most `[x, y, z]`. `None` if a sum is NaN or too large.
    pub(crate) fn margin(&self, [x, y, z]: [f32; 3], roundings: f32) -> Option<[f32; 3]> {
        let sums = self.max_elements.map(|row| row[0] * x + row[1] * y + row[2] * z + row[3]);
        let finite = self.non_finite.as_flattened().iter().all(|&mark| mark == 0.0);
        // The smallest normal number covers results too small for a relative error bound.
        let margin = sums.map(|sum| roundings * UNIT_ROUNDOFF * sum + f32::MIN_POSITIVE);
        (finite && sums.iter().all(|&sum| sum < MAX_MAGNITUDE)).then_some(margin)
    }
}
