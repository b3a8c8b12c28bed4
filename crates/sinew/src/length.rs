//! The error for arguments of the wrong length, shared by all modules.

use std::{error, fmt};

/// A slice, pose or palette of the wrong length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LengthError {
    /// What has the wrong length.
    pub what: &'static str,
    /// The required length.
    pub expected: usize,
    /// The actual length.
    pub found: usize,
}

impl fmt::Display for LengthError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, expected, found } = self;
        write!(f, "{what}: expected {expected}, found {found}")
    }
}

impl error::Error for LengthError {}

/// Checks a length in constant time, so it is cheap enough for every frame.
pub(crate) fn check_len(what: &'static str, expected: usize, found: usize) -> Result<(), LengthError> {
    if expected == found { Ok(()) } else { Err(LengthError { what, expected, found }) }
}
