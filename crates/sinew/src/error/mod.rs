//! What can be wrong with what is handed to sinew.

mod kinds;
mod made;
mod named;
mod text;

pub use kinds::Error;
pub(crate) use made::{check_len, check_triangle_count};
pub use named::{JointName, MorphName, TrackName};
