//! Random tracks of clips, and their values at any time in `f64`.

use sinew_kernels::reference::{self, algebra};

use crate::random::Random;
use crate::rigs;

/// How values between two keys are interpolated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum KeyInterpolation {
    /// The earlier key.
    Step,
    /// Linear; spherical for rotations.
    Linear,
    /// glTF's cubic spline: in-tangent, value and out-tangent per key.
    Cubic,
}

impl KeyInterpolation {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Step, Self::Linear, Self::Cubic];

    /// The number of values per key.
    #[must_use]
    pub fn width(self) -> usize {
        if self == Self::Cubic { 3 } else { 1 }
    }
}

/// Increasing key times, evenly or unevenly spaced, from zero or later.
///
/// # Panics
///
/// When `keys` is zero.
pub fn times(keys: usize, random: &mut Random) -> Vec<f32> {
    assert!(keys > 0, "a track has keys");
    let even = random.once_in(2);
    let mut time = if random.once_in(2) { 0.0 } else { random.between(0.0, 2.0) };
    let mut times = vec![time];
    while times.len() < keys {
        time += if even { 1.0 / 32.0 } else { random.between(0.001, 0.4) };
        times.push(time);
    }
    times
}

/// Unit quaternions for keys, with random tangents. Some keys are near the previous one, some near
/// its negative.
pub fn rotations(keys: usize, interpolation: KeyInterpolation, random: &mut Random) -> Vec<[f32; 4]> {
    let mut values = Vec::new();
    let mut last = rigs::rotation(random);
    for _ in 0..keys {
        if !random.once_in(4) {
            let step = random.vector(0.2);
            let sign = if random.once_in(2) { -1.0 } else { 1.0 };
            let near = std::array::from_fn(|c| {
                sign * (f64::from(last[c]) + f64::from(*step.get(c).unwrap_or(&0.0)))
            });
            last = rigs::unit(near);
        } else {
            last = rigs::rotation(random);
        }
        let mut tangent = || [0; 4].map(|_| random.between(-2.0, 2.0));
        match interpolation {
            KeyInterpolation::Cubic => values.extend([tangent(), last, tangent()]),
            _ => values.push(last),
        }
    }
    values
}

/// The span of a time: the keys before and after it, the seconds between them, and the fraction
/// from 0 to 1.
#[must_use]
pub fn key_span(times: &[f32], seconds: f32) -> (usize, usize, f64, f64) {
    let last = times.len() - 1;
    let key = times.iter().rposition(|&time| time <= seconds).unwrap_or(0);
    if key == last || seconds < times[0] {
        return (key, key, 0.0, 0.0);
    }
    let [from, to] = [times[key], times[key + 1]].map(f64::from);
    (key, key + 1, to - from, (f64::from(seconds) - from) / (to - from))
}

/// The value of a vector track. `values` has one element per key, or three for cubic keys.
#[must_use]
pub fn vector<const N: usize>(
    times: &[f32],
    values: &[[f32; N]],
    interpolation: KeyInterpolation,
    seconds: f32,
) -> [f64; N] {
    let (key, next, distance, t) = key_span(times, seconds);
    let value = |index: usize| values[index].map(f64::from);
    match interpolation {
        KeyInterpolation::Step => value(key),
        KeyInterpolation::Linear => reference::lerp(value(key), value(next), t),
        KeyInterpolation::Cubic => {
            // As defined in glTF's appendix on interpolation.
            let (v0, b0) = (value(3 * key + 1), value(3 * key + 2));
            let (a1, v1) = (value(3 * next), value(3 * next + 1));
            std::array::from_fn(|c| {
                (2.0 * t.powi(3) - 3.0 * t.powi(2) + 1.0) * v0[c]
                    + distance * (t.powi(3) - 2.0 * t.powi(2) + t) * b0[c]
                    + (-2.0 * t.powi(3) + 3.0 * t.powi(2)) * v1[c]
                    + distance * (t.powi(3) - t.powi(2)) * a1[c]
            })
        }
    }
}

/// The value of a rotation track as a unit quaternion, and its length before normalization, which
/// tells how well it is conditioned.
#[must_use]
pub fn rotation(
    times: &[f32],
    values: &[[f32; 4]],
    interpolation: KeyInterpolation,
    seconds: f32,
) -> ([f64; 4], f64) {
    if interpolation == KeyInterpolation::Linear {
        let (key, next, _, t) = key_span(times, seconds);
        return (reference::slerp(values[key].map(f64::from), values[next].map(f64::from), t), 1.0);
    }
    let q = vector(times, values, interpolation, seconds);
    let length = algebra::length(q);
    (algebra::scaled(q, 1.0 / length), length)
}
