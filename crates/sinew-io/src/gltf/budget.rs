//! How many bytes decoding may take. What a file claims costs nothing until it is decoded, so the account is kept where
//! memory is asked for.

use std::cell::Cell;

use crate::{Error, Options};

/// What any file may take, however small.
const FLOOR: u64 = 64 << 20;

/// What the tree of its JSON may take before that counts as well.
const TREE: u64 = 160 << 20;

/// What a file may take for each byte of its own. With the file itself, the tree and the floor, that keeps reading
/// below 256 MB and four times the file.
const FACTOR: u64 = 3;

/// Compressed bytes count as what they decode to, up to so many times their own number: real streams reach five.
const RATIO: u64 = 8;

#[derive(Debug)]
pub(crate) struct Budget {
    left: Cell<u64>,
    /// Whether the caller has set it, so that files beside the asset add nothing.
    fixed: bool,
}

impl Budget {
    /// What the caller sets, or else what a file of this many bytes justifies.
    pub(crate) fn new(options: &Options, input: usize) -> Self {
        let justified = (input as u64).saturating_mul(FACTOR).saturating_add(FLOOR);
        // No more than an array can have, whatever is set, so that no length overflows.
        let left = options.budget.unwrap_or(justified).min(isize::MAX as u64);
        Self { left: Cell::new(left), fixed: options.budget.is_some() }
    }

    /// A file beside the asset justifies more, once.
    pub(crate) fn grow(&self, bytes: u64) {
        if !self.fixed {
            let left = self.left.get().saturating_add(bytes.saturating_mul(FACTOR));
            self.left.set(left.min(isize::MAX as u64));
        }
    }

    /// A compressed stream justifies what it holds, unless that is beyond what such streams hold.
    pub(crate) fn grow_compressed(&self, compressed: u64, decoded: u64) {
        self.grow(decoded.min(compressed.saturating_mul(RATIO)));
    }

    /// Counts bytes that are about to be asked for.
    pub(crate) fn spend(&self, bytes: u64, place: &str) -> Result<(), Error> {
        let left = self.left.get();
        match left.checked_sub(bytes) {
            Some(rest) => {
                self.left.set(rest);
                Ok(())
            }
            None => Err(Error::fault(
                place,
                format!("at most the {left} bytes that are left of the budget for decoding"),
                format!("{bytes} bytes"),
            )),
        }
    }

    /// Counts the tree of the JSON.
    pub(crate) fn spend_tree(&self, bytes: u64) -> Result<(), Error> {
        self.spend(bytes.saturating_sub(TREE), "the JSON's tree")
    }
}
