//! The kernels, one per file: the contract (a struct of borrowed slices) and the body over lanes.
//!
//! Bodies loop over indices of small arrays (`for r in 0..3`). Iterators take twice as long to
//! compile, and some of their parts are not inlined without LTO. To walk slices in step, use
//! `inline_zip`.

pub(crate) mod add_pose_offsets;
pub(crate) mod add_poses;
mod blend_dual_quaternions;
pub(crate) mod blend_poses;
pub(crate) mod blend_two_poses;
pub(crate) mod block_bounds;
pub(crate) mod corner_angles;
mod decompose;
pub(crate) mod facing;
pub(crate) mod joints_to_matrices;
pub(crate) mod local_to_model;
pub(crate) mod matrices_to_joints;
pub(crate) mod matrices_to_scaled_joints;
mod matrix_rows;
pub(crate) mod model_to_local;
pub(crate) mod morph_blocks;
pub(crate) mod palette;
pub(crate) mod palette_to_dual_quaternions;
pub(crate) mod planes;
mod pose_blocks;
pub(crate) mod pose_to_model;
pub(crate) mod position_bounds;
pub(crate) mod rigid_model_to_local;
mod rotation;
pub(crate) mod sample_keys;
pub(crate) mod sample_packed_keys;
pub(crate) mod simulate_springs;
pub(crate) mod skin_dual_quaternions;
pub(crate) mod skin_into_layout;
pub(crate) mod skin_per_vertex_joints;
pub(crate) mod skin_pre_weighted;
pub(crate) mod skin_shared_joints;
pub(crate) mod skin_unique_positions;
mod skin_vertices;
pub(crate) mod slerp_poses;
mod slerp_weights;
pub(crate) mod store_vertices;
mod triangle_points;
mod vector;
pub(crate) mod warm_up;

pub use add_pose_offsets::AddPoseOffsets;
pub use add_poses::AddPoses;
pub use blend_poses::{BlendLayer, BlendPart, BlendPoses};
pub use blend_two_poses::BlendTwoPoses;
pub use block_bounds::BlockBounds;
pub use corner_angles::ToAngles;
pub use facing::ToFacing;
pub use joints_to_matrices::JointsToMatrices;
pub use local_to_model::LocalToModel;
pub use matrices_to_joints::MatricesToJoints;
pub use matrices_to_scaled_joints::MatricesToScaledJoints;
pub use model_to_local::ModelToLocal;
pub use morph_blocks::{MorphBlocks, MorphTarget};
pub use palette::ToPalette;
pub use palette_to_dual_quaternions::PaletteToDualQuaternions;
pub use planes::{PlaneNormals, ToPlanes};
pub use pose_blocks::Factor;
pub use pose_to_model::PoseToModel;
pub use position_bounds::PositionBounds;
pub use sample_keys::{FindStaleKeys, KeyFactor, KeyTarget, NlerpRotations, SampleRotations, SampleVectors};
pub use sample_packed_keys::{
    NlerpPackedRotations, PackedTarget, SamplePackedRotations, SamplePackedVectors,
};
pub use simulate_springs::{
    BoneLength, ColliderBlock, ColliderShape, PlannedCollider, SimulateSprings, SpringBone, SpringBoneBlock,
    SpringCenter, SpringPlan, SpringStep,
};
pub use skin_dual_quaternions::{DualJoints, SkinDualQuaternions};
pub use skin_into_layout::{LayoutOutput, RunGroup, SkinIntoLayout, SkinSource};
pub use skin_per_vertex_joints::SkinPerVertexJoints;
pub use skin_pre_weighted::SkinPreWeighted;
pub use skin_shared_joints::SkinSharedJoints;
pub use skin_unique_positions::SkinUniquePositions;
pub use skin_vertices::{DirectionLength, NormalTransform, Run, SkinVertices};
pub use slerp_poses::{PoseBlocks, SlerpPoses};
pub use store_vertices::{BitangentSource, StoreOutput, StoreVertices};
pub use triangle_points::TrianglePoints;
pub use warm_up::WarmUp;
