//! Geometry derived from the skinned mesh: normals, bones, bounds and picking.

mod bones;
mod bounds;
mod normals;
mod pick;
mod run_positions;

pub use bones::{add_bones, joint_positions};
pub use bounds::add_bounds;
pub use normals::add_normals;
pub use pick::{Hit, Picker};
pub use run_positions::RunPositions;
