//! The papers' routines by every method there is: what the benches and `sinew bench` time and compare with `f64`.

mod conversions;
mod crowds;
mod method;
mod palettes;
mod routine;
mod skin_scene;
mod skins;
mod spaces;
mod worst;

pub use conversions::{ToJoints, ToMatrices};
pub use crowds::CrowdSpaces;
pub use method::Method;
pub use palettes::Palettes;
pub use routine::{Routine, race};
pub use skin_scene::SkinScene;
pub use spaces::{Spaces, Way};
pub use worst::Worst;
