//! What reading a file may take in memory.
//!
//! Vertices may share weights and joints may share components, so a small file could ask for the product of two of its
//! counts. Whatever is made more than once from the same bytes is charged here first.

use super::text::Place;
use crate::{Error, Options};

/// The bytes that may still be taken.
pub(super) struct Budget {
    left: u64,
}

impl Budget {
    /// As the options say, or what a file of this size justifies: enough for any file that shares little.
    pub(super) fn new(options: &Options, file_len: usize) -> Self {
        const ANY_FILE: u64 = 32 << 20;
        const FOR_EACH_BYTE: u64 = 8;
        let justified = ANY_FILE.saturating_add(FOR_EACH_BYTE.saturating_mul(file_len as u64));
        Self { left: options.budget.unwrap_or(justified) }
    }

    /// Takes so many things of so many bytes each.
    pub(super) fn charge(&mut self, place: Place, what: &str, things: u64, bytes: u64) -> Result<(), Error> {
        let cost = things.saturating_mul(bytes);
        match self.left.checked_sub(cost) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(Error::fault(
                place.to_string(),
                format!("{what} of at most {} bytes", self.left),
                format!("{things}, which take {cost}"),
            )),
        }
    }
}
