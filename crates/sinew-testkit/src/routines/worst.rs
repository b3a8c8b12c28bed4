//! How far results are from `f64`.

use sinew_kernels::Matrix;
use sinew_kernels::reference::algebra::Affine;

/// The largest difference and the largest magnitude so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct Worst {
    difference: f64,
    magnitude: f64,
}

impl Worst {
    /// Looks at one number more.
    pub fn compare(&mut self, expected: f64, found: f32) {
        let difference = (f64::from(found) - expected).abs();
        self.difference = self.difference.max(if difference.is_nan() { f64::INFINITY } else { difference });
        self.magnitude = self.magnitude.max(expected.abs());
    }

    /// Looks at a vector more.
    pub fn compare_all<const N: usize>(&mut self, expected: [f64; N], found: [f32; N]) {
        for (expected, found) in expected.into_iter().zip(found) {
            self.compare(expected, found);
        }
    }

    /// Looks at matrices more.
    pub fn compare_matrices(&mut self, expected: &[Affine], found: &[Matrix]) {
        for (expected, found) in expected.iter().zip(found) {
            for (expected, found) in expected.iter().zip(found.rows) {
                self.compare_all(*expected, found);
            }
        }
    }

    /// The largest difference as a share of the largest magnitude that was expected.
    #[must_use]
    pub fn share(self) -> f64 {
        if self.magnitude > 0.0 { self.difference / self.magnitude } else { self.difference }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_is_of_the_largest_magnitude_and_nan_is_the_worst() {
        let mut worst = Worst::default();
        worst.compare_all([4.0, -8.0], [4.0, -8.5]);
        assert_eq!(worst.share(), 0.0625);
        worst.compare(0.0, f32::NAN);
        assert_eq!(worst.share(), f64::INFINITY);
    }
}
