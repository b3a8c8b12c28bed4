//! Atomic file writing. All files that sinew writes go through it.

mod file;
mod stale;
mod temporary;

pub use file::{AtomicFile, OverwritePolicy, SyncedFile, same_file, write_atomic};
pub use stale::StaleFiles;
