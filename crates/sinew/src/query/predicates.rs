//! Exact orientation predicate: the side of a line on which the origin lies.
//!
//! Two triangles that share an edge get the same value for it with opposite signs, so no ray passes
//! between them.

/// A point in the plane perpendicular to the ray; the ray passes through the origin.
pub(super) type Point2 = [f64; 2];

/// If the difference of two products exceeds this fraction of their magnitudes, its sign is exact.
const ERROR_BOUND: f64 = 4.0 * f64::EPSILON;

/// Twice the signed area of the triangle formed by the origin and two points:
/// `p.x * q.y - p.y * q.x`. The sign is exact, including zero. NaN if a coordinate is NaN.
#[inline]
pub(super) fn signed_area(p: Point2, q: Point2) -> f64 {
    let area = ApproximateArea::new(p, q);
    if area.is_positive() | area.is_negative() { area.value } else { exact_signed_area(p, q) }
}

/// A [`signed_area`] with rounding errors, and a bound of them.
#[derive(Clone, Copy)]
pub(super) struct ApproximateArea {
    value: f64,
    error: f64,
}

impl ApproximateArea {
    #[inline(always)]
    pub(super) fn new(p: Point2, q: Point2) -> Self {
        let (a, b) = (p[0] * q[1], p[1] * q[0]);
        Self { value: a - b, error: ERROR_BOUND * (a.abs() + b.abs()) }
    }

    /// Whether the exact area is positive for certain.
    #[inline(always)]
    pub(super) fn is_positive(self) -> bool {
        self.value > self.error
    }

    /// Whether the exact area is negative for certain.
    #[inline(always)]
    pub(super) fn is_negative(self) -> bool {
        self.value < -self.error
    }
}

/// The signed area if both products are nearly equal: their difference is exact, and the rounding
/// errors of the products are added to it.
#[cold]
fn exact_signed_area(p: Point2, q: Point2) -> f64 {
    let (a, b) = (p[0] * q[1], p[1] * q[0]);
    let (error_a, error_b) = (product_error(p[0], q[1], a), product_error(p[1], q[0], b));
    let error = error_a - error_b;
    let sum = (a - b) + error;
    if sum == 0.0 { difference_error(error_a, error_b, error) } else { sum }
}

/// The exact product of `x` and `y` minus the rounded one (Veltkamp and Dekker).
fn product_error(x: f64, y: f64, product: f64) -> f64 {
    let ((x, dx), (y, dy)) = (split_bits(x), split_bits(y));
    ((x * y - product) + x * dy + dx * y) + dx * dy
}

/// Splits a number into a sum of two with half as many bits.
fn split_bits(x: f64) -> (f64, f64) {
    let scaled = 134_217_729.0 * x; // 2^27 + 1.
    let high = scaled - (scaled - x);
    (high, x - high)
}

/// The exact difference of `a` and `b` minus the rounded one (Knuth).
fn difference_error(a: f64, b: f64, difference: f64) -> f64 {
    let virtual_b = a - difference;
    let virtual_a = difference + virtual_b;
    (a - virtual_a) + (virtual_b - b)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The exact value for integers.
    fn integer_area(p: [i64; 2], q: [i64; 2]) -> i128 {
        i128::from(p[0]) * i128::from(q[1]) - i128::from(p[1]) * i128::from(q[0])
    }

    #[test]
    fn signs_match_integer_arithmetic() {
        let mut state = 1_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 12) as i64 - (1 << 51)
        };
        for _ in 0..2000 {
            let p = [next(), next()];
            // Collinear or nearly collinear with `p`.
            for (dx, dy) in [(0, 0), (1, 0), (0, 1), (-1, 1), (3, 3)] {
                let q = [p[0] / 2 * 3 + dx, p[1] / 2 * 3 + dy];
                let found = signed_area(p.map(|x| x as f64), q.map(|x| x as f64));
                let expected = integer_area(p, q);
                assert_eq!(found.partial_cmp(&0.0), Some(expected.cmp(&0)), "{p:?} {q:?}");
                assert_eq!(signed_area(q.map(|x| x as f64), p.map(|x| x as f64)), -found);
            }
        }
    }

    #[test]
    fn nan_coordinates_give_nan() {
        assert!(signed_area([f64::NAN, 1.0], [1.0, 1.0]).is_nan());
        assert!(signed_area([0.0, 1.0], [1.0, f64::NAN]).is_nan());
    }
}
