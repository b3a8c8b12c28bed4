//! Rotations along the arc that are kept as stored, not quite of length one.
//!
//! As glTF defines it: the angle between two keys is the one whose cosine their dot product is, whatever their length. Rare,
//! so one at a time, in `f64`; only exactly rounded operations: the same bits everywhere.

/// Nearer to each other than this, two rotations have no arc between them that rounding did not give them.
const NEAR: f64 = 1e-12;

/// `factor` of the way from one rotation to another, the shortest way. At the ends it is the key itself.
pub(super) fn between(from: [f32; 4], to: [f32; 4], factor: f32) -> [f32; 4] {
    if factor == 0.0 {
        return from;
    }
    let (a, mut b, t) = (from.map(f64::from), to.map(f64::from), f64::from(factor));
    let mut cosine = (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3]);
    if cosine < 0.0 {
        b = b.map(|element| -element);
        cosine = -cosine;
    }
    if cosine > 1.0 - NEAR {
        return along_the_chord(a, b, t);
    }
    let angle_squared = arcsine_squared(0.5 * (1.0 - cosine)) * 4.0;
    let over = 1.0 / sine_over_angle(angle_squared);
    let share = |part: f64| part * sine_over_angle(part * part * angle_squared) * over;
    let (from, to) = (share(1.0 - t), share(t));
    [0, 1, 2, 3].map(|i| (from * a[i] + to * b[i]) as f32)
}

fn along_the_chord(a: [f64; 4], b: [f64; 4], t: f64) -> [f32; 4] {
    let q = [0, 1, 2, 3].map(|i| a[i] + (b[i] - a[i]) * t);
    let length = ((q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3])).sqrt();
    q.map(|element| (element / length) as f32)
}

/// The square of the angle, at most an eighth of a turn, whose sine has this square, at most a half.
pub(crate) fn arcsine_squared(sine_squared: f64) -> f64 {
    // Each term is less than half of the one before: after fifty nothing is left to add.
    let mut term = sine_squared;
    sum_of_falling_terms(sine_squared, 50, |n| {
        term *= 2.0 * sine_squared * n * n / ((n + 1.0) * (2.0 * n + 1.0));
        term
    })
}

/// sin(x) / x of an angle given by its square, at most a quarter of a turn.
fn sine_over_angle(squared: f64) -> f64 {
    let mut term = 1.0;
    sum_of_falling_terms(1.0, 12, |n| {
        term *= -squared / (2.0 * n * (2.0 * n + 1.0));
        term
    })
}

/// The first number and the terms from one on, each smaller than the one before. Ends with the
/// first that changes nothing: so that none becomes subnormal, which is slow.
fn sum_of_falling_terms(first: f64, end: u32, mut term: impl FnMut(f64) -> f64) -> f64 {
    let mut sum = first;
    for n in 1..end {
        let next = sum + term(f64::from(n));
        if next == sum {
            break;
        }
        sum = next;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn series_are_sines_and_arcsines() {
        for step in 0..=100 {
            let angle = std::f64::consts::FRAC_PI_4 * f64::from(step) / 100.0;
            assert!((arcsine_squared(angle.sin().powi(2)) - angle * angle).abs() < 1e-14, "{angle}");
            let wide = 2.0 * angle;
            let expected = if step == 0 { 1.0 } else { wide.sin() / wide };
            assert!((sine_over_angle(wide * wide) - expected).abs() < 1e-14, "{angle}");
        }
    }

    #[test]
    fn the_angle_is_that_of_the_dot_product_whatever_the_length() {
        let (a, b) = ([0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.707, 0.707]);
        for step in 0..=8 {
            let t = f64::from(step) / 8.0;
            let angle = 0.707_f32 as f64;
            let angle = angle.acos();
            let share = |part: f64| (part * angle).sin() / angle.sin();
            let found = between(a, b, t as f32);
            let expected =
                [0, 1, 2, 3].map(|i| share(1.0 - t) * f64::from(a[i]) + share(t) * f64::from(b[i]));
            for (found, expected) in found.iter().zip(expected) {
                assert!((f64::from(*found) - expected).abs() < 1e-7, "{t}");
            }
            let turned = between(a, b.map(|element: f32| -element), t as f32);
            assert_eq!(turned, found);
        }
        let long = [0.0, 0.0, 0.0, 1.001];
        assert_eq!(between(long, long, 0.5), [0.0, 0.0, 0.0, 1.0]);
        assert_eq!(between(long, long, 0.0), long);
    }
}
