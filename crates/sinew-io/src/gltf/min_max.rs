//! Checks the `min` and `max` of accessors. The importer does not use them, but wrong values are
//! worth a warning.

use super::schema::Accessor;
use crate::json::Value;

/// How far a value may be outside, relative to the larger of its magnitude and the range: exporters
/// round.
const ROUNDING: f64 = 1e-4;

/// Returns what is wrong with the `min` and `max` of an accessor with these elements.
pub(crate) fn find_error<const N: usize>(accessor: &Accessor<'_>, numbers: &[[f32; N]]) -> Option<String> {
    if accessor.min.is_none() && accessor.max.is_none() {
        return None;
    }
    let (lowest, highest) = finite_range(numbers);
    let min = accessor.min.map(bound::<N>);
    let max = accessor.max.map(bound::<N>);
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
    let (low, high) = range(numbers);
    if !low.contains(&f32::NEG_INFINITY) && !high.contains(&f32::INFINITY) {
        return (low, high);
    }
    let (mut low, mut high) = ([f32::INFINITY; N], [f32::NEG_INFINITY; N]);
    for number in numbers {
        for c in (0..N).filter(|&c| number[c].is_finite()) {
            (low[c], high[c]) = (low[c].min(number[c]), high[c].max(number[c]));
        }
    }
    (low, high)
}

/// The minimum and maximum of the components that are not NaN.
fn range<const N: usize>(numbers: &[[f32; N]]) -> ([f32; N], [f32; N]) {
    // Four elements at once, which compiles to SIMD instructions, and all ranges fit into registers.
    let (fours, rest) = numbers.as_chunks::<4>();
    let (mut lowest, mut highest) = ([[f32::INFINITY; N]; 4], [[f32::NEG_INFINITY; N]; 4]);
    for four in fours {
        extend_range(four, &mut lowest, &mut highest);
    }
    extend_range(rest, &mut lowest, &mut highest);
    let (mut low, mut high) = ([f32::INFINITY; N], [f32::NEG_INFINITY; N]);
    for lane in 0..4 {
        for c in 0..N {
            low[c] = low[c].min(lowest[lane][c]);
            high[c] = high[c].max(highest[lane][c]);
        }
    }
    (low, high)
}

/// Extends ranges by at most four elements. NaN compares false.
#[inline(always)]
fn extend_range<const N: usize>(
    numbers: &[[f32; N]],
    lowest: &mut [[f32; N]; 4],
    highest: &mut [[f32; N]; 4],
) {
    for (lane, number) in numbers.iter().enumerate().take(4) {
        for c in 0..N {
            let (low, high) = (&mut lowest[lane][c], &mut highest[lane][c]);
            *low = if number[c] < *low { number[c] } else { *low };
            *high = if number[c] > *high { number[c] } else { *high };
        }
    }
}

fn bound<const N: usize>(value: Value<'_>) -> Option<[f64; N]> {
    let mut numbers = value.items().ok()?;
    let mut bound = [0.0; N];
    for bound in &mut bound {
        *bound = numbers.next()?.f64().ok()?;
    }
    numbers.next().is_none().then_some(bound)
}

fn tolerance(min: Option<f64>, max: Option<f64>) -> f64 {
    let (min, max) = (min.unwrap_or(0.0), max.unwrap_or(0.0));
    ROUNDING * min.abs().max(max.abs()).max(1e-3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn range_is_of_finite_numbers() {
        let (nan, inf) = (f32::NAN, f32::INFINITY);
        let mut numbers: Vec<[f32; 2]> = (0..21).map(|i| [i as f32, -2.0 * i as f32]).collect();
        assert_eq!(finite_range(&numbers), ([0.0, -40.0], [20.0, 0.0]));
        numbers[3] = [nan, 7.0];
        numbers[20] = [nan, nan];
        assert_eq!(finite_range(&numbers), ([0.0, -38.0], [19.0, 7.0]));
        numbers[7] = [-inf, inf];
        assert_eq!(finite_range(&numbers), ([0.0, -38.0], [19.0, 7.0]));
        assert_eq!(finite_range(&[[nan], [inf]]), ([inf], [-inf]));
        assert_eq!(finite_range::<1>(&[]), ([inf], [-inf]));
    }
}
