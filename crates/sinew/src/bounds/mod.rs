//! Bounds of posed meshes and models, computed from joints without skinning vertices.

mod center_extents;
mod dual_quaternion_margin;
mod error;
mod joint_boxes;
mod mesh_bounds;
mod min_max;
mod morph_bounds;
mod posed_joint_boxes;
mod rounding_margin;
mod shared_vertices;
mod sphere;
mod sub_boxes;
mod transform_aabb;

pub(crate) use center_extents::CenterExtents;
pub use error::BoundsError;
pub use mesh_bounds::{BoundsOptions, JointBounds};
pub(crate) use min_max::{max, min};
pub use sinew_kernels::Aabb;
pub use sphere::Sphere;
pub use transform_aabb::transform_aabb;
