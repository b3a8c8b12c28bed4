//! The values of keys: what cannot be worked with is replaced, rotations are brought to length one.

use super::tally::{LARGEST, Tally};
use super::turning::{self, Length};
use crate::{Error, Report};

/// How values lie in an array: so many floats for each, and with cubic curves a slope before and after each.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub(super) width: usize,
    pub(super) cubic: bool,
}

impl Shape {
    /// Values and slopes of a key.
    pub(super) fn rows(self) -> usize {
        if self.cubic { 3 } else { 1 }
    }

    /// Floats of a key.
    pub(super) fn floats(self) -> usize {
        self.width * self.rows()
    }

    /// Where a key's own value lies.
    fn value(self, key: usize) -> std::ops::Range<usize> {
        let start = key * self.floats() + self.rows() / 2 * self.width;
        start..start + self.width
    }
}

/// Replaces values with numbers that are not finite or beyond `largest` by the value of the key before; at the start by
/// the first sound one, and by `rest` where there is none. Slopes that lead as far before the next key become zero.
pub(super) fn mend(
    floats: &mut [f32],
    (shape, times): (Shape, &[f32]),
    (largest, rest): (f32, &[f32]),
    place: &str,
    report: &mut Report,
) -> Result<(), Error> {
    let keys = times.len();
    let sound = |value: &[f32]| value.iter().all(|number| number.abs() <= largest);
    let first = (0..keys).find(|&key| sound(&floats[shape.value(key)]));
    let mut last = first.map_or_else(|| rest.to_vec(), |key| floats[shape.value(key)].to_vec());
    let (mut values, mut slopes) = (Tally::default(), Tally::default());
    for key in 0..keys {
        let own = shape.value(key);
        if sound(&floats[own.clone()]) {
            last.copy_from_slice(&floats[own.clone()]);
        } else {
            floats[own.clone()].copy_from_slice(&last);
            values.add(key);
        }
        let all = key * shape.floats()..(key + 1) * shape.floats();
        let seconds = |from: usize, to: usize| times.get(to).map_or(0.0, |to| to - times[from]).max(1.0);
        let before = seconds(key.saturating_sub(1), key);
        for (slope, seconds) in [(all.start..own.start, before), (own.end..all.end, seconds(key, key + 1))] {
            if !floats[slope.clone()].iter().all(|number| (number * seconds).abs() <= LARGEST) {
                floats[slope].fill(0.0);
                slopes.add(key);
            }
        }
    }
    values.note(report, place, "the keys with numbers that are not finite", "each became the key before")?;
    slopes.note(report, place, "the slopes that are not finite, or too steep", "they became zero")
}

/// Brings rotations to length one. Slopes are shortened and lengthened with their key.
pub(super) fn mend_rotations(
    values: &mut [[f32; 4]],
    cubic: bool,
    place: &str,
    report: &mut Report,
) -> Result<(), Error> {
    let (mut zero, mut other) = (Tally::default(), Tally::default());
    let rows = if cubic { 3 } else { 1 };
    for (key, rows) in values.chunks_exact_mut(rows).enumerate() {
        let value = rows[rows.len() / 2];
        let mut unit = value;
        match turning::unit(&mut unit) {
            // What rounding left stays as it is; a curve is brought to length one after it.
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
    zero.note(report, place, "the rotations of length zero", "they became no rotation")?;
    other.note(report, place, "the rotations of another length than one", "they were brought to it")
}

/// Notes curves that lead through the rotation of length zero, which is no rotation.
pub(super) fn note_zero_on_curves(
    times: &[f32],
    values: &[[f32; 4]],
    place: &str,
    report: &mut Report,
) -> Result<(), Error> {
    let mut through = Tally::default();
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
        if meets_zero(curve) {
            through.add(key - 1);
        }
    }
    through.note(
        report,
        place,
        "the curves that pass through the rotation of length zero",
        "there they do not turn",
    )
}

/// How often a curve is halved before it counts as meeting zero: to pieces of 1/256 of the time.
const HALVINGS: u32 = 8;

/// Whether a curve, given by its control points, meets zero, or comes so near that halving it does not tell.
///
/// A curve lies within the hull of its control points. Where all of these are on one side, so is the curve.
fn meets_zero(curve: [[f64; 4]; 4]) -> bool {
    let mut waiting = vec![(curve, 0)];
    while let Some((curve, halvings)) = waiting.pop() {
        if is_one_sided(&curve) {
            continue;
        }
        if halvings == HALVINGS {
            return true;
        }
        let (left, right) = halves(curve);
        waiting.extend([(left, halvings + 1), (right, halvings + 1)]);
    }
    false
}

fn is_one_sided(curve: &[[f64; 4]; 4]) -> bool {
    let towards = [0, 1, 2, 3].map(|i| curve[0][i] + curve[3][i]);
    let size: f64 = towards.iter().map(|part| part * part).sum();
    let along = |point: &[f64; 4]| point.iter().zip(towards).map(|(a, b)| a * b).sum::<f64>();
    // One millionth of a rotation away is far enough to have a direction.
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

    fn mended(floats: &[f32], shape: Shape) -> (Vec<f32>, usize) {
        let mut report = Report::new(false);
        let mut floats = floats.to_vec();
        let times: Vec<_> = (0..floats.len() / shape.floats()).map(|key| key as f32 * 2.0).collect();
        let limits = (LARGEST, &vec![9.0; shape.width][..]);
        mend(&mut floats, (shape, &times), limits, "here", &mut report).unwrap();
        (floats, report.oddities().len())
    }

    #[test]
    fn a_broken_key_becomes_the_one_before() {
        const NAN: f32 = f32::NAN;
        let shape = Shape { width: 2, cubic: false };
        assert_eq!(mended(&[1.0, 2.0, NAN, 3.0, 4.0, 5.0], shape), (vec![1.0, 2.0, 1.0, 2.0, 4.0, 5.0], 1));
        assert_eq!(mended(&[NAN, 2.0, 4.0, 3.0], shape), (vec![4.0, 3.0, 4.0, 3.0], 1));
        assert_eq!(mended(&[NAN, 2.0, 4.0, f32::MAX], shape), (vec![9.0; 4], 1));
        let shape = Shape { width: 1, cubic: true };
        assert_eq!(mended(&[NAN, 1.0, 2.0, 3.0, NAN, 4.0], shape), (vec![0.0, 1.0, 2.0, 3.0, 1.0, 4.0], 2));
        assert_eq!(
            mended(&[9e17, 1.0, 9e17, 9e17, 1.0, 9e17], shape),
            (vec![9e17, 1.0, 0.0, 0.0, 1.0, 9e17], 1)
        );
    }

    #[test]
    fn curves_through_zero_are_seen_and_others_are_not() {
        let point = |x: f64, y: f64| [x, y, 0.0, 0.0];
        assert!(meets_zero([point(1.0, 0.0), point(0.5, 0.0), point(-0.5, 0.0), point(-1.0, 0.0)]));
        assert!(!meets_zero([point(1.0, 0.0), point(1.0, 0.1), point(0.1, 1.0), point(0.0, 1.0)]));
        assert!(!meets_zero([point(1.0, 0.0), point(1.0, 2.0), point(-1.0, 2.0), point(-1.0, 0.0)]));
        assert!(meets_zero([[0.0; 4]; 4]));
    }
}
