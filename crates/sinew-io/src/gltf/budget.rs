//! How many bytes decoding may take. What a file claims costs nothing until it is decoded, so the account is kept where
//! memory is asked for.

use std::cell::Cell;

use crate::{Error, Options};

/// What any file may take, however small.
const FLOOR: u64 = 64 << 20;

/// What a file may take for each byte of its own.
const FACTOR: u64 = 4;

#[derive(Debug)]
pub(crate) struct Budget {
    whole: u64,
    left: Cell<u64>,
}

impl Budget {
    /// What the caller sets, or else what a file of this many bytes justifies.
    pub(crate) fn new(options: &Options, input: usize) -> Self {
        let whole = options.budget.unwrap_or_else(|| justified(input as u64));
        Self { whole, left: Cell::new(whole) }
    }

    /// Files beside the asset justify more, unless the caller has set the budget.
    pub(crate) fn grow(&self, options: &Options, bytes: u64) {
        if options.budget.is_none() {
            self.left.set(self.left.get().saturating_add(bytes.saturating_mul(FACTOR)));
        }
    }

    pub(crate) fn spend(&self, bytes: u64, place: &str) -> Result<(), Error> {
        match self.left.get().checked_sub(bytes) {
            Some(left) => {
                self.left.set(left);
                Ok(())
            }
            None => {
                let left = self.left.get();
                Err(Error::fault(
                    place,
                    format!("no more than the {left} bytes that are left of the {} for decoding", self.whole),
                    format!("{bytes} bytes"),
                ))
            }
        }
    }
}

fn justified(input: u64) -> u64 {
    input.saturating_mul(FACTOR).saturating_add(FLOOR)
}
