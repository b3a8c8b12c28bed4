//! Bounds of what moves, from joints alone.

mod boxes;
mod cells;
mod moved;
mod reach;
mod sphere;

pub(crate) use boxes::JointBoxes;
pub use moved::moved_bounds;
pub use reach::BoundsOptions;
pub use sphere::Sphere;
