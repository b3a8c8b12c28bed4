//! Weights of points, in units of 2^-24: every one is exact as `f32`, and so is their sum, one.

/// Up to three points and their weights. Those that are not needed have weight zero.
pub(crate) type SampleWeights = [(usize, f32); 3];

const UNIT: f64 = (1_u32 << 24) as f64;

/// The weights of two points at a part of the way from one to the other, from 0 to 1.
pub(super) fn between(one: usize, other: usize, part: f64) -> SampleWeights {
    let part = to_weight(part);
    [(one, 1.0 - part), (other, part), (other, 0.0)]
}

/// The weights of three points, in proportion to numbers from zero up, of which one is more.
pub(super) fn in_proportion(points: [usize; 3], parts: [f64; 3]) -> SampleWeights {
    let sum = parts[0] + parts[1] + parts[2];
    let mut weights = parts.map(|part| to_weight(part / sum));
    let largest = (1..3).fold(0, |largest, i| if weights[i] > weights[largest] { i } else { largest });
    let others: f32 = (0..3).filter(|&i| i != largest).map(|i| weights[i]).sum();
    weights[largest] = 1.0 - others;
    [0, 1, 2].map(|i| (points[i], weights[i]))
}

fn to_weight(part: f64) -> f32 {
    ((part * UNIT).round() / UNIT) as f32
}
