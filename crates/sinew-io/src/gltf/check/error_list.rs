//! Collects the errors of all checks.

use crate::Report;
use crate::error::BoxedError as Error;
use crate::report::ValidationError;

/// The most errors that are kept: a hostile document may have millions.
const MAX_ERRORS: usize = 100;

#[derive(Default)]
pub(super) struct ErrorList(Vec<Error>);

impl ErrorList {
    /// Adds the error of a check, if it failed.
    pub(super) fn add(&mut self, checked: Result<(), Error>) {
        if let Err(error) = checked
            && self.0.len() < MAX_ERRORS
        {
            self.0.push(error);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the first error, and moves the others to the report.
    pub(super) fn into_result(self, report: &mut Report) -> Result<(), Error> {
        let mut errors = self.0.into_iter();
        let Some(first) = errors.next() else { return Ok(()) };
        report.further_errors.extend(errors.filter_map(ValidationError::from_error));
        Err(first)
    }
}
