//! The settings, and the option names by which the command line and URLs set them.

mod choices;
mod layers;
mod options;

pub use choices::{
    CYLINDER, CYLINDERS, DEFAULT_CYLINDERS, FIGURE, MAX_COPIES, MAX_OCTAVES, Motion, Settings, Threads,
    Weights,
};
pub use layers::{Layer, LayerSet};
pub use options::percent_decode;
