//! The weights of spherical linear interpolation.
//!
//! They are sin((1-t)w) / sin(w) and sin(t w) / sin(w), with w the angle between two quaternions,
//! at most a quarter turn. With sin(x) = x S(x^2) they become (1-t) S((1-t)^2 w^2) / S(w^2) and
//! t S(t^2 w^2) / S(w^2), which need only w^2 and never divide by a small number, however near the
//! quaternions are.

use crate::lanes::Lanes;

/// The weights of the first and the second quaternion, given the square of the angle between them.
#[inline(always)]
pub(super) fn slerp_weights<L: Lanes>(token: L::Token, factor: L, angle_squared: L) -> [L; 2] {
    let one = L::splat(token, 1.0);
    let rest = one - factor;
    let inverse_sine = one / polynomial(token, angle_squared, &SINE);
    [weight(token, rest, angle_squared, inverse_sine), weight(token, factor, angle_squared, inverse_sine)]
}

/// `part * S(part^2 w^2) / S(w^2)`.
#[inline(always)]
fn weight<L: Lanes>(token: L::Token, part: L, angle_squared: L, inverse_sine: L) -> L {
    part * (polynomial(token, (part * part) * angle_squared, &SINE) * inverse_sine)
}

/// The square of the angle between two quaternions whose dot product is not negative: a polynomial
/// in the squared chord, which, unlike the dot product, is accurate for near rotations.
#[inline(always)]
pub(super) fn angle_squared<L: Lanes>(token: L::Token, a: [L; 4], b: [L; 4]) -> L {
    let chord = [b[0] - a[0], b[1] - a[1], b[2] - a[2], b[3] - a[3]];
    let chord_squared = dot(chord, chord);
    // The chord is 2 sin(w / 2).
    let sine_squared = L::splat(token, 0.25) * chord_squared;
    chord_squared * polynomial(token, sine_squared, &ARCSINE_SQUARED)
}

#[inline(always)]
pub(super) fn dot<L: Lanes>(a: [L; 4], b: [L; 4]) -> L {
    a[0].mul_add(b[0], a[1].mul_add(b[1], a[2].mul_add(b[2], a[3] * b[3])))
}

/// asin(sqrt s)^2 / s for s in 0..=1/2, with a relative error of 4e-8; lowest coefficient first.
const ARCSINE_SQUARED: [f32; 8] = [
    0.999_999_94,
    0.333_343_27,
    0.177_380_3,
    0.120_274_23,
    0.037_772_454,
    0.227_711_62,
    -0.281_077_53,
    0.328_271_6,
];

/// sin(sqrt u) / sqrt u for u in 0..=(pi/2)^2, with a relative error of 6e-9; lowest coefficient
/// first.
const SINE: [f32; 5] = [1.0, -0.166_666_57, 0.008_333_025, -0.000_198_073_51, 2.601_749_7e-6];

/// Horner's rule.
#[inline(always)]
fn polynomial<L: Lanes, const N: usize>(token: L::Token, x: L, coefficients: &[f32; N]) -> L {
    let mut sum = L::splat(token, coefficients[N - 1]);
    let mut i = N - 1;
    while i > 0 {
        i -= 1;
        sum = sum.mul_add(x, L::splat(token, coefficients[i]));
    }
    sum
}
