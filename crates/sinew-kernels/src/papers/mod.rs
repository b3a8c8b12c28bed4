//! The methods of the papers sinew starts from, as they describe them: baselines to compare with.
//!
//! [`plain`] is their plain C in Rust, [`sse2`] their SSE2. Cycles per joint as published, for 1024 joints in
//! a hot cache on a Pentium 4 of 130 nm / 90 nm:
//!
//! | here | in the papers | plain | SSE2 |
//! |---|---|---|---|
//! | `joints_to_matrices` | `ConvertJointQuatsToJointMats` | 54 / 62 | 30 / 34 |
//! | `matrices_to_joints` | `ConvertJointMatsToJointQuats` | 172 / 173 | 61 / 72 |
//! | `local_to_model` | `TransformSkeleton` | 130 / 163 | 53 / 53 |
//! | `model_to_local` | `UntransformSkeleton` | 131 / 154 | 55 / 56 |
//! | `palette` | `TransformJoints` | 135 / 148 | 36 / 48 |
//!
//! The first two come from J.M.P. van Waveren, *From Quaternion to Matrix and Back* (2005), the others from
//! his *The Skeleton Assembly Line* (2005).
//!
//! **Quaternions are conjugated here.** The papers' matrix of a quaternion is the transpose of the usual one:
//! their matrix of q is [`Matrix::from_joint`](crate::Matrix::from_joint) of the conjugate of q. Both
//! conversions keep that convention, so they undo each other.

mod parents;
pub mod plain;
#[cfg(target_arch = "x86_64")]
pub mod sse2;

pub use parents::Parents;
