//! Interpolation between two arrays of joints: rotations by nlerp or slerp, translations and scales
//! by lerp.

use crate::lanes::Lanes;
use crate::lanes::quads::{Quads, gather, scatter};
use crate::{BLOCK, Joint, Scale};

/// Interpolation factors, from 0 (`from`) to 1 (`to`).
#[derive(Clone, Copy, Debug)]
pub enum Factor<'a> {
    /// The same for every joint.
    All(f32),
    /// One for each joint.
    Each(&'a [f32]),
}

/// `joints[i]` is interpolated between `from[i]` and `to[i]`. All slices have the same length.
///
/// Rotations are unit quaternions and take the shorter arc. The results at 0 and 1 are exactly the
/// inputs, except for the sign of `to`'s rotation and the rounding of its length. Half a turn
/// apart, both arcs are equally short and one is taken.
#[derive(Debug)]
pub struct Interpolate<'a> {
    /// The joints at factor 0.
    pub from: &'a [Joint],
    /// The joints at factor 1.
    pub to: &'a [Joint],
    /// The interpolation factors.
    pub factor: Factor<'a>,
    /// Output.
    pub joints: &'a mut [Joint],
    /// The scales, if any.
    pub scales: Option<InterpolateScales<'a>>,
}

/// `scales[i]` is interpolated between `from[i]` and `to[i]`. As many as there are joints.
#[derive(Debug)]
pub struct InterpolateScales<'a> {
    /// The scales at factor 0.
    pub from: &'a [Scale],
    /// The scales at factor 1.
    pub to: &'a [Scale],
    /// Output.
    pub scales: &'a mut [Scale],
}

#[inline(always)]
pub(crate) fn nlerp<L: Lanes>(token: L::Token, contract: &mut Interpolate<'_>) {
    body::<L, Nlerp>(token, contract);
}

#[inline(always)]
pub(crate) fn slerp<L: Lanes>(token: L::Token, contract: &mut Interpolate<'_>) {
    body::<L, Slerp>(token, contract);
}

#[inline(always)]
fn body<L: Lanes, W: RotationInterpolation>(token: L::Token, contract: &mut Interpolate<'_>) {
    let Interpolate { from, to, factor, joints, scales } = contract;
    let len = joints.len();
    assert!(from.len() == len && to.len() == len, "as many joints in `from` and `to` as to write");
    if let Factor::Each(factors) = factor {
        assert!(factors.len() == len, "as many factors as joints");
    }
    if let Some(InterpolateScales { from, to, scales }) = scales {
        assert!(scales.len() == len, "as many scales as joints");
        assert!(from.len() == len && to.len() == len, "as many scales in `from` and `to` as to write");
    }
    let (from_blocks, from_tail) = from.as_chunks::<BLOCK>();
    let (to_blocks, to_tail) = to.as_chunks::<BLOCK>();
    let (joint_blocks, joint_tail) = joints.as_chunks_mut::<BLOCK>();
    for (b, joints) in joint_blocks.iter_mut().enumerate() {
        let (Some(from), Some(to)) = (from_blocks.get(b), to_blocks.get(b)) else { break };
        let factors = factors_from(*factor, b * BLOCK);
        interpolate_rotations::<L, W, _>(token, from, to, &factors, joints);
        lerp::<L, _>(token, from, to, 1, &factors, joints);
    }
    let factors = factors_from(*factor, len - joint_tail.len());
    interpolate_rotations::<L, W, _>(token, from_tail, to_tail, &factors, joint_tail);
    lerp::<L, _>(token, from_tail, to_tail, 1, &factors, joint_tail);

    let Some(InterpolateScales { from, to, scales }) = scales else { return };
    let (from_blocks, from_tail) = from.as_chunks::<BLOCK>();
    let (to_blocks, to_tail) = to.as_chunks::<BLOCK>();
    let (scale_blocks, scale_tail) = scales.as_chunks_mut::<BLOCK>();
    for (b, scales) in scale_blocks.iter_mut().enumerate() {
        let (Some(from), Some(to)) = (from_blocks.get(b), to_blocks.get(b)) else { break };
        lerp::<L, _>(token, from, to, 0, &factors_from(*factor, b * BLOCK), scales);
    }
    lerp::<L, _>(token, from_tail, to_tail, 0, &factors_from(*factor, len - scale_tail.len()), scale_tail);
}

/// The factors of a block of joints; zero past the end.
#[inline(always)]
pub(super) fn factors_from(factor: Factor<'_>, first: usize) -> [f32; BLOCK] {
    match factor {
        Factor::All(factor) => [factor; BLOCK],
        Factor::Each(factors) => {
            let rest = factors.get(first..).unwrap_or_default();
            if let Some(block) = rest.first_chunk() {
                return *block;
            }
            let factor = |i: usize| rest.get(i).copied().unwrap_or_default();
            [factor(0), factor(1), factor(2), factor(3), factor(4), factor(5), factor(6), factor(7)]
        }
    }
}

/// Interpolates up to a block of rotations, the first quad of each element.
#[inline(always)]
pub(super) fn interpolate_rotations<L: Lanes, W: RotationInterpolation, T: Quads>(
    token: L::Token,
    from: &[T],
    to: &[T],
    factors: &[f32; BLOCK],
    results: &mut [T],
) {
    for group in 0..L::GROUPS {
        let a = gather::<L, _>(token, from, 0, group);
        let b = gather::<L, _>(token, to, 0, group);
        // `b` and `-b` are the same rotation; the one on `a`'s side is on the shorter arc.
        let away = dot(a, b).lt(L::splat(token, 0.0));
        let b = [
            L::negate_where(away, b[0]),
            L::negate_where(away, b[1]),
            L::negate_where(away, b[2]),
            L::negate_where(away, b[3]),
        ];
        scatter(W::interpolate(token, a, b, L::load(token, factors, group)), results, 0, group);
    }
}

/// Interpolates up to a block of quads linearly: exact at both ends.
#[inline(always)]
fn lerp<L: Lanes, T: Quads>(
    token: L::Token,
    from: &[T],
    to: &[T],
    quad: usize,
    factors: &[f32; BLOCK],
    results: &mut [T],
) {
    let one = L::splat(token, 1.0);
    for first in 0..BLOCK / L::QUADS {
        let element = |i: usize| first * L::QUADS + i;
        let a = L::load_quads(token, |i| from.get(element(i)).unwrap_or(T::PADDING).quad(quad));
        let b = L::load_quads(token, |i| to.get(element(i)).unwrap_or(T::PADDING).quad(quad));
        let factor = L::splat_quads(token, |i| factors[element(i)]);
        let result = factor.mul_add(b, (one - factor) * a);
        for i in 0..L::QUADS {
            if let Some(to) = results.get_mut(element(i)) {
                result.store_quad(i, to.quad_mut(quad));
            }
        }
    }
}

/// Interpolation between two unit quaternions of the same hemisphere.
pub(super) trait RotationInterpolation {
    /// The quaternion at `factor` between `a` and `b`.
    fn interpolate<L: Lanes>(token: L::Token, a: [L; 4], b: [L; 4], factor: L) -> [L; 4];
}

/// Normalized linear interpolation: along the chord, then normalized.
struct Nlerp;

impl RotationInterpolation for Nlerp {
    #[inline(always)]
    fn interpolate<L: Lanes>(token: L::Token, a: [L; 4], b: [L; 4], factor: L) -> [L; 4] {
        let q = weighted_sum(a, L::splat(token, 1.0) - factor, b, factor);
        let inverse = dot(q, q).rsqrt(token);
        [q[0] * inverse, q[1] * inverse, q[2] * inverse, q[3] * inverse]
    }
}

/// Spherical linear interpolation, along the arc.
///
/// The weights are sin((1-t)w) / sin(w) and sin(t w) / sin(w), with w the angle between the
/// quaternions, at most a quarter turn. With sin(x) = x S(x^2) they become (1-t) S((1-t)^2 w^2) /
/// S(w^2) and t S(t^2 w^2) / S(w^2), which need only w^2 and never divide by a small number,
/// however near the quaternions are. And w^2 is a polynomial in the squared chord, which, unlike
/// the dot product, is accurate for near rotations.
pub(super) struct Slerp;

impl RotationInterpolation for Slerp {
    #[inline(always)]
    fn interpolate<L: Lanes>(token: L::Token, a: [L; 4], b: [L; 4], factor: L) -> [L; 4] {
        let one = L::splat(token, 1.0);
        let chord = [b[0] - a[0], b[1] - a[1], b[2] - a[2], b[3] - a[3]];
        let chord_squared = dot(chord, chord);
        // The chord is 2 sin(w / 2).
        let sine_squared = L::splat(token, 0.25) * chord_squared;
        let angle_squared = chord_squared * polynomial(token, sine_squared, &ARCSINE_SQUARED);
        let rest = one - factor;
        let inverse_sine = one / polynomial(token, angle_squared, &SINE);
        let from = slerp_weight(token, rest, angle_squared, inverse_sine);
        let to = slerp_weight(token, factor, angle_squared, inverse_sine);
        weighted_sum(a, from, b, to)
    }
}

/// `part * S(part^2 w^2) / S(w^2)`.
#[inline(always)]
fn slerp_weight<L: Lanes>(token: L::Token, part: L, angle_squared: L, inverse_sine: L) -> L {
    part * (polynomial(token, (part * part) * angle_squared, &SINE) * inverse_sine)
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

#[inline(always)]
fn weighted_sum<L: Lanes>(a: [L; 4], weight_a: L, b: [L; 4], weight_b: L) -> [L; 4] {
    [
        weight_b.mul_add(b[0], weight_a * a[0]),
        weight_b.mul_add(b[1], weight_a * a[1]),
        weight_b.mul_add(b[2], weight_a * a[2]),
        weight_b.mul_add(b[3], weight_a * a[3]),
    ]
}

#[inline(always)]
fn dot<L: Lanes>(a: [L; 4], b: [L; 4]) -> L {
    a[0].mul_add(b[0], a[1].mul_add(b[1], a[2].mul_add(b[2], a[3] * b[3])))
}
