//! Shadow volumes: what of space the light does not reach.

mod triangles;
mod vertices;
mod volume;

pub use volume::{Casters, ShadowBuffers, ShadowCast, ShadowSize, ShadowVolume};
