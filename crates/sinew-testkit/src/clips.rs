//! Random tracks of clips, and their values at any time in plain `f64`.

use sinew_kernels::reference::{self, algebra};

use crate::random::Random;
use crate::rigs;

/// What lies between two keys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Between {
    /// The earlier key.
    Step,
    /// The line, or for rotations the arc.
    Linear,
    /// glTF's cubic spline: slope in, value, slope out for each key.
    Cubic,
}

impl Between {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Step, Self::Linear, Self::Cubic];

    /// Values for each key.
    #[must_use]
    pub fn width(self) -> usize {
        if self == Self::Cubic { 3 } else { 1 }
    }
}

/// As many times, each after the one before it: even or uneven, from zero or later.
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

/// Quaternions for keys: of length one, and slopes of any kind. Some keys are near the one before, some nearly its opposite.
pub fn rotations(keys: usize, between: Between, random: &mut Random) -> Vec<[f32; 4]> {
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
        let mut slope = || [0; 4].map(|_| random.between(-2.0, 2.0));
        match between {
            Between::Cubic => values.extend([slope(), last, slope()]),
            _ => values.push(last),
        }
    }
    values
}

/// Where a time lies: the keys before and after it, the seconds between them, and how far it has come.
#[must_use]
pub fn place(times: &[f32], seconds: f32) -> (usize, usize, f64, f64) {
    let last = times.len() - 1;
    let key = times.iter().rposition(|&time| time <= seconds).unwrap_or(0);
    if key == last || seconds < times[0] {
        return (key, key, 0.0, 0.0);
    }
    let [from, to] = [times[key], times[key + 1]].map(f64::from);
    (key, key + 1, to - from, (f64::from(seconds) - from) / (to - from))
}

/// A vector of any size at a time; `values` are as many as times, or three times as many for cubic keys.
#[must_use]
pub fn vector<const N: usize>(
    times: &[f32],
    values: &[[f32; N]],
    between: Between,
    seconds: f32,
) -> [f64; N] {
    let (key, next, distance, t) = place(times, seconds);
    let value = |index: usize| values[index].map(f64::from);
    match between {
        Between::Step => value(key),
        Between::Linear => reference::lerp(value(key), value(next), t),
        Between::Cubic => {
            // The definition in glTF's appendix on interpolation.
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

/// A rotation at a time, at length one; and the length before, which says how well it is conditioned.
#[must_use]
pub fn rotation(times: &[f32], values: &[[f32; 4]], between: Between, seconds: f32) -> ([f64; 4], f64) {
    if between == Between::Linear {
        let (key, next, _, t) = place(times, seconds);
        return (reference::slerp(values[key].map(f64::from), values[next].map(f64::from), t), 1.0);
    }
    let q = vector(times, values, between, seconds);
    let length = algebra::length(q);
    (algebra::scaled(q, 1.0 / length), length)
}
