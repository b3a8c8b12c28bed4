//! Every method that skins a mesh: the papers' and sinew's.

mod method;
mod output;
mod requirements;
mod skinner;
mod source_arrays;

pub use method::{Method, Simd};
pub use output::Output;
pub use requirements::Requirements;
pub use skinner::{Scratch, SkinInput, Skinner};
