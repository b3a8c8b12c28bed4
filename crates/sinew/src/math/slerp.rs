//! Spherical interpolation of rotations that are kept as stored, which may be slightly off unit
//! length.
//!
//! Follows glTF: the cosine of the angle between two keys is their dot product, whatever their
//! length. Such keys are rare, so they are interpolated one at a time in `f64`, with exactly
//! rounded operations only: the same bits on every machine.

/// Rotations whose cosine is closer to one than this are interpolated linearly, because rounding
/// errors dominate the angle between them.
const NEAR: f64 = 1e-12;

/// Interpolates along the shorter arc. Factor zero returns `from` unchanged.
pub(crate) fn slerp_as_stored(from: [f32; 4], to: [f32; 4], factor: f32) -> [f32; 4] {
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
        return nlerp(a, b, t);
    }
    let angle_squared = arcsine_squared(0.5 * (1.0 - cosine)) * 4.0;
    let over = 1.0 / sine_over_angle(angle_squared);
    let scale = |part: f64| part * sine_over_angle(part * part * angle_squared) * over;
    let (from, to) = (scale(1.0 - t), scale(t));
    [0, 1, 2, 3].map(|i| (from * a[i] + to * b[i]) as f32)
}

/// The square of the angle between two unit quaternions, from 0 to (pi/2)^2, and whether the second
/// must be negated to be on the shorter arc. From the chord, which unlike the dot product is
/// accurate for near rotations.
pub(crate) fn angle_squared(a: [f32; 4], b: [f32; 4]) -> (f64, bool) {
    let (a, b) = (a.map(f64::from), b.map(f64::from));
    let away = (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3]) < 0.0;
    let difference = [0, 1, 2, 3].map(|i| if away { a[i] + b[i] } else { a[i] - b[i] });
    let [x, y, z, w] = difference.map(|element| element * element);
    // The chord is twice the sine of half the angle.
    let sine_squared = 0.25 * ((x + y) + (z + w));
    (4.0 * arcsine_squared(sine_squared.min(0.5)), away)
}

/// Interpolates unit quaternions along the shorter arc. Factor zero returns `a` unchanged.
pub(crate) fn slerp_unit(a: [f32; 4], b: [f32; 4], factor: f64) -> [f32; 4] {
    let (squared, away) = angle_squared(a, b);
    let over = 1.0 / sine_over_angle(squared);
    let weight = |part: f64| part * sine_over_angle(part * part * squared) * over;
    let (from, to) = (weight(1.0 - factor), if away { -weight(factor) } else { weight(factor) });
    [0, 1, 2, 3].map(|i| (from * f64::from(a[i]) + to * f64::from(b[i])) as f32)
}

fn nlerp(a: [f64; 4], b: [f64; 4], t: f64) -> [f32; 4] {
    let q = [0, 1, 2, 3].map(|i| a[i] + (b[i] - a[i]) * t);
    let length = ((q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3])).sqrt();
    q.map(|element| (element / length) as f32)
}

/// The square of the angle whose sine has this square. The angle is at most an eighth of a turn, so
/// `sine_squared` is at most 0.5.
pub(crate) fn arcsine_squared(sine_squared: f64) -> f64 {
    // Each term is less than half of the previous one, so fifty terms exhaust the precision.
    let mut term = sine_squared;
    sum_series(sine_squared, 50, |n| {
        term *= 2.0 * sine_squared * n * n / ((n + 1.0) * (2.0 * n + 1.0));
        term
    })
}

/// sin(x) / x, given the square of x. The angle x is at most a quarter turn.
fn sine_over_angle(squared: f64) -> f64 {
    let mut term = 1.0;
    sum_series(1.0, 12, |n| {
        term *= -squared / (2.0 * n * (2.0 * n + 1.0));
        term
    })
}

/// Sums `first` and the terms 1 to `end - 1`, each smaller than the previous one. Stops at the
/// first term that does not change the sum, so that no term becomes subnormal, which is slow.
fn sum_series(first: f64, end: u32, mut term: impl FnMut(f64) -> f64) -> f64 {
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
    fn series_match_sine_and_arcsine() {
        for step in 0..=100 {
            let angle = std::f64::consts::FRAC_PI_4 * f64::from(step) / 100.0;
            assert!((arcsine_squared(angle.sin().powi(2)) - angle * angle).abs() < 1e-14, "{angle}");
            let doubled = 2.0 * angle;
            let expected = if step == 0 { 1.0 } else { doubled.sin() / doubled };
            assert!((sine_over_angle(doubled * doubled) - expected).abs() < 1e-14, "{angle}");
        }
    }

    #[test]
    fn the_angle_is_that_of_the_dot_product_at_any_length() {
        let (a, b) = ([0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.707, 0.707]);
        for step in 0..=8 {
            let t = f64::from(step) / 8.0;
            let angle = 0.707_f32 as f64;
            let angle = angle.acos();
            let scale = |part: f64| (part * angle).sin() / angle.sin();
            let found = slerp_as_stored(a, b, t as f32);
            let expected =
                [0, 1, 2, 3].map(|i| scale(1.0 - t) * f64::from(a[i]) + scale(t) * f64::from(b[i]));
            for (found, expected) in found.iter().zip(expected) {
                assert!((f64::from(*found) - expected).abs() < 1e-7, "{t}");
            }
            let negated = slerp_as_stored(a, b.map(|element: f32| -element), t as f32);
            assert_eq!(negated, found);
        }
        let long = [0.0, 0.0, 0.0, 1.001];
        assert_eq!(slerp_as_stored(long, long, 0.5), [0.0, 0.0, 0.0, 1.0]);
        assert_eq!(slerp_as_stored(long, long, 0.0), long);
    }
}
