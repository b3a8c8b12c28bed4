//! The hot loops of sinew: joints to matrices and back, local to model space and back, palettes,
//! interpolation, the crowd forms of these, and skinning.
//!
//! Slices in, slices out. Every kernel has a contract (a struct of borrowed slices), an independent `f64`
//! [`reference`](mod@reference), and one body that runs on every instruction set. [`backend::default`] picks
//! the row of the machine; [`backend::get`] gives any row by name.
//!
//! ```
//! use sinew_kernels::{Joint, JointsToMatrices, Matrix, FloatMode, backend};
//!
//! let joints = [Joint::new([0.0, 0.0, 0.0, 1.0], [1.0, 2.0, 3.0])];
//! let mut matrices = [Matrix::IDENTITY];
//! let kernels = backend::default()?.kernels(FloatMode::Fast);
//! kernels.joints_to_matrices(JointsToMatrices { joints: &joints, scales: None, matrices: &mut matrices });
//! assert_eq!(matrices[0].translation(), [1.0, 2.0, 3.0]);
//! # Ok::<(), backend::Unavailable>(())
//! ```

#![deny(unsafe_code)]
#![allow(clippy::needless_range_loop, reason = "bodies count through small arrays: see `kernels`")]

mod aabb;
pub mod backend;
mod block;
mod dual_quaternion;
mod joint;
mod kernels;
#[expect(unsafe_code, reason = "registers and their loads and stores")]
mod lanes;
mod matrix;
#[cfg(feature = "papers")]
#[expect(unsafe_code, reason = "hand-written SSE2, kept as the papers describe it")]
pub mod papers;
mod plane;
pub mod reference;
#[expect(unsafe_code, reason = "calls through the row that detection chose")]
mod table;

pub use aabb::Aabb;
pub use block::{JointIndexBlock, PreWeightedBlock, ScalarBlock, VectorBlock};
pub use dual_quaternion::DualQuaternion;
pub use joint::{Joint, Scale};
pub use kernels::*;
pub use lanes::triangles::Triangles;
pub use matrix::{Matrix, MatrixBlock};
pub use plane::Plane;
pub use table::{Backend, FloatMode, Kernels};

/// How many elements a block holds, component by component: eight joints, instances or vertices.
pub const BLOCK: usize = 8;

/// The parent of a joint that has none. Any value that is not below the joint's own index means the same.
pub const NO_PARENT: u32 = u32::MAX;
