//! What was odd about a file and what was done about it.

use std::fmt;

use crate::Error;

/// Something that is not as it should be, and was mended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Oddity {
    /// Where: a path in the document such as `meshes[0].primitives[1]`, or `line 12`.
    pub place: String,
    /// What was found.
    pub found: String,
    /// What was done about it.
    pub done: String,
}

impl fmt::Display for Oddity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place, found, done } = self;
        write!(f, "{place}: {found}; {done}")
    }
}

/// Something that a file cannot be used with, beside the fault that it was refused for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where: a path in the document such as `meshes[0].primitives[1]`.
    pub place: String,
    /// What should be there.
    pub expected: String,
    /// What was found.
    pub found: String,
}

impl Fault {
    pub(crate) fn of(error: Error) -> Option<Self> {
        match error {
            Error::Fault { place, expected, found, .. } => Some(Self { place, expected, found }),
            _ => None,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place, expected, found } = self;
        write!(f, "{place}: expected {expected}, found {found}")
    }
}

/// Every oddity that was met, in the order of meeting. A fault that many elements of one array share is one oddity with
/// their number, so the report never grows with the vertices.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    oddities: Vec<Oddity>,
    pub(crate) further: Vec<Fault>,
    strict: bool,
}

impl Report {
    pub(crate) fn new(strict: bool) -> Self {
        Self { strict, ..Self::default() }
    }

    /// Notes an oddity, or gives it as an error when reading is strict.
    pub(crate) fn note(
        &mut self,
        place: impl Into<String>,
        found: impl Into<String>,
        done: impl Into<String>,
    ) -> Result<(), Error> {
        let oddity = Oddity { place: place.into(), found: found.into(), done: done.into() };
        if self.strict {
            return Err(Error::fault(oddity.place, "nothing odd, when reading strictly", oddity.found));
        }
        self.oddities.push(oddity);
        Ok(())
    }

    /// All of them.
    #[must_use]
    pub fn oddities(&self) -> &[Oddity] {
        &self.oddities
    }

    /// What else is at fault with a file that was refused, as far as a document can be checked without what it refers to: up to
    /// 99 faults. A file that is not well formed has only one.
    #[must_use]
    pub fn further_faults(&self) -> &[Fault] {
        &self.further
    }

    /// Whether there was nothing odd.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.oddities.is_empty()
    }
}

/// A line for each oddity.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.oddities.iter().try_for_each(|oddity| writeln!(f, "{oddity}"))
    }
}
