//! Normals and tangents, brought to length one.

use super::tally::Tally;
use crate::{Error, Report};

/// What rounding three numbers to eight bits makes of length one, at most 0.006797, and a little more.
const TOLERANCE: f64 = 0.0068;

/// Below this a direction is none.
const ZERO: f64 = 1e-8;

/// What takes the place of a direction that is none.
const INSTEAD: [f32; 3] = [0.0, 0.0, 1.0];

/// Brings normals to length one; those that have no direction become +Z.
pub(super) fn mend_normals(normals: &mut [[f32; 3]], place: &str, report: &mut Report) -> Result<(), Error> {
    let mut odd = Odd::default();
    for (vertex, normal) in normals.iter_mut().enumerate() {
        odd.mend(vertex, normal);
    }
    odd.note(report, place, "normals")
}

/// Brings tangents to length one, and their signs to 1 or -1.
pub(super) fn mend_tangents(
    tangents: &mut [[f32; 4]],
    place: &str,
    report: &mut Report,
) -> Result<(), Error> {
    let mut odd = Odd::default();
    let mut signs = Tally::default();
    for (vertex, tangent) in tangents.iter_mut().enumerate() {
        let [x, y, z, sign] = *tangent;
        let mut direction = [x, y, z];
        odd.mend(vertex, &mut direction);
        if sign.abs() != 1.0 {
            signs.add(vertex);
        }
        let [x, y, z] = direction;
        *tangent = [x, y, z, if sign < 0.0 { -1.0 } else { 1.0 }];
    }
    odd.note(report, place, "tangents")?;
    signs.note(report, place, "the tangents with a sign other than 1 and -1", "the nearer was taken")
}

#[derive(Default)]
struct Odd {
    none: Tally,
    other_length: Tally,
}

impl Odd {
    fn mend(&mut self, vertex: usize, direction: &mut [f32; 3]) {
        let squared: f64 = direction.iter().map(|&part| f64::from(part) * f64::from(part)).sum();
        let length = squared.sqrt();
        if !length.is_finite() || length < ZERO {
            *direction = INSTEAD;
            return self.none.add(vertex);
        }
        *direction = direction.map(|part| (f64::from(part) / length) as f32);
        if (length - 1.0).abs() > TOLERANCE {
            self.other_length.add(vertex);
        }
    }

    fn note(self, report: &mut Report, place: &str, what: &str) -> Result<(), Error> {
        let Self { none, other_length } = self;
        none.note(report, place, &format!("the {what} without a direction"), "they became 0 0 1")?;
        let what = format!("the {what} of another length than one");
        other_length.note(report, place, &what, "they were brought to it")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_end_at_length_one_and_signs_at_one() {
        let mut report = Report::new(false);
        let mut tangents = [[0.0, 2.0, 0.0, -0.5], [f32::NAN, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0, f32::NAN]];
        mend_tangents(&mut tangents, "here", &mut report).unwrap();
        assert_eq!(tangents, [[0.0, 1.0, 0.0, -1.0], [0.0, 0.0, 1.0, 1.0], [1.0, 0.0, 0.0, 1.0]]);
        assert_eq!(report.oddities().len(), 3);
    }
}
