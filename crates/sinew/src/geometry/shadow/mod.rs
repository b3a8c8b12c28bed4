//! Shadow volumes: the parts of space that a light does not reach.

mod triangles;
mod vertices;
mod volume;

pub use volume::{Casters, ShadowBuffers, ShadowCast, ShadowSize, ShadowVolume};
