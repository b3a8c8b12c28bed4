//! Rays against a mesh as it is now: a tree of boxes, what rays hit in it, and skinning only what a ray meets.

mod aim;
mod boxes;
mod build;
mod cast;
mod exact;
mod joint;
mod ray;
mod tree;

pub use ray::{Faces, Ray, Side, TriangleHit};
pub use tree::Tree;
