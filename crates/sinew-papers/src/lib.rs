//! The published methods that sinew starts from, as their papers describe them: baselines to test
//! and to time. Only the bench, the viewer and tests depend on this crate.
//!
//! [`plain`] is the papers' plain C in Rust; `sse2` and `sse3`, on x86-64, use these instruction
//! sets. Published clock cycles per joint or vertex, for 1024 of them in a warm cache, on a Pentium
//! 4 of 130 nm / 90 nm:
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
//! The first two come from J.M.P. van Waveren, *From Quaternion to Matrix and Back* (2005), the
//! next three from his *The Skeleton Assembly Line* (2005), the planes from his *Deriving Triangle
//! Plane Equations* (2005), the last two from his *Fast Skinning* (2005).
//!
//! Leigh Davies, *Optimized CPU-based Skinning for 3D Games* (2004), skins positions and normals
//! with one to four weights and renormalizes the normals. Published frames per second, for 64
//! cylinders of 2000 vertices on a Pentium 4 at 3.0 GHz:
//!
//! | here | in the paper | plain | SSE2 |
//! |---|---|---|---|
//! | `skin_standard` | a loop over the weights | 45 | |
//! | `skin_collapsed` | collapsed matrices | | |
//! | `skin_gathered` | four vertices at a time, unfriendly data | | 82 |
//! | `skin_friendly` | four vertices at a time, friendly data | | 98 |
//!
//! **Quaternions are conjugated here.** The papers' matrix of a quaternion is the transpose of the
//! usual one: their matrix of q is [`Matrix::from_joint`](sinew_kernels::Matrix::from_joint) of the
//! conjugate of q. Both conversions keep that convention, so they are inverses of each other.
//!
//! **Planes face backwards here.** The paper says that normals of counter-clockwise triangles point
//! to the front; its listing makes them point to the back, and so does the code here. A triangle
//! without area becomes NaN.
//!
//! **Zero normals are not handled.** Where the sum of a vertex's normals is zero, renormalizing it
//! gives NaN.

#![deny(unsafe_code)]

#[expect(unsafe_code, reason = "looks up matrices of joints that were checked when the mesh was built")]
mod davies_mesh;
#[cfg(target_arch = "x86_64")]
mod friendly_mesh;
#[expect(unsafe_code, reason = "walks a list that was checked when it was built")]
mod influences;
#[expect(unsafe_code, reason = "looks up parents that were checked when the list was built")]
mod parents;
pub mod plain;
#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "hand-written SSE2, as the papers describe it")]
pub mod sse2;
#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "hand-written SSE3, as the paper describes it")]
pub mod sse3;
#[cfg_attr(target_arch = "x86_64", expect(unsafe_code, reason = "reads the time stamp counter"))]
mod time_stamp;
#[expect(unsafe_code, reason = "looks up vertices of triangles that were checked when the list was built")]
mod triangle_list;
#[expect(unsafe_code, reason = "walks arrays whose lengths were checked when they were built")]
mod vertices;

pub use davies_mesh::{Mesh, PositionNormal, TransposedMatrix};
#[cfg(target_arch = "x86_64")]
pub use friendly_mesh::FriendlyMesh;
pub use influences::{Influences, JointWeight};
pub use parents::Parents;
pub use time_stamp::time_stamp;
pub use triangle_list::{PaddedVertex, TriangleList};
pub use vertices::{BindPose, Vertex, WeightedPositions};

/// Whether this program and this CPU have `sse3`.
#[must_use]
pub fn has_sse3() -> bool {
    #[cfg(target_arch = "x86_64")]
    return sse3::available();
    #[cfg(not(target_arch = "x86_64"))]
    return false;
}
