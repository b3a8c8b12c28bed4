//! Files that are written atomically: the only way in which sinew writes any.

mod file;
mod stale;
mod temporary;

pub use file::{AtomicFile, OverwritePolicy, SyncedFile, same_file, write_atomic};
pub use stale::StaleFiles;
