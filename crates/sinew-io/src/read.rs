//! From a path or bytes to a model, whatever the kind.

use std::path::{Path, PathBuf};

use sinew::Model;

use crate::{Error, Oddities, Options, Report, md5};

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
    read_bytes(&bytes_of(path)?, options).map_err(|error| error.in_file(path))
}

/// Reads a model from memory. It has no folder, so files beside it are refused.
///
/// # Errors
///
/// When the bytes make no model; the error names the place.
pub fn read_bytes(bytes: &[u8], options: &Options) -> Result<Read, Error> {
    let mut report = Report::new(options.oddities == Oddities::Refuse);
    if !md5::is_md5(bytes) {
        return Err(Error::fault("", "a model of MD5", "something else"));
    }
    let model = md5::read_mesh(bytes, &clips(options)?, options, &mut report)?;
    Ok(Read { model, report })
}

/// The clips that the options name, each with the name of its file.
fn clips(options: &Options) -> Result<Vec<(String, Vec<u8>)>, Error> {
    let clip = |path: &PathBuf| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok((name, bytes_of(path)?))
    };
    options.clips.iter().map(clip).collect()
}

fn bytes_of(path: &Path) -> Result<Vec<u8>, Error> {
    std::fs::read(path).map_err(|source| Error::Io { file: path.to_owned(), source })
}
