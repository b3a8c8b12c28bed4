//! The kernels: one file each, with the contract (a struct of borrowed slices) and the body over lanes.

mod axes;
pub(crate) mod crowd;
mod dual_blend;
pub(crate) mod interpolate;
pub(crate) mod joints_to_matrices;
pub(crate) mod local_to_model;
pub(crate) mod matrices_to_joints;
pub(crate) mod matrices_to_scaled_joints;
pub(crate) mod model_to_local;
pub(crate) mod palette;
pub(crate) mod palette_to_duals;
pub(crate) mod rigid_model_to_local;
mod rotation;
mod rows;
pub(crate) mod skin_duals;
pub(crate) mod skin_runs;
mod skin_vertices;
mod vector;

pub use crowd::{CrowdJointsToMatrices, CrowdLocalToModel, CrowdToPalette};
pub use interpolate::{Factor, Interpolate, InterpolateScales};
pub use joints_to_matrices::JointsToMatrices;
pub use local_to_model::LocalToModel;
pub use matrices_to_joints::MatricesToJoints;
pub use matrices_to_scaled_joints::MatricesToScaledJoints;
pub use model_to_local::ModelToLocal;
pub use palette::ToPalette;
pub use palette_to_duals::PaletteToDuals;
pub use skin_duals::{DualJoints, SkinDuals};
pub use skin_runs::SkinRuns;
pub use skin_vertices::{Directions, Normals, Run, SkinVertices};
