//! Normalizes normals and tangents.

use super::warning_count::WarningCount;
use crate::{Error, Report};

/// The deviation from length one that needs no warning: rounding to 8 bits gives at most 0.006797.
const TOLERANCE: f64 = 0.0068;

/// The length below which a vector has no direction.
const MIN_LENGTH: f64 = 1e-8;

/// Replaces vectors without a direction.
const DEFAULT_DIRECTION: [f32; 3] = [0.0, 0.0, 1.0];

/// Normalizes normals; those without a direction become +Z.
pub(super) fn repair_normals(
    normals: &mut [[f32; 3]],
    location: &str,
    report: &mut Report,
) -> Result<(), Error> {
    let mut warnings = DirectionWarnings::default();
    for (vertex, normal) in normals.iter_mut().enumerate() {
        warnings.repair(vertex, normal);
    }
    warnings.warn(report, location, "normals")
}

/// Normalizes tangents, and sets their signs to 1 or -1.
pub(super) fn repair_tangents(
    tangents: &mut [[f32; 4]],
    location: &str,
    report: &mut Report,
) -> Result<(), Error> {
    let mut warnings = DirectionWarnings::default();
    let mut signs = WarningCount::default();
    for (vertex, tangent) in tangents.iter_mut().enumerate() {
        let [x, y, z, sign] = *tangent;
        let mut direction = [x, y, z];
        warnings.repair(vertex, &mut direction);
        if sign.abs() != 1.0 {
            signs.add(vertex);
        }
        let [x, y, z] = direction;
        *tangent = [x, y, z, if sign < 0.0 { -1.0 } else { 1.0 }];
    }
    warnings.warn(report, location, "tangents")?;
    signs.warn(
        report,
        location,
        "the tangents with a sign other than 1 and -1",
        "the nearer of the two was used",
    )
}

#[derive(Default)]
struct DirectionWarnings {
    no_direction: WarningCount,
    other_length: WarningCount,
}

impl DirectionWarnings {
    fn repair(&mut self, vertex: usize, direction: &mut [f32; 3]) {
        let squared: f64 = direction.iter().map(|&part| f64::from(part) * f64::from(part)).sum();
        let length = squared.sqrt();
        if !length.is_finite() || length < MIN_LENGTH {
            *direction = DEFAULT_DIRECTION;
            return self.no_direction.add(vertex);
        }
        // A loop, because `map` need not be inlined.
        for part in direction {
            *part = (f64::from(*part) / length) as f32;
        }
        if (length - 1.0).abs() > TOLERANCE {
            self.other_length.add(vertex);
        }
    }

    fn warn(self, report: &mut Report, location: &str, what: &str) -> Result<(), Error> {
        let Self { no_direction, other_length } = self;
        no_direction.warn(
            report,
            location,
            &format!("the {what} without a direction"),
            "they became 0 0 1",
        )?;
        let what = format!("the {what} whose length is not one");
        other_length.warn(report, location, &what, "they were normalized")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_are_normalized_and_signs_are_one() {
        let mut report = Report::new(false);
        let mut tangents = [[0.0, 2.0, 0.0, -0.5], [f32::NAN, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0, f32::NAN]];
        repair_tangents(&mut tangents, "here", &mut report).unwrap();
        assert_eq!(tangents, [[0.0, 1.0, 0.0, -1.0], [0.0, 0.0, 1.0, 1.0], [1.0, 0.0, 0.0, 1.0]]);
        assert_eq!(report.warnings().len(), 3);
    }
}
