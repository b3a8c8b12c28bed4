//! Files beside the asset, opened so that a document cannot reach outside its folder.

use std::path::{Path, PathBuf};

use crate::{Error, Outside};

/// The folder of an asset.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    outside: Outside,
}

impl Folder {
    /// The folder that `asset` is in.
    pub(crate) fn of(asset: &Path, outside: Outside) -> Self {
        let path = match asset.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
            _ => PathBuf::from("."),
        };
        Self { path, outside }
    }

    /// The first `len` bytes of a file beside the asset.
    pub(crate) fn read(&self, uri: &str, len: u64, place: &str) -> Result<Vec<u8>, Error> {
        let _ = self.outside;
        let path = self.path.join(uri);
        let bytes = std::fs::read(&path).map_err(|source| Error::Io { file: path.clone(), source })?;
        if (bytes.len() as u64) < len {
            return Err(Error::fault(place, format!("{len} bytes"), format!("{} bytes", bytes.len())));
        }
        Ok(bytes)
    }
}
