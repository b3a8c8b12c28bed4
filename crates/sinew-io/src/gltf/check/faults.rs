//! Every fault that the checks find, not only the first.

use crate::report::Fault;
use crate::{Error, Report};

/// More than anybody reads: a hostile document may have millions.
const MOST: usize = 100;

#[derive(Default)]
pub(super) struct Faults(Vec<Error>);

impl Faults {
    /// Takes the fault of a check, where it found one.
    pub(super) fn add(&mut self, checked: Result<(), Error>) {
        if let Err(error) = checked
            && self.0.len() < MOST
        {
            self.0.push(error);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The first is the error; the report keeps the others.
    pub(super) fn refuse(self, report: &mut Report) -> Result<(), Error> {
        let mut faults = self.0.into_iter();
        let Some(first) = faults.next() else { return Ok(()) };
        report.further.extend(faults.filter_map(Fault::of));
        Err(first)
    }
}
