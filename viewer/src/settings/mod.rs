//! The settings, and the option names by which the command line and URLs set them.

mod choices;
mod layers;
mod options;

pub use choices::{CYLINDERS, DEFAULT_CYLINDERS, MAX_COPIES, MAX_OCTAVES, Motion, Settings, Threads};
pub use layers::{Layer, LayerSet};
