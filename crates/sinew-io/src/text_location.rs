//! Places in texts.

use std::fmt;

/// The line and column of a word in a text, from one. Columns count bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TextLocation {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

impl TextLocation {
    /// The first byte of a text.
    pub(crate) const START: Self = Self { line: 1, column: 1 };
}

impl fmt::Display for TextLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}
