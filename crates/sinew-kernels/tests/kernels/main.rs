//! The tests of the kernels, one program: thirty would take minutes to link.

mod blend_joints;
mod corner_angles;
mod crowd;
mod dual_kinds;
mod every_kernel;
mod facing;
mod interpolate;
mod isa;
mod joints_to_matrices;
mod local_to_model;
mod matrices_to_joints;
mod matrices_to_scaled_joints;
mod model_to_local;
mod morph_blocks;
mod palette;
mod palette_to_duals;
mod papers;
mod papers_planes;
mod papers_skin;
mod planes;
mod put_blocks;
#[cfg(panic = "unwind")]
mod refusal;
mod skin;
mod skin_counted;
mod skin_duals;
mod skin_duals_promises;
mod skin_forms;
mod skin_weighted;
mod slerp_rotations;
mod warm_up;
mod wrong_lengths;
mod wrong_lengths_of_vertices;
