//! Comparison within a tolerance, with a message that names the element.

use std::fmt::Display;

use sinew_kernels::Matrix;

/// Compares numbers with expected ones and records the largest error.
#[derive(Debug)]
pub struct Tolerance {
    what: String,
    max_ratio: f64,
    max_error: f64,
}

impl Tolerance {
    /// `what` begins every message.
    #[must_use]
    pub fn new(what: impl Display) -> Self {
        Self { what: what.to_string(), max_ratio: 0.0, max_error: 0.0 }
    }

    /// Checks that `found` differs from `expected` by at most `allowed`.
    ///
    /// # Panics
    ///
    /// When it differs more, or is NaN.
    #[track_caller]
    pub fn close(&mut self, element: impl Display, expected: f64, found: f32, allowed: f64) {
        let error = (f64::from(found) - expected).abs();
        assert!(
            error <= allowed,
            "{}: {element}: expected {expected:?}, found {found:?}: {error:e} apart, {allowed:e} allowed",
            self.what
        );
        self.max_error = self.max_error.max(error);
        if allowed > 0.0 {
            self.max_ratio = self.max_ratio.max(error / allowed);
        }
    }

    /// [`close`](Self::close) for each component.
    ///
    /// # Panics
    ///
    /// When one differs more, or is NaN.
    #[track_caller]
    pub fn all_close<const N: usize>(
        &mut self,
        element: impl Display,
        expected: [f64; N],
        found: [f32; N],
        allowed: f64,
    ) {
        for (i, (expected, found)) in expected.into_iter().zip(found).enumerate() {
            self.close(format_args!("{element} [{i}]"), expected, found, allowed);
        }
    }

    /// [`close`](Self::close) for each element of a matrix, each with its own tolerance.
    ///
    /// # Panics
    ///
    /// When one differs more, or is NaN.
    #[track_caller]
    pub fn matrix_close(
        &mut self,
        element: impl Display,
        expected: &[[f64; 4]; 3],
        found: &Matrix,
        allowed: impl Fn(usize, usize) -> f64,
    ) {
        for (r, (expected, found)) in expected.iter().zip(found.rows).enumerate() {
            for (c, (expected, found)) in expected.iter().zip(found).enumerate() {
                self.close(format_args!("{element} [{r}][{c}]"), *expected, found, allowed(r, c));
            }
        }
    }

    /// [`all_close`](Self::all_close) for a unit quaternion of either sign.
    ///
    /// # Panics
    ///
    /// When a component differs more, or is NaN.
    #[track_caller]
    pub fn same_rotation(
        &mut self,
        element: impl Display,
        expected: [f64; 4],
        found: [f32; 4],
        allowed: f64,
    ) {
        let dot: f64 = expected.iter().zip(found).map(|(a, b)| a * f64::from(b)).sum();
        let sign = if dot < 0.0 { -1.0 } else { 1.0 };
        self.all_close(element, expected.map(|c| c * sign), found, allowed);
    }

    /// Prints how much of the tolerance was used; shown with `--nocapture`.
    pub fn report(&self) {
        let Self { what, max_ratio, max_error } = self;
        eprintln!("{what}: largest error {max_error:.2e}, {:.0} % of what is allowed", max_ratio * 100.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tolerance_is_inclusive() {
        Tolerance::new("numbers").close("it", 1.0, 1.5, 0.5);
        Tolerance::new("rotation").same_rotation("it", [0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, -1.0], 0.0);
    }

    #[test]
    #[should_panic(expected = "numbers: it [1]: expected 2.0, found 3.0: 1e0 apart, 5e-1 allowed")]
    fn a_number_outside_the_tolerance_is_named() {
        Tolerance::new("numbers").all_close("it", [1.0, 2.0], [1.0, 3.0], 0.5);
    }

    #[test]
    #[should_panic(expected = "found NaN")]
    fn nan_is_never_close() {
        Tolerance::new("numbers").close("it", 1.0, f32::NAN, f64::MAX);
    }
}
