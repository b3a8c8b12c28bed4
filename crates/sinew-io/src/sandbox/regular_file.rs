//! Opens regular files only: reading a pipe could block forever, and a device could return
//! anything.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::Path;

use crate::Error;

/// Opens a regular file at any path.
pub(super) fn open(path: &Path) -> io::Result<File> {
    // Checked first, since opening a pipe blocks until somebody writes to it.
    check(&std::fs::metadata(path)?)?;
    File::open(path)
}

/// Reads a whole file.
pub(crate) fn read_file(path: &Path) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    match open(path).and_then(|mut file| file.read_to_end(&mut bytes)) {
        Ok(_) => Ok(bytes),
        Err(source) => Err(Error::Io { file: path.to_owned(), source }),
    }
}

/// Returns the metadata if it is of a regular file.
pub(super) fn check(metadata: &Metadata) -> io::Result<Metadata> {
    if metadata.is_file() {
        return Ok(metadata.clone());
    }
    let found = if metadata.is_dir() { "a folder" } else { "a pipe, socket or device" };
    Err(io::Error::other(format!("{found}, not a regular file")))
}
