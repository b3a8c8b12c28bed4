//! Linear maps in `f64`: a transform between two spaces of a skeleton without its translation.

use glam::{DMat3, DVec3};
use sinew_kernels::Matrix;

/// The 3x3 part of a matrix.
pub(crate) fn linear_part(matrix: &Matrix) -> DMat3 {
    let column = |c: usize| DVec3::from_array(matrix.rows.map(|row| f64::from(row[c])));
    DMat3::from_cols(column(0), column(1), column(2))
}

/// The inverse, or `None` for a singular map by the same criterion as [`Matrix::inverse`]. Divides
/// each element by the determinant. glam multiplies by the reciprocal instead, which gives
/// different bits.
pub(crate) fn inverse(map: &DMat3) -> Option<DMat3> {
    let DMat3 { x_axis: x, y_axis: y, z_axis: z } = *map;
    let (yz, zx, xy) = (y.cross(z), z.cross(x), x.cross(y));
    let determinant = x.dot(yz);
    let volume = (x.dot(x) * y.dot(y) * z.dot(z)).sqrt();
    // The comparison is false for a NaN.
    let exists = determinant.abs() > 1e-6 * volume && volume.is_finite();
    // The cross products of the columns, divided by the determinant, are the rows of the inverse.
    exists.then(|| DMat3::from_cols(yz / determinant, zx / determinant, xy / determinant).transpose())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inverse_undoes_its_map() {
        let columns = [[1.0, 2.0, 3.0], [0.0, -1.0, 4.0], [5.0, 6.0, 0.5]];
        let there = DMat3::from_cols_array_2d(&columns);
        let vector = DVec3::new(1.0, 2.0, 3.0);
        let back = inverse(&there).unwrap() * (there * vector);
        assert!((back - vector).abs().max_element() < 1e-12, "{back:?}");
    }

    #[test]
    fn a_singular_map_and_a_map_with_a_nan_have_no_inverse() {
        let DMat3 { x_axis: x, y_axis: y, z_axis: z } = DMat3::IDENTITY;
        assert!(inverse(&DMat3::from_cols(x, y, x)).is_none());
        assert!(inverse(&DMat3::from_cols(x, DVec3::ZERO, z)).is_none());
        assert!(inverse(&DMat3::from_cols(x, y, DVec3::new(0.0, 0.0, f64::NAN))).is_none());
    }
}
