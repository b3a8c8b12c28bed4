//! What reading a file may take in memory.
//!
//! Vertices may share weights and joints may share components, so a small file could ask for the product of two of its
//! counts, and a joint takes far more than its text. Whatever grows with the file is charged here first.

use super::text::Place;
use crate::{Error, Options};

/// The bytes that may still be taken.
pub(super) struct Budget {
    left: u64,
}

impl Budget {
    /// As the options say, or what a model and its clips of so many bytes together justify. Text as exporters write it
    /// takes two to four times its size, so 60 MB of it pass in any case.
    pub(super) fn new(options: &Options, len: u64) -> Self {
        const FLOOR: u64 = 64 << 20;
        const FACTOR: u64 = 3;
        let justified = FLOOR.saturating_add(FACTOR.saturating_mul(len));
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
