//! Regular files alone: a pipe would hang, a device could be anything.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::Path;

use crate::Error;

/// Opens a file wherever it is.
pub(super) fn open(path: &Path) -> io::Result<File> {
    // Before it is opened, since opening a pipe waits for somebody to write.
    check(&std::fs::metadata(path)?)?;
    File::open(path)
}

/// All of a file.
pub(crate) fn read_whole(path: &Path) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    match open(path).and_then(|mut file| file.read_to_end(&mut bytes)) {
        Ok(_) => Ok(bytes),
        Err(source) => Err(Error::Io { file: path.to_owned(), source }),
    }
}

/// The same, where it is of a regular file.
pub(super) fn check(metadata: &Metadata) -> io::Result<Metadata> {
    if metadata.is_file() {
        return Ok(metadata.clone());
    }
    let found = if metadata.is_dir() { "a folder" } else { "a pipe, socket or device" };
    Err(io::Error::other(format!("{found}, and no regular file")))
}
