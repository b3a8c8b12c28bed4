//! Flushing of insignificant numbers to zero when clips, meshes and skeletons are built.
//!
//! Files contain keys such as 1e-25 and 1e-34, which are rounding errors of an exporter around
//! zero. Products of such numbers are subnormal, and a CPU takes up to a hundred times longer for
//! subnormals. `docs/numerics.md` states the rule.

use sinew_kernels::Matrix;

/// The smallest length, scale or weight that is kept: 2^-60, about 1e-18 meters.
const MIN_MAGNITUDE: f32 = 1.0 / (1_u64 << 60) as f32;

/// The smallest component of a unit quaternion that is kept: 2^-30, which is 1/32 of the rounding
/// error of a number near one. A product of four such components is still a normal number.
const MIN_UNIT_COMPONENT: f32 = 1.0 / (1_u64 << 30) as f32;

/// Flushes a length, scale or weight.
pub(crate) fn scalar(number: f32) -> f32 {
    flush_below(MIN_MAGNITUDE, number)
}

/// Whether a weight, as a fraction of the sum of weights, is large enough to keep.
pub(crate) fn is_significant_weight(fraction: f64) -> bool {
    fraction >= f64::from(MIN_MAGNITUDE)
}

/// Flushes a translation, position or direction.
#[inline]
pub(crate) fn vector<const N: usize>(vector: [f32; N]) -> [f32; N] {
    flush_all_below(MIN_MAGNITUDE, vector)
}

/// Flushes a quaternion whose length is about one.
#[inline]
pub(crate) fn rotation(rotation: [f32; 4]) -> [f32; 4] {
    flush_all_below(MIN_UNIT_COMPONENT, rotation)
}

/// Flushes an inverse bind matrix. The first three elements of a row are compared with the largest
/// of them, because a joint's scale scales the rows of its inverse. The fourth element is a length.
pub(crate) fn inverse_bind(matrix: Matrix) -> Matrix {
    let row = |[x, y, z, translation]: [f32; 4]| {
        let largest = x.abs().max(y.abs()).max(z.abs());
        let threshold = (largest * MIN_UNIT_COMPONENT).max(MIN_MAGNITUDE);
        [flush_below(threshold, x), flush_below(threshold, y), flush_below(threshold, z), scalar(translation)]
    };
    Matrix { rows: matrix.rows.map(row) }
}

/// A loop, because `map` of arrays is not inlined: clips have many keys.
#[inline(always)]
fn flush_all_below<const N: usize>(threshold: f32, mut numbers: [f32; N]) -> [f32; N] {
    for number in &mut numbers {
        *number = flush_below(threshold, *number);
    }
    numbers
}

/// Returns `number`, or zero if its magnitude is below `threshold`.
fn flush_below(threshold: f32, number: f32) -> f32 {
    if number.abs() < threshold { 0.0 } else { number }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_insignificant_numbers_become_zero() {
        assert_eq!(vector([1e-19, -1e-19, 1e-18]), [0.0, 0.0, 1e-18]);
        assert_eq!(rotation([9e-10, -9e-10, 1e-9, -1.0]), [0.0, 0.0, 1e-9, -1.0]);
        assert_eq!(scalar(f32::from_bits(1)), 0.0);
        assert_eq!((scalar(f32::MAX), scalar(-1e-18)), (f32::MAX, -1e-18));
        assert!(
            is_significant_weight(1e-18) && !is_significant_weight(8e-19) && !is_significant_weight(f64::NAN)
        );
    }

    #[test]
    fn inverse_bind_rows_are_flushed_relative_to_their_largest_element() {
        let scaled = |factor: f32| Matrix {
            rows: [
                [factor, factor * 1e-10, 0.0, 1e-19],
                [factor * -1e-10, factor, factor * 1e-9, 1e-18],
                [0.0, factor * 1e-30, factor, 5.0],
            ],
        };
        for factor in [1.0_f32, 0.01, 1e6] {
            let expected =
                [[factor, 0.0, 0.0, 0.0], [0.0, factor, factor * 1e-9, 1e-18], [0.0, 0.0, factor, 5.0]];
            assert_eq!(inverse_bind(scaled(factor)).rows, expected);
        }
        assert_eq!(inverse_bind(Matrix { rows: [[1e-30; 4]; 3] }), Matrix { rows: [[0.0; 4]; 3] });
        // The inverse bind of a joint whose scale along y is 1e-10.
        let flat = Matrix { rows: [[1.0, 0.0, 1e-9, 0.0], [0.0, 1e10, 0.0, 1.0], [1e-9, 0.0, 1.0, 0.0]] };
        assert_eq!(inverse_bind(flat), flat);
    }
}
