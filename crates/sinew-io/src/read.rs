//! From a path or bytes to a model, whatever the kind.

use std::path::Path;

use sinew::Model;

use crate::{Error, Options, Report};

/// What was read.
#[derive(Clone, Debug)]
pub struct Read {
    /// The model, checked.
    pub model: Model,
    /// What was odd about the file, and what was done about it.
    pub report: Report,
}

/// Reads a model, as [`Options::default`] says. The kind is told by what is in the file, not by its name.
///
/// # Errors
///
/// When the file cannot be read or makes no model; the error names the place.
pub fn read(path: impl AsRef<Path>) -> Result<Read, Error> {
    read_with(path, &Options::default())
}

/// Reads a model. The kind is told by what is in the file, not by its name.
///
/// # Errors
///
/// When the file cannot be read or makes no model; the error names the place.
pub fn read_with(path: impl AsRef<Path>, _options: &Options) -> Result<Read, Error> {
    let path = path.as_ref();
    Err(Error::fault("", "a reader", "none yet").in_file(path))
}

/// Reads a model from memory. It has no folder, so files beside it are refused.
///
/// # Errors
///
/// When the bytes make no model; the error names the place.
pub fn read_bytes(_bytes: &[u8], _options: &Options) -> Result<Read, Error> {
    Err(Error::fault("", "a reader", "none yet"))
}
