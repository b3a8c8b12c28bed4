//! The methods of the papers sinew starts from, as they describe them: baselines to compare with.
//!
//! [`plain`] is their plain C in Rust; `sse2` and `sse3`, on x86-64, are what their names say. Cycles per joint
//! or vertex as published, for 1024 of them in a hot cache on a Pentium 4 of 130 nm / 90 nm:
//!
//! | here | in the papers | plain | SSE2 | SSE3 |
//! |---|---|---|---|---|
//! | `joints_to_matrices` | `ConvertJointQuatsToJointMats` | 54 / 62 | 30 / 34 | |
//! | `matrices_to_joints` | `ConvertJointMatsToJointQuats` | 172 / 173 | 61 / 72 | |
//! | `local_to_model` | `TransformSkeleton` | 130 / 163 | 53 / 53 | |
//! | `model_to_local` | `UntransformSkeleton` | 131 / 154 | 55 / 56 | |
//! | `palette` | `TransformJoints` | 135 / 148 | 36 / 48 | |
//! | `triangle_planes` | `DeriveTrianglePlanes` | 138 / 146 | 33 / 35 | |
//! | `skin_positions`, 2 weights | `TransformVerts` | 105 / 127 | 33 / 43 | - / 41 |
//! | `skin_vertices`, 2 weights | `TransformVertsAndTangents` | 192 / 225 | 75 / 88 | - / 80 |
//!
//! The first two come from J.M.P. van Waveren, *From Quaternion to Matrix and Back* (2005), the next three from
//! his *The Skeleton Assembly Line* (2005), then one from his *Deriving Triangle Plane Equations* (2005), the last two from
//! his *Fast Skinning* (2005).
//!
//! Leigh Davies, *Optimized CPU-based Skinning for 3D Games* (2004), skins positions and normals with one to four
//! weights and brings the normals back to length one. Frames per second as published, for 64 cylinders of 2000
//! vertices on a Pentium 4 of 3.0 GHz:
//!
//! | here | in the paper | plain | SSE2 |
//! |---|---|---|---|
//! | `skin_standard` | a loop over the weights | 45 | |
//! | `skin_collapsed` | collapsed matrices | | |
//! | `skin_gathered` | four vertices at a time, unfriendly data | | 82 |
//! | `skin_friendly` | four vertices at a time, friendly data | | 98 |
//!
//! **Quaternions are conjugated here.** The papers' matrix of a quaternion is the transpose of the usual one:
//! their matrix of q is [`Matrix::from_joint`](crate::Matrix::from_joint) of the conjugate of q. Both
//! conversions keep that convention, so they undo each other.
//!
//! **Planes are turned round here.** The paper says that normals of counter-clockwise triangles point to the front; its
//! listing makes them point to the back, and is kept. A triangle without area becomes NaN.
//!
//! **Nothing guards the normals.** Where the sum of a vertex's normals is zero, those that are brought back to
//! length one become NaN.

mod base;
mod counter;
mod davies;
#[cfg(target_arch = "x86_64")]
mod friendly;
mod influences;
mod parents;
mod plain_davies;
mod plain_joints;
mod plain_planes;
mod plain_skin;
mod planes;
#[cfg(target_arch = "x86_64")]
mod registers;
#[cfg(target_arch = "x86_64")]
mod sse2_conversions;
#[cfg(target_arch = "x86_64")]
mod sse2_davies;
#[cfg(target_arch = "x86_64")]
mod sse2_planes;
#[cfg(target_arch = "x86_64")]
mod sse2_skin;
#[cfg(target_arch = "x86_64")]
mod sse2_spaces;
#[cfg(target_arch = "x86_64")]
pub mod sse3;

/// The plain forms: one number after the other. The compiler still makes vectors of some.
pub mod plain {
    pub use super::plain_davies::*;
    pub use super::plain_joints::*;
    pub use super::plain_planes::triangle_planes;
    pub use super::plain_skin::*;
}

/// The SSE2 forms: one joint or vertex at a time in compressed calculations, and four at a time where cases differ
/// or the paper says so.
#[cfg(target_arch = "x86_64")]
pub mod sse2 {
    pub use super::sse2_conversions::*;
    pub use super::sse2_davies::*;
    pub use super::sse2_planes::*;
    pub use super::sse2_skin::*;
    pub use super::sse2_spaces::*;
}

pub use base::{BindPose, Vertex, WeightedPositions};
pub use counter::time_stamp;
pub use davies::{LitVertex, Mesh, Transposed};
#[cfg(target_arch = "x86_64")]
pub use friendly::FriendlyMesh;
pub use influences::{Influences, JointWeight};
pub use parents::Parents;
pub use planes::{LitPoint, TriangleList};

/// Whether this program and this CPU have `sse3`.
#[must_use]
pub fn has_sse3() -> bool {
    #[cfg(target_arch = "x86_64")]
    return sse3::available();
    #[cfg(not(target_arch = "x86_64"))]
    return false;
}
