//! The memory budget of an import.
//!
//! Vertices may share weights and joints may share components, so the memory for a small file could
//! grow with the product of two of its counts; and a joint takes far more memory than text. Every
//! allocation that grows with the file is charged here first.

use super::tokenizer::Location;
use crate::{Error, ImportOptions};

/// The bytes that may still be allocated.
pub(super) struct Budget {
    left: u64,
}

impl Budget {
    /// The budget of the options, or the default for a model and clips of `len` bytes together. The
    /// text that exporters write needs two to four times its size, so 60 MB of it always pass.
    pub(super) fn new(options: &ImportOptions, len: u64) -> Self {
        const FLOOR: u64 = 64 << 20;
        const FACTOR: u64 = 3;
        let justified = FLOOR.saturating_add(FACTOR.saturating_mul(len));
        Self { left: options.memory_budget.unwrap_or(justified) }
    }

    /// Charges `things` elements of `bytes` bytes each.
    pub(super) fn charge(
        &mut self,
        location: Location,
        what: &str,
        things: u64,
        bytes: u64,
    ) -> Result<(), Error> {
        let cost = things.saturating_mul(bytes);
        match self.left.checked_sub(cost) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(Error::invalid(
                location.to_string(),
                format!("{what} of at most {} bytes", self.left),
                format!("{things}, which take {cost}"),
            )),
        }
    }
}
