//! The folder of a document, and the external files opened in it.

use std::cell::RefCell;
use std::collections::HashSet;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::{FileIdentity, open_beneath, regular_file, relative_path};
use crate::{Error, ExternalFiles};

/// The folder of a document.
#[derive(Debug)]
pub(crate) struct SandboxedFolder {
    path: PathBuf,
    external_files: ExternalFiles,
    /// The document itself, if it is a file.
    document: Option<FileIdentity>,
    opened: RefCell<OpenedFiles>,
}

/// The files that have been opened, each once.
#[derive(Debug, Default)]
struct OpenedFiles {
    known: HashSet<FileIdentity>,
    paths: Vec<PathBuf>,
}

/// An open external file, which is a regular file.
#[derive(Debug)]
pub(crate) struct ExternalFile {
    file: File,
    name: String,
    pub(crate) len: u64,
    /// Whether it is opened for the first time: each file adds to the memory budget once.
    pub(crate) is_new: bool,
}

impl SandboxedFolder {
    /// The folder that contains `document`.
    pub(crate) fn containing(document: &Path, external_files: ExternalFiles) -> Self {
        let path = match document.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
            _ => PathBuf::from("."),
        };
        let identity =
            std::fs::metadata(document).ok().map(|metadata| FileIdentity::new(&metadata, document));
        Self { path, external_files, document: identity, opened: RefCell::default() }
    }

    /// The files that have been opened so far, each once.
    pub(crate) fn opened_files(&self) -> Vec<PathBuf> {
        self.opened.borrow().paths.clone()
    }

    /// Opens the file that a URI names, without reading it.
    pub(crate) fn open(&self, uri: &str, location: &str) -> Result<ExternalFile, Error> {
        let (file, path, identity) = self.find(uri, location)?;
        let mut opened = self.opened.borrow_mut();
        let is_new = opened.known.insert(identity);
        if is_new {
            opened.paths.push(path);
        }
        Ok(ExternalFile { is_new, ..file })
    }

    /// Checks that there is a file that a URI names. A URI that must not be opened is not checked.
    pub(crate) fn check(&self, uri: &str, location: &str) -> Result<(), Error> {
        match relative_path::decode_uri(uri, location) {
            Ok(name) if relative_path::check(&name, location).is_ok() => self.find(uri, location).map(|_| ()),
            _ => Ok(()),
        }
    }

    /// Whether there is a regular file of this name in the folder or its subfolders, other than the
    /// document. Names that leave the folder are not looked for, whatever the options allow.
    pub(crate) fn has_file(&self, name: &str) -> bool {
        relative_path::check(name, "").is_ok() && self.find_name(name.to_owned(), "").is_ok()
    }

    fn find(&self, uri: &str, location: &str) -> Result<(ExternalFile, PathBuf, FileIdentity), Error> {
        self.find_name(relative_path::decode_uri(uri, location)?, location)
    }

    fn find_name(
        &self,
        name: String,
        location: &str,
    ) -> Result<(ExternalFile, PathBuf, FileIdentity), Error> {
        let file = match self.external_files {
            ExternalFiles::Anywhere => regular_file::open(&self.path.join(&name)),
            ExternalFiles::WithinFolder => {
                relative_path::check(&name, location)?;
                open_beneath::open(&self.path, &name)
            }
        };
        let opened = file.and_then(|file| Ok((regular_file::check(&file.metadata()?)?, file)));
        let (metadata, file) = opened.map_err(|error| unreadable(&name, &error, location))?;
        let path = self.path.join(&name);
        let identity = FileIdentity::new(&metadata, &path);
        if self.document.as_ref() == Some(&identity) {
            return Err(Error::invalid(location, "another file than the document", "the document itself"));
        }
        Ok((ExternalFile { file, name, len: metadata.len(), is_new: false }, path, identity))
    }
}

impl ExternalFile {
    /// Reads the first `len` bytes.
    pub(crate) fn read(mut self, len: usize, location: &str) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        // A sparse file may claim more bytes than there is memory.
        let reserved = bytes.try_reserve_exact(len).map_err(std::io::Error::from);
        let read = reserved.and_then(|()| {
            bytes.resize(len, 0);
            self.file.read_exact(&mut bytes)
        });
        read.map_err(|error| unreadable(&self.name, &error, location)).map(|()| bytes)
    }
}

fn unreadable(name: &str, error: &std::io::Error, location: &str) -> Error {
    let name: String = name.chars().take(80).collect();
    Error::invalid(location, "a regular file in the document's folder", format!("{name:?}: {error}"))
}
