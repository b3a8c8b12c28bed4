//! The kernels: one file each, with the contract (a struct of borrowed slices) and the body over lanes.
//!
//! Bodies count through small arrays (`for r in 0..3`). Iterators over them take twice as long to
//! compile, and some have parts that stay calls where a program is compiled without LTO; where
//! slices are walked in step, `inline_zip` has none.

mod axes;
pub(crate) mod blend_joints;
pub(crate) mod corner_angles;
pub(crate) mod crowd;
mod dual_blend;
pub(crate) mod facing;
pub(crate) mod interpolate;
pub(crate) mod joints_to_matrices;
pub(crate) mod local_to_model;
pub(crate) mod matrices_to_joints;
pub(crate) mod matrices_to_scaled_joints;
pub(crate) mod model_to_local;
pub(crate) mod morph_blocks;
pub(crate) mod palette;
pub(crate) mod palette_to_duals;
pub(crate) mod planes;
pub(crate) mod put_blocks;
pub(crate) mod rigid_model_to_local;
mod rotation;
mod rows;
pub(crate) mod skin_counted;
pub(crate) mod skin_duals;
pub(crate) mod skin_forms;
pub(crate) mod skin_runs;
mod skin_vertices;
pub(crate) mod skin_weighted;
pub(crate) mod slerp_rotations;
mod triangle_points;
mod vector;
pub(crate) mod warm_up;

pub use blend_joints::{BlendJoints, BlendLayer, BlendPart};
pub use corner_angles::ToAngles;
pub use crowd::{CrowdJointsToMatrices, CrowdLocalToModel, CrowdToPalette};
pub use facing::ToFacing;
pub use interpolate::{Factor, Interpolate, InterpolateScales};
pub use joints_to_matrices::JointsToMatrices;
pub use local_to_model::LocalToModel;
pub use matrices_to_joints::MatricesToJoints;
pub use matrices_to_scaled_joints::MatricesToScaledJoints;
pub use model_to_local::ModelToLocal;
pub use morph_blocks::{MorphBlocks, MorphTarget};
pub use palette::ToPalette;
pub use palette_to_duals::PaletteToDuals;
pub use planes::{PlaneNormals, ToPlanes};
pub use put_blocks::{Bitangents, Form, PutBlocks};
pub use skin_counted::SkinCounted;
pub use skin_duals::{DualJoints, SkinDuals};
pub use skin_forms::{RunsAlike, SkinForms, Vertices};
pub use skin_runs::SkinRuns;
pub use skin_vertices::{Directions, Normals, Run, SkinVertices};
pub use skin_weighted::SkinWeighted;
pub use slerp_rotations::SlerpRotations;
pub use triangle_points::TrianglePoints;
pub use warm_up::WarmUp;
