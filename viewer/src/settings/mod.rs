//! All that a user can choose, and the names by which the command line and an address choose it.

mod choices;
mod layers;
mod named;

pub use choices::{CYLINDERS, DEFAULT_CYLINDERS, MOST_COPIES, MOST_OCTAVES, Motion, Settings, Threads};
pub use layers::{Layer, Shown};
