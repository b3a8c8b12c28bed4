//! Regular files alone: a pipe would hang, a device could be anything.

use std::fs::{File, Metadata};
use std::io::Read;
use std::path::Path;

use crate::Error;

/// Opens a file wherever it is.
pub(super) fn open(path: &Path, place: &str) -> Result<File, Error> {
    let told = |source| Error::Io { file: path.to_owned(), source };
    // Before it is opened, since opening a pipe waits for somebody to write.
    check(&std::fs::metadata(path).map_err(told)?, place)?;
    File::open(path).map_err(told)
}

/// All of a file.
pub(crate) fn read_whole(path: &Path) -> Result<Vec<u8>, Error> {
    let told = |source| Error::Io { file: path.to_owned(), source };
    let mut file = open(path, "").map_err(|error| error.in_file(path))?;
    let metadata = file.metadata().map_err(told)?;
    check(&metadata, "").map_err(|error| error.in_file(path))?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(told)?;
    Ok(bytes)
}

pub(super) fn check(metadata: &Metadata, place: &str) -> Result<(), Error> {
    if metadata.is_file() {
        return Ok(());
    }
    let found = if metadata.is_dir() { "a folder" } else { "a pipe, socket or device" };
    Err(Error::fault(place, "a regular file", found))
}
