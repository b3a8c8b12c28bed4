//! Which file it is, whatever it is called.

use std::fs::Metadata;
use std::path::Path;

#[cfg(unix)]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Identity {
    device: u64,
    node: u64,
}

#[cfg(unix)]
impl Identity {
    pub(crate) fn of(metadata: &Metadata, _path: &Path) -> Self {
        use std::os::unix::fs::MetadataExt;
        Self { device: metadata.dev(), node: metadata.ino() }
    }
}

#[cfg(not(unix))]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Identity(std::path::PathBuf);

#[cfg(not(unix))]
impl Identity {
    pub(crate) fn of(_metadata: &Metadata, path: &Path) -> Self {
        Self(path.canonicalize().unwrap_or_else(|_| path.to_owned()))
    }
}
