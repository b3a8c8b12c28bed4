//! The memory budget of an import. A size that a file declares costs nothing until memory is
//! allocated for it, so allocations are counted.

use std::cell::Cell;
use std::fmt::Display;

use crate::ImportOptions;
use crate::error::BoxedError as Error;
use crate::sandbox::ExternalFile;

/// Bytes that any file may take.
const BASE: u64 = 64 << 20;

/// Bytes that the parsed JSON may take in addition to the budget.
const JSON_ALLOWANCE: u64 = 160 << 20;

/// Bytes that a file may take per byte of its own. With the file itself, the parsed JSON and the
/// minimum, an import stays below 256 MB plus four times the file.
const BYTES_PER_BYTE: u64 = 3;

/// The largest compression ratio that increases the budget: real streams reach five.
const MAX_RATIO: u64 = 8;

#[derive(Debug)]
pub(crate) struct Budget {
    left: Cell<u64>,
    /// Bytes that the parsed JSON may still take in addition.
    json_left: Cell<u64>,
    /// Whether the caller set the budget, so that external files do not increase it.
    fixed: bool,
}

impl Budget {
    /// The budget that the options set, or else the budget for a file of `input` bytes.
    pub(crate) fn new(options: &ImportOptions, input: u64) -> Self {
        let justified = input.saturating_mul(BYTES_PER_BYTE).saturating_add(BASE);
        // At most the size limit of an array, so that no length overflows.
        let left = options.memory_budget.unwrap_or(justified).min(isize::MAX as u64);
        let json_left = Cell::new(JSON_ALLOWANCE);
        Self { left: Cell::new(left), json_left, fixed: options.memory_budget.is_some() }
    }

    /// The bytes that are left.
    pub(crate) fn left(&self) -> u64 {
        self.left.get()
    }

    /// Increases the budget for an external file. Called once per file.
    pub(crate) fn grow(&self, bytes: u64) {
        if !self.fixed {
            let left = self.left.get().saturating_add(bytes.saturating_mul(BYTES_PER_BYTE));
            self.left.set(left.min(isize::MAX as u64));
        }
    }

    /// Increases the budget for the decoded bytes of a compressed stream, up to the largest ratio.
    pub(crate) fn grow_compressed(&self, compressed: u64, decoded: u64) {
        self.grow(decoded.min(compressed.saturating_mul(MAX_RATIO)));
    }

    /// Subtracts bytes that are about to be allocated.
    pub(crate) fn spend(&self, bytes: u64, location: impl Display) -> Result<(), Error> {
        let left = self.left.get();
        match left.checked_sub(bytes) {
            Some(rest) => {
                self.left.set(rest);
                Ok(())
            }
            None => Err(Error::invalid(
                location.to_string(),
                format!("at most {left} bytes, the rest of the memory budget"),
                format!("{bytes} bytes"),
            )),
        }
    }

    /// Subtracts `things` elements of `bytes` bytes each.
    pub(crate) fn charge(
        &self,
        location: impl Display,
        what: &str,
        things: u64,
        bytes: u64,
    ) -> Result<(), Error> {
        let (cost, left) = (things.saturating_mul(bytes), self.left.get());
        match left.checked_sub(cost) {
            Some(rest) => {
                self.left.set(rest);
                Ok(())
            }
            None => Err(Error::invalid(
                location.to_string(),
                format!("{what} of at most {left} bytes"),
                format!("{things}, which take {cost}"),
            )),
        }
    }

    /// Subtracts memory of the parsed JSON.
    pub(crate) fn spend_json(&self, bytes: u64) -> Result<(), Error> {
        let allowed = self.json_left.get().min(bytes);
        self.json_left.set(self.json_left.get() - allowed);
        self.spend(bytes - allowed, "the JSON")
    }

    /// Reads the first `len` bytes of an external file, which may increase the budget.
    pub(crate) fn read_file(&self, file: ExternalFile, len: usize, location: &str) -> Result<Vec<u8>, Error> {
        if file.is_new {
            self.grow(len as u64);
        }
        self.spend(len as u64, location)?;
        Ok(file.read(len, location)?)
    }
}
