//! Numbers too small to matter become zero where clips, meshes and skeletons are built.
//!
//! Files have keys of 1e-25 and 1e-34 where an exporter's arithmetic left something of a zero.
//! Products of such numbers are subnormal, and a processor takes up to a hundred times as long for
//! those. `docs/numerics.md` states the rule.

use crate::{Matrix, Transform};

/// Lengths, scales and weights below this are zero: 2^-60, some 1e-18 metres.
const SMALLEST: f32 = 1.0 / (1_u64 << 60) as f32;

/// Of what has length one, components below this are zero: 2^-30, a thirtieth of what the rounding
/// of a number near one loses. A product of four of them is still normal.
const SMALLEST_OF_UNIT: f32 = 1.0 / (1_u64 << 30) as f32;

/// A length, a scale or a weight.
pub(crate) fn number(number: f32) -> f32 {
    above(SMALLEST, number)
}

/// Whether a share of one is large enough to count.
pub(crate) fn counts(share: f64) -> bool {
    share >= f64::from(SMALLEST)
}

/// A translation, a position or a direction.
pub(crate) fn vector<const N: usize>(vector: [f32; N]) -> [f32; N] {
    vector.map(number)
}

/// A rotation of length one, or near it.
pub(crate) fn rotation(rotation: [f32; 4]) -> [f32; 4] {
    rotation.map(|component| above(SMALLEST_OF_UNIT, component))
}

/// A joint's transform, whose rotation has length one.
pub(crate) fn transform(transform: Transform) -> Transform {
    let Transform { rotation: turn, translation, scale } = transform;
    Transform { rotation: rotation(turn), translation: vector(translation), scale: vector(scale) }
}

/// An inverse bind: the first three elements of each row against the largest of them, because a
/// joint's scale scales the rows of its inverse; the fourth as a length.
pub(crate) fn inverse_bind(matrix: Matrix) -> Matrix {
    let row = |[x, y, z, moved]: [f32; 4]| {
        let largest = x.abs().max(y.abs()).max(z.abs());
        let smallest = (largest * SMALLEST_OF_UNIT).max(SMALLEST);
        [above(smallest, x), above(smallest, y), above(smallest, z), number(moved)]
    };
    Matrix { rows: matrix.rows.map(row) }
}

/// The number, or zero where it is below `smallest`.
fn above(smallest: f32, number: f32) -> f32 {
    if number.abs() < smallest { 0.0 } else { number }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_small_for_its_kind_becomes_zero_and_nothing_else_changes() {
        assert_eq!(vector([1e-19, -1e-19, 1e-18]), [0.0, 0.0, 1e-18]);
        assert_eq!(rotation([9e-10, -9e-10, 1e-9, -1.0]), [0.0, 0.0, 1e-9, -1.0]);
        assert_eq!(number(f32::from_bits(1)), 0.0);
        assert_eq!((number(f32::MAX), number(-1e-18)), (f32::MAX, -1e-18));
        assert!(counts(1e-18) && !counts(8e-19) && !counts(f64::NAN));
    }

    #[test]
    fn a_row_of_an_inverse_bind_is_measured_by_its_largest_element() {
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
        // Of a joint that is flat but for 1e-10.
        let flat = Matrix { rows: [[1.0, 0.0, 1e-9, 0.0], [0.0, 1e10, 0.0, 1.0], [1e-9, 0.0, 1.0, 0.0]] };
        assert_eq!(inverse_bind(flat), flat);
    }
}
