//! The report of an import: warnings, and errors after the first.

use std::fmt;

use crate::error::{BoxedError, Error};

/// Invalid data that was repaired, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Where: a path in the document such as `meshes[0].primitives[1]`, or `line 12, column 3`.
    pub location: String,
    /// What was found there.
    pub found: String,
    /// What was done about it.
    pub action: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { location, found, action } = self;
        write!(f, "{location}: {found}; {action}")
    }
}

/// An error in a document that was refused for another error already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidationError {
    /// Where: a path in the document such as `meshes[0].primitives[1]`.
    pub location: String,
    /// What must be there.
    pub expected: String,
    /// What was found.
    pub found: String,
}

impl ValidationError {
    /// The same error without its file; `None` for errors that are not about a value in a document.
    pub(crate) fn from_error(error: BoxedError) -> Option<Self> {
        match error.into() {
            Error::Invalid { location, expected, found, .. } => Some(Self { location, expected, found }),
            _ => None,
        }
    }
}

impl fmt::Display for ValidationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { location, expected, found } = self;
        write!(f, "{location}: expected {expected}, found {found}")
    }
}

/// What an import found out about a file, in the order of finding.
///
/// Equal problems of many elements of one array are one warning with their number, so a report does
/// not grow with the number of vertices. It displays as one line per warning.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    warnings: Vec<Warning>,
    pub(crate) further_errors: Vec<ValidationError>,
    /// Whether each warning is an error.
    strict: bool,
}

impl Report {
    pub(crate) fn new(strict: bool) -> Self {
        Self { strict, ..Self::default() }
    }

    /// Adds a warning; in a strict import, returns it as an error instead.
    pub(crate) fn warn(
        &mut self,
        location: impl Into<String>,
        found: impl Into<String>,
        action: impl Into<String>,
    ) -> Result<(), BoxedError> {
        let warning = Warning { location: location.into(), found: found.into(), action: action.into() };
        if self.strict {
            return Err(BoxedError::invalid(
                warning.location,
                "no warnings in a strict import",
                warning.found,
            ));
        }
        self.warnings.push(warning);
        Ok(())
    }

    /// All warnings.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Errors of a refused glTF document in addition to the one that the import returned: up to 99.
    ///
    /// They are found by checking the document without its buffers. A document that is not valid
    /// JSON has only one error.
    #[must_use]
    pub fn further_errors(&self) -> &[ValidationError] {
        &self.further_errors
    }

    /// Whether there are no warnings.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.warnings.is_empty()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.warnings.iter().try_for_each(|warning| writeln!(f, "{warning}"))
    }
}
