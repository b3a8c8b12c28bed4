//! Files that appear whole or not at all: the only way in which sinew writes any.

mod file;
mod temporaries;

pub use file::{Existing, WholeFile, same_file, write_whole};
pub use temporaries::{Removed, remove_temporaries};
