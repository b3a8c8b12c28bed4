//! The side of a line that the origin is on, without a rounding that could change the answer.
//!
//! Two triangles with a common edge get the same number for it with opposite signs, so no ray passes between them.

/// A point of the plane that a ray stands on, the ray at its origin.
pub(super) type Flat = [f64; 2];

/// Above this part of both products their difference has the right sign.
const CERTAIN: f64 = 4.0 * f64::EPSILON;

/// Twice the signed area of the triangle of the origin and two points: `p.x * q.y - p.y * q.x`. Its sign is that of the exact
/// number, also where that is zero. Not a number where a coordinate is not.
#[inline]
pub(super) fn area(p: Flat, q: Flat) -> f64 {
    let (a, b) = (p[0] * q[1], p[1] * q[0]);
    let difference = a - b;
    if difference.abs() > CERTAIN * (a.abs() + b.abs()) {
        return difference;
    }
    exact_area(p, q)
}

/// The products are so near each other that their difference is exact; what rounding has taken from them is added.
#[cold]
fn exact_area(p: Flat, q: Flat) -> f64 {
    let (a, b) = (p[0] * q[1], p[1] * q[0]);
    let (lost_a, lost_b) = (lost_of_product(p[0], q[1], a), lost_of_product(p[1], q[0], b));
    let lost = lost_a - lost_b;
    let sum = (a - b) + lost;
    if sum == 0.0 { lost_of_difference(lost_a, lost_b, lost) } else { sum }
}

/// The exact product of `x` and `y` less the rounded one (Veltkamp and Dekker).
fn lost_of_product(x: f64, y: f64, product: f64) -> f64 {
    let ((x, dx), (y, dy)) = (halves(x), halves(y));
    ((x * y - product) + x * dy + dx * y) + dx * dy
}

/// A number as the sum of two of half as many bits.
fn halves(x: f64) -> (f64, f64) {
    let scaled = 134_217_729.0 * x; // 2^27 + 1.
    let high = scaled - (scaled - x);
    (high, x - high)
}

/// The exact difference of `a` and `b` less the rounded one (Knuth).
fn lost_of_difference(a: f64, b: f64, difference: f64) -> f64 {
    let of_b = a - difference;
    let of_a = difference + of_b;
    (a - of_a) + (of_b - b)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Exactly, for whole numbers.
    fn by_integers(p: [i64; 2], q: [i64; 2]) -> i128 {
        i128::from(p[0]) * i128::from(q[1]) - i128::from(p[1]) * i128::from(q[0])
    }

    #[test]
    fn signs_are_those_of_whole_numbers() {
        let mut state = 1_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 12) as i64 - (1 << 51)
        };
        for _ in 0..2000 {
            let p = [next(), next()];
            // Nearly in line with it, or exactly.
            for (dx, dy) in [(0, 0), (1, 0), (0, 1), (-1, 1), (3, 3)] {
                let q = [p[0] / 2 * 3 + dx, p[1] / 2 * 3 + dy];
                let found = area(p.map(|x| x as f64), q.map(|x| x as f64));
                let expected = by_integers(p, q);
                assert_eq!(found.partial_cmp(&0.0), Some(expected.cmp(&0)), "{p:?} {q:?}");
                assert_eq!(area(q.map(|x| x as f64), p.map(|x| x as f64)), -found);
            }
        }
    }

    #[test]
    fn what_is_not_a_number_stays_so() {
        assert!(area([f64::NAN, 1.0], [1.0, 1.0]).is_nan());
        assert!(area([0.0, 1.0], [1.0, f64::NAN]).is_nan());
    }
}
