//! Models: a skeleton with its skins, primitives and clips, and instances of it.

mod clip_bounds;
mod clip_sampler;
mod error;
mod history;
pub(crate) mod instance;
mod model;
mod normal_transform;
mod palettes;
mod primitive;

pub use clip_sampler::ClipSampler;
pub use error::ModelError;
pub use history::History;
pub use instance::{Hit, Instance, InstanceOptions, JointMut, SkinnedModel};
pub use model::{Model, ModelSource};
pub(crate) use palettes::{Palettes, PosedMeshes};
pub use primitive::{
    AlphaMode, Image, Material, MeshInstance, Metadata, Primitive, Sampler, Texture, UpAxis,
};
