//! What follows the skin and is drawn over it: shadows, silhouettes, normals, bones, boxes, and what a click meets.

mod bones;
mod boxes;
mod faced;
mod normals;
mod pick;
mod points;

pub use bones::{bones, joint_places};
pub use boxes::boxes;
pub use faced::Faced;
pub use normals::normals;
pub use pick::{Hit, Picker};
pub use points::{Places, places};
