//! Repairs the values of key frames: replaces values that are not finite, normalizes rotations.

use std::borrow::Cow;

use super::rotation::{self, Length};
use super::source_location::SourceLocation;
use super::warning_count::{LARGEST, WarningCount};
use crate::Report;
use crate::error::BoxedError as Error;

/// The layout of key values in an array: `width` floats per value, and for cubic splines a tangent
/// before and after each value.
#[derive(Clone, Copy, Debug)]
pub(super) struct KeyLayout {
    pub(super) width: usize,
    pub(super) cubic: bool,
}

impl KeyLayout {
    /// Values and tangents per key.
    pub(super) fn rows(self) -> usize {
        if self.cubic { 3 } else { 1 }
    }

    /// Floats per key.
    pub(super) fn floats(self) -> usize {
        self.width * self.rows()
    }

    /// The range of a key's value.
    fn value(self, key: usize) -> std::ops::Range<usize> {
        let start = key * self.floats() + self.rows() / 2 * self.width;
        start..start + self.width
    }
}

/// Replaces values with numbers that are not finite or beyond `largest` by the value of the
/// previous key; at the start by the first valid value, or by `rest` if there is none. Tangents
/// that would exceed the limit before the next key become zero.
pub(super) fn repair(
    floats: &mut Cow<'_, [f32]>,
    (layout, times): (KeyLayout, &[f32]),
    (largest, rest): (f32, &[f32]),
    location: &SourceLocation,
    report: &mut Report,
) -> Result<(), Error> {
    // Of most channels, there is nothing to repair.
    if !layout.cubic && floats.iter().fold(true, |valid, number| valid & (number.abs() <= largest)) {
        return Ok(());
    }
    let floats = floats.to_mut();
    let keys = times.len();
    let is_valid = |value: &[f32]| value.iter().all(|number| number.abs() <= largest);
    let first = (0..keys).find(|&key| is_valid(&floats[layout.value(key)]));
    let mut last = first.map_or_else(|| rest.to_vec(), |key| floats[layout.value(key)].to_vec());
    let (mut values, mut tangents) = (WarningCount::default(), WarningCount::default());
    for key in 0..keys {
        let value_range = layout.value(key);
        if is_valid(&floats[value_range.clone()]) {
            last.copy_from_slice(&floats[value_range.clone()]);
        } else {
            floats[value_range.clone()].copy_from_slice(&last);
            values.add(key);
        }
        let all = key * layout.floats()..(key + 1) * layout.floats();
        let seconds = |from: usize, to: usize| times.get(to).map_or(0.0, |to| to - times[from]).max(1.0);
        let before = seconds(key.saturating_sub(1), key);
        for (tangent, seconds) in
            [(all.start..value_range.start, before), (value_range.end..all.end, seconds(key, key + 1))]
        {
            if !floats[tangent.clone()].iter().all(|number| (number * seconds).abs() <= LARGEST) {
                floats[tangent].fill(0.0);
                tangents.add(key);
            }
        }
    }
    values.warn(
        report,
        location,
        "the keys with numbers that are not finite",
        "each became the previous key",
    )?;
    tangents.warn(report, location, "the tangents that are not finite, or too large", "they became zero")
}

/// Normalizes rotations. Tangents are scaled with their key.
pub(super) fn repair_rotations(
    values: &mut Cow<'_, [f32]>,
    cubic: bool,
    location: &SourceLocation,
    report: &mut Report,
) -> Result<(), Error> {
    let rows = if cubic { 3 } else { 1 };
    // Of most channels, there is nothing to repair.
    if values.as_chunks().0.iter().skip(rows / 2).step_by(rows).all(rotation::is_unit) {
        return Ok(());
    }
    let (mut zero, mut other) = (WarningCount::default(), WarningCount::default());
    let values = values.to_mut().as_chunks_mut::<4>().0;
    for (key, rows) in values.chunks_exact_mut(rows).enumerate() {
        let value = rows[rows.len() / 2];
        let mut unit = value;
        match rotation::normalize(&mut unit) {
            // Rounding errors are kept: splines are normalized after evaluation.
            Length::One => continue,
            Length::Other => {
                other.add(key);
                let squared: f64 = value.iter().map(|&part| f64::from(part) * f64::from(part)).sum();
                for row in rows.iter_mut() {
                    *row = row.map(|part| (f64::from(part) / squared.sqrt()).clamp(-1e18, 1e18) as f32);
                }
            }
            Length::Zero | Length::NotFinite => zero.add(key),
        }
        rows[rows.len() / 2] = unit;
    }
    zero.warn(report, location, "the rotations of length zero", "they became the identity")?;
    other.warn(report, location, "the rotations whose length is not one", "they were normalized")
}

/// Warns of splines that pass through the zero quaternion, which is not a rotation.
pub(super) fn warn_of_zero_on_curves(
    times: &[f32],
    values: &[[f32; 4]],
    location: &SourceLocation,
    report: &mut Report,
) -> Result<(), Error> {
    let mut crossings = WarningCount::default();
    for key in 1..times.len() {
        let seconds = f64::from(times[key]) - f64::from(times[key - 1]);
        let at = |index: usize| values[index].map(f64::from);
        let [from, leaving, arriving, to] = [3 * key - 2, 3 * key - 1, 3 * key, 3 * key + 1].map(at);
        let third = seconds / 3.0;
        let curve = [
            from,
            [0, 1, 2, 3].map(|i| from[i] + third * leaving[i]),
            [0, 1, 2, 3].map(|i| to[i] - third * arriving[i]),
            to,
        ];
        if passes_zero(curve) {
            crossings.add(key - 1);
        }
    }
    crossings.warn(
        report,
        location,
        "the curves that pass through the rotation of length zero",
        "there they give the identity",
    )
}

/// How often a spline is halved before it counts as passing zero: down to 1/256 of the time.
const MAX_HALVINGS: u32 = 8;

/// Whether a Bézier curve passes through zero, or so near that halving cannot tell.
///
/// A curve is within the convex hull of its control points. If all of them are on one side of a
/// plane through zero, so is the curve.
fn passes_zero(curve: [[f64; 4]; 4]) -> bool {
    let mut stack = vec![(curve, 0)];
    while let Some((curve, halvings)) = stack.pop() {
        if is_one_sided(&curve) {
            continue;
        }
        if halvings == MAX_HALVINGS {
            return true;
        }
        let (left, right) = halves(curve);
        stack.extend([(left, halvings + 1), (right, halvings + 1)]);
    }
    false
}

fn is_one_sided(curve: &[[f64; 4]; 4]) -> bool {
    let towards = [0, 1, 2, 3].map(|i| curve[0][i] + curve[3][i]);
    let size: f64 = towards.iter().map(|part| part * part).sum();
    let along = |point: &[f64; 4]| point.iter().zip(towards).map(|(a, b)| a * b).sum::<f64>();
    // A quaternion of length one millionth still has a direction.
    size > 0.0 && curve.iter().all(|point| along(point) > 1e-6 * size.sqrt())
}

fn halves([a, b, c, d]: [[f64; 4]; 4]) -> ([[f64; 4]; 4], [[f64; 4]; 4]) {
    let middle = |a: [f64; 4], b: [f64; 4]| [0, 1, 2, 3].map(|i| 0.5 * (a[i] + b[i]));
    let (ab, bc, cd) = (middle(a, b), middle(b, c), middle(c, d));
    let (abc, bcd) = (middle(ab, bc), middle(bc, cd));
    let all = middle(abc, bcd);
    ([a, ab, abc, all], [all, bcd, cd, d])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repaired(floats: &[f32], layout: KeyLayout) -> (Vec<f32>, usize) {
        let mut report = Report::new(false);
        let mut floats = Cow::Borrowed(floats);
        let times: Vec<_> = (0..floats.len() / layout.floats()).map(|key| key as f32 * 2.0).collect();
        let limits = (LARGEST, &vec![9.0; layout.width][..]);
        repair(&mut floats, (layout, &times), limits, &SourceLocation::new("here"), &mut report).unwrap();
        (floats.into_owned(), report.warnings().len())
    }

    #[test]
    fn invalid_key_becomes_the_previous_key() {
        const NAN: f32 = f32::NAN;
        let layout = KeyLayout { width: 2, cubic: false };
        assert_eq!(
            repaired(&[1.0, 2.0, NAN, 3.0, 4.0, 5.0], layout),
            (vec![1.0, 2.0, 1.0, 2.0, 4.0, 5.0], 1)
        );
        assert_eq!(repaired(&[NAN, 2.0, 4.0, 3.0], layout), (vec![4.0, 3.0, 4.0, 3.0], 1));
        assert_eq!(repaired(&[NAN, 2.0, 4.0, f32::MAX], layout), (vec![9.0; 4], 1));
        let layout = KeyLayout { width: 1, cubic: true };
        assert_eq!(
            repaired(&[NAN, 1.0, 2.0, 3.0, NAN, 4.0], layout),
            (vec![0.0, 1.0, 2.0, 3.0, 1.0, 4.0], 2)
        );
        assert_eq!(
            repaired(&[9e17, 1.0, 9e17, 9e17, 1.0, 9e17], layout),
            (vec![9e17, 1.0, 0.0, 0.0, 1.0, 9e17], 1)
        );
    }

    #[test]
    fn curves_through_zero_are_detected() {
        let point = |x: f64, y: f64| [x, y, 0.0, 0.0];
        assert!(passes_zero([point(1.0, 0.0), point(0.5, 0.0), point(-0.5, 0.0), point(-1.0, 0.0)]));
        assert!(!passes_zero([point(1.0, 0.0), point(1.0, 0.1), point(0.1, 1.0), point(0.0, 1.0)]));
        assert!(!passes_zero([point(1.0, 0.0), point(1.0, 2.0), point(-1.0, 2.0), point(-1.0, 0.0)]));
        assert!(passes_zero([[0.0; 4]; 4]));
    }
}
