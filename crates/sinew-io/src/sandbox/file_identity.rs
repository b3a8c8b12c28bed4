//! The identity of a file, independent of the path that leads to it.

use std::fs::Metadata;
use std::path::Path;

#[cfg(unix)]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct FileIdentity {
    device: u64,
    inode: u64,
}

#[cfg(unix)]
impl FileIdentity {
    pub(crate) fn new(metadata: &Metadata, _path: &Path) -> Self {
        use std::os::unix::fs::MetadataExt;
        Self { device: metadata.dev(), inode: metadata.ino() }
    }
}

#[cfg(not(unix))]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct FileIdentity(std::path::PathBuf);

#[cfg(not(unix))]
impl FileIdentity {
    pub(crate) fn new(_metadata: &Metadata, path: &Path) -> Self {
        Self(path.canonicalize().unwrap_or_else(|_| path.to_owned()))
    }
}
