//! Files beside the asset, opened so that a document cannot reach outside its folder.

mod beneath;
mod identity;
mod name;
mod regular;

use std::cell::RefCell;
use std::collections::HashSet;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

pub(crate) use identity::Identity;
pub(crate) use regular::read_whole;

use crate::{Error, Outside};

/// The folder of an asset.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    outside: Outside,
    /// Which file the asset itself is, where it is one.
    asset: Option<Identity>,
    opened: RefCell<Opened>,
}

/// The files that have been opened, each once.
#[derive(Debug, Default)]
struct Opened {
    known: HashSet<Identity>,
    paths: Vec<PathBuf>,
}

/// A regular file that has been opened.
#[derive(Debug)]
pub(crate) struct Beside {
    file: File,
    name: String,
    pub(crate) len: u64,
    /// Whether it has not been opened before: each file justifies memory once.
    pub(crate) is_new: bool,
}

impl Folder {
    /// The folder that `asset` is in.
    pub(crate) fn of(asset: &Path, outside: Outside) -> Self {
        let path = match asset.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
            _ => PathBuf::from("."),
        };
        let identity = std::fs::metadata(asset).ok().map(|metadata| Identity::of(&metadata, asset));
        Self { path, outside, asset: identity, opened: RefCell::default() }
    }

    /// The files that have been opened so far, each once.
    pub(crate) fn opened(&self) -> Vec<PathBuf> {
        self.opened.borrow().paths.clone()
    }

    /// Opens the file that a URI names, and reads nothing yet.
    pub(crate) fn open(&self, uri: &str, place: &str) -> Result<Beside, Error> {
        let name = name::decode(uri, place)?;
        let file = match self.outside {
            Outside::Allow => regular::open(&self.path.join(&name)),
            Outside::Refuse => {
                name::check(&name, place)?;
                beneath::open(&self.path, &name)
            }
        };
        let opened = file.and_then(|file| Ok((regular::check(&file.metadata()?)?, file)));
        let (metadata, file) = opened.map_err(|error| unreadable(&name, &error, place))?;
        let path = self.path.join(&name);
        let identity = Identity::of(&metadata, &path);
        if self.asset.as_ref() == Some(&identity) {
            return Err(Error::fault(place, "a file beside the asset", "the asset itself"));
        }
        let mut opened = self.opened.borrow_mut();
        let is_new = opened.known.insert(identity);
        if is_new {
            opened.paths.push(path);
        }
        Ok(Beside { file, name, len: metadata.len(), is_new })
    }
}

impl Beside {
    /// The first `len` bytes.
    pub(crate) fn read(mut self, len: usize, place: &str) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        // A file may claim more than memory has.
        let room = bytes.try_reserve_exact(len).map_err(std::io::Error::from);
        let read = room.and_then(|()| {
            bytes.resize(len, 0);
            self.file.read_exact(&mut bytes)
        });
        read.map_err(|error| unreadable(&self.name, &error, place)).map(|()| bytes)
    }
}

fn unreadable(name: &str, error: &std::io::Error, place: &str) -> Error {
    let name: String = name.chars().take(80).collect();
    Error::fault(place, "a regular file below the asset's folder", format!("{name:?}: {error}"))
}
