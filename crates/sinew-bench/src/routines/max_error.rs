//! The largest error of results against `f64`.

use sinew_kernels::Matrix;
use sinew_kernels::reference::algebra::Affine;

/// The largest difference and the largest magnitude so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct MaxError {
    difference: f64,
    magnitude: f64,
}

impl MaxError {
    /// Adds one number.
    pub fn compare(&mut self, expected: f64, found: f32) {
        let difference = (f64::from(found) - expected).abs();
        self.difference = self.difference.max(if difference.is_nan() { f64::INFINITY } else { difference });
        self.magnitude = self.magnitude.max(expected.abs());
    }

    /// Adds the components of a vector.
    pub fn compare_all<const N: usize>(&mut self, expected: [f64; N], found: [f32; N]) {
        for (expected, found) in expected.into_iter().zip(found) {
            self.compare(expected, found);
        }
    }

    /// Adds matrices.
    pub fn compare_matrices(&mut self, expected: &[Affine], found: &[Matrix]) {
        for (expected, found) in expected.iter().zip(found) {
            for (expected, found) in expected.iter().zip(found.rows) {
                self.compare_all(*expected, found);
            }
        }
    }

    /// The largest difference, relative to the largest expected magnitude.
    #[must_use]
    pub fn relative(self) -> f64 {
        if self.magnitude > 0.0 { self.difference / self.magnitude } else { self.difference }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_is_relative_to_the_largest_magnitude_and_nan_is_infinite() {
        let mut error = MaxError::default();
        error.compare_all([4.0, -8.0], [4.0, -8.5]);
        assert_eq!(error.relative(), 0.0625);
        error.compare(0.0, f32::NAN);
        assert_eq!(error.relative(), f64::INFINITY);
    }
}
