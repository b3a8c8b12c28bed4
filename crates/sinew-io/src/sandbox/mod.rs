//! External files of a document, opened so that it cannot reach outside its folder.

mod file_identity;
mod folder;
mod open_beneath;
mod regular_file;
mod relative_path;

pub(crate) use file_identity::FileIdentity;
pub(crate) use folder::{ExternalFile, SandboxedFolder};
pub(crate) use regular_file::read_file;
pub(crate) use relative_path::encode_uri;
