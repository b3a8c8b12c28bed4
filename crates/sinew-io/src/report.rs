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

/// Every oddity that was met, in the order of meeting. A fault that many elements of one array share is one oddity with
/// their number, so the report never grows with the vertices.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    oddities: Vec<Oddity>,
    strict: bool,
}

impl Report {
    pub(crate) fn new(strict: bool) -> Self {
        Self { oddities: Vec::new(), strict }
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
