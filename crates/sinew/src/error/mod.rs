//! What can be wrong with what is handed to sinew.

mod kinds;
mod named;
mod text;

pub use kinds::Error;
pub(crate) use kinds::check_len;
pub use named::{JointName, MorphName, TrackName};
