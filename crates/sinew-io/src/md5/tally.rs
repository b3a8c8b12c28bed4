//! Oddities of one kind, counted: the report has one line for all of them.

use super::text::Place;
use crate::{Error, Report};

/// How often an oddity was met, and where first.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    count: usize,
    first: Option<Place>,
}

impl Tally {
    pub(super) fn add(&mut self, place: Place) {
        self.count += 1;
        self.first.get_or_insert(place);
    }

    /// Notes them, if there are any. `within` goes before the place: empty, or the name of a clip.
    pub(super) fn note(
        self,
        report: &mut Report,
        within: &str,
        found: &str,
        done: &str,
    ) -> Result<(), Error> {
        match self.first {
            Some(place) => report.note(format!("{within}{place}"), format!("{} {found}", self.count), done),
            None => Ok(()),
        }
    }
}
