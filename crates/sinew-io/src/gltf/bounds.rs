//! The `min` and `max` of accessors, which nothing here relies on: a reader should know when they are wrong.

use serde_json::Value;

use super::schema::Accessor;

/// How far a number may lie outside, as a part of the larger of its own size and the range: exporters round.
const ROUNDING: f64 = 1e-4;

/// What is wrong with the bounds of an accessor that has these numbers.
pub(crate) fn fault<const N: usize>(accessor: &Accessor, numbers: &[[f32; N]]) -> Option<String> {
    if accessor.min.is_none() && accessor.max.is_none() {
        return None;
    }
    let (least, most) = extent(numbers);
    let low = accessor.min.as_ref().map(bound::<N>);
    let high = accessor.max.as_ref().map(bound::<N>);
    if low == Some(None) || high == Some(None) {
        return Some(format!("min or max without {N} numbers"));
    }
    let (low, high) = (low.flatten(), high.flatten());
    for c in 0..N {
        let slack = slack(low.map(|low| low[c]), high.map(|high| high[c]));
        if low.is_some_and(|low| f64::from(least[c]) < low[c] - slack) {
            return Some(format!("values below min, {} in component {c}", least[c]));
        }
        if high.is_some_and(|high| f64::from(most[c]) > high[c] + slack) {
            return Some(format!("values above max, {} in component {c}", most[c]));
        }
    }
    None
}

/// The least and the largest numbers that are finite, infinities the wrong way round where there are none.
fn extent<const N: usize>(numbers: &[[f32; N]]) -> ([f32; N], [f32; N]) {
    let mut extent = ([f32::INFINITY; N], [f32::NEG_INFINITY; N]);
    for number in numbers {
        for c in (0..N).filter(|&c| number[c].is_finite()) {
            extent.0[c] = extent.0[c].min(number[c]);
            extent.1[c] = extent.1[c].max(number[c]);
        }
    }
    extent
}

fn bound<const N: usize>(value: &Value) -> Option<[f64; N]> {
    let numbers = value.as_array().filter(|numbers| numbers.len() == N)?;
    let mut bound = [0.0; N];
    for (bound, number) in bound.iter_mut().zip(numbers) {
        *bound = number.as_f64()?;
    }
    Some(bound)
}

fn slack(low: Option<f64>, high: Option<f64>) -> f64 {
    let (low, high) = (low.unwrap_or(0.0), high.unwrap_or(0.0));
    ROUNDING * low.abs().max(high.abs()).max(1e-3)
}
