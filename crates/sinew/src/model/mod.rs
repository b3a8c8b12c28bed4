//! Models: skeleton, skins, surfaces and clips that belong together.

mod checked;
mod clip_bounds;
mod parts;

pub use checked::{Model, ModelSource};
pub use parts::{Image, Material, Part, Surface, Texture, Up};
