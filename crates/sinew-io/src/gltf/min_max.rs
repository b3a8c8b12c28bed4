//! Checks the `min` and `max` of accessors. The importer does not use them, but wrong values are
//! worth a warning.

use serde_json::Value;

use super::schema::Accessor;

/// How far a value may be outside, relative to the larger of its magnitude and the range: exporters
/// round.
const ROUNDING: f64 = 1e-4;

/// Returns what is wrong with the `min` and `max` of an accessor with these elements.
pub(crate) fn find_error<const N: usize>(accessor: &Accessor, numbers: &[[f32; N]]) -> Option<String> {
    if accessor.min.is_none() && accessor.max.is_none() {
        return None;
    }
    let (lowest, highest) = finite_range(numbers);
    let min = accessor.min.as_ref().map(bound::<N>);
    let max = accessor.max.as_ref().map(bound::<N>);
    if min == Some(None) || max == Some(None) {
        return Some(format!("min or max without {N} numbers"));
    }
    let (min, max) = (min.flatten(), max.flatten());
    for c in 0..N {
        let tolerance = tolerance(min.map(|min| min[c]), max.map(|max| max[c]));
        if min.is_some_and(|min| f64::from(lowest[c]) < min[c] - tolerance) {
            return Some(format!("values below min, {} in component {c}", lowest[c]));
        }
        if max.is_some_and(|max| f64::from(highest[c]) > max[c] + tolerance) {
            return Some(format!("values above max, {} in component {c}", highest[c]));
        }
    }
    None
}

/// The minimum and maximum of the finite components; infinity and -infinity if there are none.
fn finite_range<const N: usize>(numbers: &[[f32; N]]) -> ([f32; N], [f32; N]) {
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

fn tolerance(min: Option<f64>, max: Option<f64>) -> f64 {
    let (min, max) = (min.unwrap_or(0.0), max.unwrap_or(0.0));
    ROUNDING * min.abs().max(max.abs()).max(1e-3)
}
