//! The kernels: one file each, with the contract (a struct of borrowed slices) and the body over lanes.

pub(crate) mod crowd;
pub(crate) mod interpolate;
pub(crate) mod joints_to_matrices;
pub(crate) mod local_to_model;
pub(crate) mod matrices_to_joints;
pub(crate) mod matrices_to_scaled_joints;
pub(crate) mod model_to_local;
pub(crate) mod palette;
pub(crate) mod put_blocks;
pub(crate) mod rigid_model_to_local;
mod rotation;
mod rows;
pub(crate) mod skin_counted;
pub(crate) mod skin_forms;
pub(crate) mod skin_runs;
mod skin_vertices;
pub(crate) mod skin_weighted;
mod vector;

pub use crowd::{CrowdJointsToMatrices, CrowdLocalToModel, CrowdToPalette};
pub use interpolate::{Factor, Interpolate, InterpolateScales};
pub use joints_to_matrices::JointsToMatrices;
pub use local_to_model::LocalToModel;
pub use matrices_to_joints::MatricesToJoints;
pub use matrices_to_scaled_joints::MatricesToScaledJoints;
pub use model_to_local::ModelToLocal;
pub use palette::ToPalette;
pub use put_blocks::{Bitangents, Form, PutBlocks};
pub use skin_counted::SkinCounted;
pub use skin_forms::{SkinForms, Vertices};
pub use skin_runs::SkinRuns;
pub use skin_vertices::{Directions, Normals, Run, SkinVertices};
pub use skin_weighted::SkinWeighted;
