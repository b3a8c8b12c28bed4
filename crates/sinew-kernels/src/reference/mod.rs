//! The kernels in plain `f64`, one element at a time: slow, obvious, and sharing no code with the
//! bodies that they check.

mod additive;
pub mod algebra;
mod blend_joints;
mod dual_quaternions;
mod interpolate;
mod joints_to_matrices;
mod local_to_model;
mod matrices_to_joints;
mod matrices_to_scaled_joints;
mod model_to_local;
mod morph;
mod palette;
mod planes;
mod skin;
mod springs;
mod vertex_formats;

pub use additive::{add_offset, add_rotation, add_scale};
pub use blend_joints::{mean, mean_rotation};
pub use dual_quaternions::{
    Dual, blend_dual_quaternions, dual_quaternion, dual_quaternion_to_matrix, matrix_to_dual_quaternion, mix,
    widen_dual_quaternion,
};
pub use interpolate::{lerp, nlerp, slerp};
pub use joints_to_matrices::joint_to_matrix;
pub use local_to_model::local_to_model;
pub use matrices_to_joints::matrix_to_rotation;
pub use matrices_to_scaled_joints::{ScaledJoint, matrix_to_scaled_joint};
pub use model_to_local::model_to_local;
pub use morph::morph;
pub use palette::palette;
pub use planes::{side, triangle_angles, triangle_plane, unit_plane};
pub use skin::{blend, skin_direction, skin_normal, skin_position, skin_pre_weighted, unit};
pub use springs::{SpringCharacter, SpringState, simulate_springs};
pub use vertex_formats::{half_to_number, normalized, number_to_half, octahedral_to_direction};
