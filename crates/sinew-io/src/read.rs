//! From a path or bytes to a model, whatever the kind.

use std::path::Path;

use sinew::Model;

use crate::folder::Folder;
use crate::gltf::document::Document;
use crate::gltf::scene;
use crate::{Error, Oddities, Options, Report};

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
pub fn read_with(path: impl AsRef<Path>, options: &Options) -> Result<Read, Error> {
    let path = path.as_ref();
    let folder = Folder::of(path, options.outside);
    let bytes = std::fs::read(path).map_err(|source| Error::Io { file: path.to_owned(), source })?;
    read_parts(&bytes, Some(&folder), options).map_err(|error| error.in_file(path))
}

/// Reads a model from memory. It has no folder, so files beside it are refused.
///
/// # Errors
///
/// When the bytes make no model; the error names the place.
pub fn read_bytes(bytes: &[u8], options: &Options) -> Result<Read, Error> {
    read_parts(bytes, None, options)
}

fn read_parts(bytes: &[u8], folder: Option<&Folder>, options: &Options) -> Result<Read, Error> {
    let mut report = Report::new(options.oddities == Oddities::Refuse);
    let document = Document::open(bytes, folder, options, &mut report)?;
    let model = scene::build(&document, options, &mut report)?;
    Ok(Read { model, report })
}
