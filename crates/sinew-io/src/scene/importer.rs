//! The interface of a file format.

use super::context::ImportContext;
use super::raw_scene::RawScene;
use crate::Error;

/// A parser of one file format. [`Loader::with`](crate::Loader::with) adds one to the formats of
/// this crate.
pub trait Importer: Send + Sync {
    /// The name of the format, for messages.
    fn name(&self) -> &'static str;

    /// Whether the bytes begin like a file of this format.
    fn detect(&self, bytes: &[u8]) -> bool;

    /// Whether the format takes [clips](crate::ImportOptions::clips) from files of their own.
    fn takes_clips(&self) -> bool {
        false
    }

    /// Parses a file. The scene is checked and repaired afterwards, so an importer refuses only
    /// what it cannot parse. It must not recurse over the file, and must check every size that the
    /// file states against the bytes that are there, or [`spend`](ImportContext::spend) it, before
    /// it allocates.
    ///
    /// # Errors
    ///
    /// When the bytes are no scene. [`Error::invalid`] says where and why.
    fn read<'a>(&self, bytes: &'a [u8], context: &mut ImportContext<'_>) -> Result<RawScene<'a>, Error>;
}
