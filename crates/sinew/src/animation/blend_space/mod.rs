//! Blend spaces: clips at points of a line or a plane, blended by a position.

mod space;
mod triangulation;
mod weights;

pub use space::BlendSpace;
