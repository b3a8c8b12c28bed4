//! Normalizes normals and tangents.

use std::borrow::Cow;

use super::warning_count::WarningCount;
use crate::Report;
use crate::error::BoxedError as Error;

/// The deviation from length one that needs no warning: rounding to 8 bits gives at most 0.006797.
const TOLERANCE: f64 = 0.0068;

/// The length below which a vector has no direction.
const MIN_LENGTH: f64 = 1e-8;

/// Replaces vectors without a direction.
const DEFAULT_DIRECTION: [f32; 3] = [0.0, 0.0, 1.0];

/// Normalizes normals; those without a direction become +Z.
pub(super) fn repair_normals(
    normals: &mut Cow<'_, [[f32; 3]]>,
    location: &str,
    report: &mut Report,
) -> Result<(), Error> {
    let mut warnings = DirectionWarnings::default();
    repair_each(normals, |vertex, normal| warnings.repaired(vertex, normal));
    warnings.warn(report, location, "normals")
}

/// Normalizes tangents, and sets their signs to 1 or -1.
pub(super) fn repair_tangents(
    tangents: &mut Cow<'_, [[f32; 4]]>,
    location: &str,
    report: &mut Report,
) -> Result<(), Error> {
    let mut warnings = DirectionWarnings::default();
    let mut signs = WarningCount::default();
    repair_each(tangents, |vertex, [x, y, z, sign]| {
        let [x, y, z] = warnings.repaired(vertex, [x, y, z]);
        if sign.abs() != 1.0 {
            signs.add(vertex);
        }
        [x, y, z, if sign < 0.0 { -1.0 } else { 1.0 }]
    });
    warnings.warn(report, location, "tangents")?;
    signs.warn(
        report,
        location,
        "the tangents with a sign other than 1 and -1",
        "the nearer of the two was used",
    )
}

/// Replaces each element, in place or while a borrowed array is copied.
fn repair_each<T: Copy>(elements: &mut Cow<'_, [T]>, mut repaired: impl FnMut(usize, T) -> T) {
    match elements {
        Cow::Owned(own) => {
            for (index, element) in own.iter_mut().enumerate() {
                *element = repaired(index, *element);
            }
        }
        Cow::Borrowed(found) => {
            let mut own = Vec::with_capacity(found.len());
            own.extend(found.iter().enumerate().map(|(index, element)| repaired(index, *element)));
            *elements = Cow::Owned(own);
        }
    }
}

#[derive(Default)]
struct DirectionWarnings {
    no_direction: WarningCount,
    other_length: WarningCount,
}

impl DirectionWarnings {
    #[inline(always)]
    fn repaired(&mut self, vertex: usize, [x, y, z]: [f32; 3]) -> [f32; 3] {
        let [x, y, z] = [f64::from(x), f64::from(y), f64::from(z)];
        let length = (x * x + y * y + z * z).sqrt();
        if !length.is_finite() || length < MIN_LENGTH {
            self.no_direction.add(vertex);
            return DEFAULT_DIRECTION;
        }
        if (length - 1.0).abs() > TOLERANCE {
            self.other_length.add(vertex);
        }
        [(x / length) as f32, (y / length) as f32, (z / length) as f32]
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
        let found = [[0.0, 2.0, 0.0, -0.5], [f32::NAN, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0, f32::NAN]];
        for mut tangents in [Cow::Borrowed(&found[..]), Cow::Owned(found.to_vec())] {
            repair_tangents(&mut tangents, "here", &mut report).unwrap();
            assert_eq!(*tangents, [[0.0, 1.0, 0.0, -1.0], [0.0, 0.0, 1.0, 1.0], [1.0, 0.0, 0.0, 1.0]]);
        }
        assert_eq!(report.warnings().len(), 6);
    }
}
