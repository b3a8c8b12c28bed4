//! Models: skeleton, skins, surfaces and clips that belong together.

mod checked;
mod clip_bounds;
mod palettes;
mod parts;

pub use checked::{Model, ModelSource};
pub(crate) use palettes::{Palettes, PosedParts};
pub use parts::{Image, Material, Part, Surface, Texture, Up};
