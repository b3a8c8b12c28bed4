//! Rays against a mesh as it is now: a tree of boxes, what rays hit in it, and skinning only what a ray meets.

mod aim;
mod boxes;
mod build;
mod cast;
mod claims;
mod columns;
mod exact;
mod gather;
mod inside;
mod joint;
mod lazy;
mod lazy_cast;
mod measure;
mod nearest;
mod overlap;
mod ray;
mod tree;
mod waiting;

pub(crate) use build::Shape as TreeShape;
pub(crate) use claims::Claims;
pub use lazy::LazyTree;
pub use lazy_cast::LazyCast;
pub use nearest::SurfacePoint;
pub use overlap::Region;
pub use ray::{Faces, Ray, Side, TriangleHit};
pub use tree::Tree;
