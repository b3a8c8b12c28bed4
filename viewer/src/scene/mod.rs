//! The scene: a model, its animation, and the placement of its copies.

mod animate;
mod animation_source;
mod embed;
mod environment;
mod grid;
mod load;
mod subject;
mod surfaces;
mod textures;

pub use animate::{AnimatedCopy, PoseSampler};
pub use animation_source::AnimationSource;
pub use environment::{default_camera, floor, motion_bounds, spacing, to_key_light};
pub use grid::Grid;
pub use load::{DroppedFile, load, load_bytes};
pub use subject::Subject;
pub use surfaces::{VertexColoring, gpu_unavailable_reason, recolor, surfaces};
