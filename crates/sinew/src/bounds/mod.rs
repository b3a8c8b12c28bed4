//! Bounds of what moves, from joints alone.

mod boxes;
mod cells;
mod extent;
mod frame;
mod moved;
mod partners;
mod reach;
mod shapes;
mod sphere;

pub(crate) use boxes::JointBoxes;
pub(crate) use extent::Extent;
pub use moved::moved_bounds;
pub(crate) use moved::{higher, lower};
pub(crate) use partners::Partners;
pub use reach::BoundsOptions;
pub use sphere::Sphere;
pub(crate) use sphere::about;
