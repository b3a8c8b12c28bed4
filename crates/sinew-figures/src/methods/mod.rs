//! Every way to skin a surface: the papers' methods and sinew's, on one mesh (feature `papers`).

mod demands;
mod lists;
mod method;
mod output;
mod skinner;

pub use demands::Demands;
pub use method::{Method, Simd};
pub use output::Output;
pub use skinner::{Scratch, Skinner, Subject};
