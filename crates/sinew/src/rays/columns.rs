//! A matrix by its columns, so that it takes boxes along all axes at once.

use sinew_kernels::Matrix;

use super::boxes::Span;
use crate::bounds::Extent;

/// A matrix by its columns; the fourth of their numbers is zero.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Columns([[f32; 4]; 4]);

impl Columns {
    pub(super) fn of(matrix: &Matrix) -> Self {
        let [x, y, z] = matrix.rows;
        Self(std::array::from_fn(|c| [x[c], y[c], z[c], 0.0]))
    }

    /// Where it takes a box.
    #[inline]
    pub(super) fn moved(&self, Extent { middle, half }: &Extent) -> Span {
        let [x, y, z, t] = &self.0;
        let mut span = Span::EMPTY;
        for row in 0..4 {
            let middle = x[row] * middle[0] + y[row] * middle[1] + z[row] * middle[2] + t[row];
            let half = x[row].abs() * half[0] + y[row].abs() * half[1] + z[row].abs() * half[2];
            span.low[row] = middle - half;
            span.high[row] = middle + half;
        }
        span
    }
}
