//! The papers' routines with every implementation of each: what benches and `sinew bench` time and
//! compare with `f64`.

mod conversions;
mod implementation;
mod max_error;
mod palettes;
mod planes;
mod routine;
mod skin_mesh;
mod skinning;
mod spaces;

pub use conversions::{ToJoints, ToMatrices};
pub use implementation::Implementation;
pub use max_error::MaxError;
pub use palettes::Palettes;
pub use planes::Planes;
pub use routine::{Routine, compare};
pub use skin_mesh::SkinMesh;
pub use spaces::{Direction, Spaces};
