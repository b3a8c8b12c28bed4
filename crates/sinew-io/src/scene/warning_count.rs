//! Counts equal problems, so that a report does not grow with the data.

use std::borrow::Cow;
use std::fmt::Display;

use crate::Report;
use crate::error::BoxedError as Error;
#[cfg(feature = "md5")]
use crate::text_location::TextLocation;

/// The largest magnitude of a number from a file: products of two such numbers, and sums of a few
/// products, stay finite.
pub(super) const LARGEST: f32 = 1e18;

/// Whether a number is finite and at most [`LARGEST`] in magnitude.
pub(super) fn usable(number: f32) -> bool {
    number.abs() <= LARGEST
}

/// The number of problems of one kind, and the place of the first: the index of an array's element,
/// or a place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WarningCount<P = usize> {
    count: usize,
    first: Option<P>,
}

impl<P> Default for WarningCount<P> {
    fn default() -> Self {
        Self { count: 0, first: None }
    }
}

impl<P> WarningCount<P> {
    pub(crate) fn add(&mut self, place: P) {
        self.first.get_or_insert(place);
        self.count += 1;
    }
}

impl WarningCount {
    /// Adds one warning for all elements to the report, if there are any.
    pub(crate) fn warn(
        self,
        report: &mut Report,
        location: impl Display,
        what: &str,
        action: &str,
    ) -> Result<(), Error> {
        let Self { count, first: Some(first) } = self else { return Ok(()) };
        let found = match count {
            1 => format!("1 of {what}, number {first}"),
            _ => format!("{count} of {what}, the first number {first}"),
        };
        report.warn(location.to_string(), found, action)
    }
}

#[cfg(feature = "md5")]
impl WarningCount<TextLocation> {
    /// Adds one warning for all, if there are any, to the report, at the place of the first.
    /// `prefix` comes before it: empty, or the name of a clip.
    pub(crate) fn warn_at_first(
        self,
        report: &mut Report,
        prefix: &str,
        found: &str,
        action: &str,
    ) -> Result<(), Error> {
        let Self { count, first: Some(first) } = self else { return Ok(()) };
        report.warn(format!("{prefix}{first}"), format!("{count} {found}"), action)
    }
}

/// Replaces every component that is not usable. Copies a borrowed array only if there is one.
pub(super) fn replace_unusable<const N: usize>(
    values: &mut Cow<'_, [[f32; N]]>,
    replacement: f32,
) -> WarningCount {
    let mut count = WarningCount::default();
    // Without an exit, this loop compiles to SIMD instructions.
    if values.as_flattened().iter().fold(true, |all, &component| all & usable(component)) {
        return count;
    }
    for (index, value) in values.to_mut().iter_mut().enumerate() {
        if value.iter().all(|&component| usable(component)) {
            continue;
        }
        count.add(index);
        for component in value.iter_mut().filter(|component| !usable(**component)) {
            *component = replacement;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_unusable_components_are_replaced() {
        let found = [[1.0, 2.0], [f32::NAN, 3.0], [4.0, f32::NEG_INFINITY], [f32::MAX, LARGEST]];
        let mut values = Cow::Borrowed(&found[..]);
        let count = replace_unusable(&mut values, 0.0);
        assert_eq!(*values, [[1.0, 2.0], [0.0, 3.0], [4.0, 0.0], [0.0, LARGEST]]);
        let mut valid = Cow::Borrowed(&found[..1]);
        assert_eq!(replace_unusable(&mut valid, 0.0), WarningCount::default());
        assert!(matches!(valid, Cow::Borrowed(_)));
        assert_eq!(count, WarningCount { count: 3, first: Some(1) });
    }

    #[test]
    fn count_gives_one_warning_or_none() {
        let mut report = Report::new(false);
        WarningCount::<usize>::default().warn(&mut report, "here", "errors", "nothing").unwrap();
        assert!(report.is_empty());
        WarningCount { count: 7, first: Some(3) }.warn(&mut report, "here", "errors", "repaired").unwrap();
        assert_eq!(report.to_string(), "here: 7 of errors, the first number 3; repaired\n");
        assert!(
            WarningCount { count: 1, first: Some(0) }
                .warn(&mut Report::new(true), "here", "errors", "")
                .is_err()
        );
    }
}
