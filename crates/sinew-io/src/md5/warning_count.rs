//! Counts warnings of one kind, which become one line of the report.

use crate::Report;
use crate::error::BoxedError as Error;
use crate::text_location::TextLocation;

/// The number of warnings of one kind, and the location of the first.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct WarningCount {
    count: usize,
    first: Option<TextLocation>,
}

impl WarningCount {
    pub(super) fn add(&mut self, location: TextLocation) {
        self.count += 1;
        self.first.get_or_insert(location);
    }

    /// Adds one warning for all, if there are any, to the report. `prefix` comes before the
    /// location: empty, or the name of a clip.
    pub(super) fn warn(
        self,
        report: &mut Report,
        prefix: &str,
        found: &str,
        done: &str,
    ) -> Result<(), Error> {
        match self.first {
            Some(location) => {
                report.warn(format!("{prefix}{location}"), format!("{} {found}", self.count), done)
            }
            None => Ok(()),
        }
    }
}
