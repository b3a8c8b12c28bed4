//! The tests of the kernels, one program: thirty would take minutes to link.

mod backend;
mod blend_joints;
mod corner_angles;
mod crowd;
mod dual_kinds;
mod dual_quaternion_properties;
mod every_kernel;
mod facing;
mod interpolate;
mod joints_to_matrices;
mod local_to_model;
mod matrices_to_joints;
mod matrices_to_scaled_joints;
mod model_to_local;
mod morph_blocks;
mod palette;
mod palette_to_dual_quaternions;
mod papers;
mod papers_planes;
mod papers_skin;
mod planes;
#[cfg(panic = "unwind")]
mod refusal;
mod skin_dual_quaternions;
mod skin_into_layout;
mod skin_per_vertex_joints;
mod skin_pre_weighted;
mod skin_shared_joints;
mod slerp_rotations;
mod store_vertices;
mod warm_up;
mod wrong_lengths;
mod wrong_lengths_of_vertices;
