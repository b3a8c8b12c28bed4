//! Rays against a mesh as it is now: a tree of boxes, what rays hit in it, and skinning only what a ray meets.

mod aim;
mod boxes;
mod build;
mod cast;
mod exact;
mod inside;
mod joint;
mod measure;
mod nearest;
mod overlap;
mod ray;
mod tree;
mod waiting;

pub use nearest::SurfacePoint;
pub use overlap::Region;
pub use ray::{Faces, Ray, Side, TriangleHit};
pub use tree::Tree;
