//! The hot loops of sinew: conversions between joints and matrices, local to model space and back,
//! palettes, sampling and blending of poses, and skinning.
//!
//! Slices in, slices out. Every kernel has a contract (a struct of borrowed slices), an independent
//! `f64` [`reference`](mod@reference), and one body that is compiled for every instruction set. The
//! kernels compiled for one instruction set form a [`Backend`]: [`backend::default`] returns the
//! one to use on this machine, [`backend::get`] returns any by name.
//!
//! ```
//! use sinew_kernels::{FloatMode, Joint, JointsToMatrices, Matrix, backend};
//!
//! let joints = [Joint::new([0.0, 0.0, 0.0, 1.0], [1.0, 2.0, 3.0])];
//! let mut matrices = [Matrix::IDENTITY];
//! let kernels = backend::default()?.kernels(FloatMode::Fast);
//! kernels.joints_to_matrices(JointsToMatrices {
//!     joints: &joints,
//!     scales: None,
//!     matrices: &mut matrices,
//! });
//! assert_eq!(matrices[0].translation(), [1.0, 2.0, 3.0]);
//! # Ok::<(), backend::Unavailable>(())
//! ```

#![deny(unsafe_code)]
#![allow(clippy::needless_range_loop, reason = "bodies count through small arrays: see `kernels`")]

mod aabb;
mod affine_block;
pub mod backend;
mod block;
mod dual_quaternion;
#[cfg(any(feature = "glam", feature = "glam032"))]
mod glam_conversions;
mod joint;
mod kernels;
#[expect(unsafe_code, reason = "registers and their loads and stores")]
mod lanes;
mod matrix;
mod plane;
pub mod reference;
mod rotation_block;
#[expect(unsafe_code, reason = "calls through the backend that detection chose")]
mod table;
mod vertex_layout;
mod vertex_layout_error;

pub use aabb::Aabb;
pub use affine_block::AffineBlock;
pub use block::{JointIndexBlock, PreWeightedBlock, ScalarBlock, VectorBlock};
pub use dual_quaternion::DualQuaternion;
pub use joint::{Joint, Scale};
pub use kernels::*;
pub use lanes::joint_list::JointList;
pub use lanes::position_scratch::{MAX_UNIQUE_POSITIONS, PositionRemap};
pub use lanes::product_plan::ProductPlan;
pub use lanes::segments::{NO_JOINT, Segments};
pub use lanes::strided_positions::{StridedPositions, VertexBytes};
pub use lanes::triangles::Triangles;
pub use lanes::vertex_parts::VertexParts;
pub use lanes::vertex_writer::{VertexBuffer, VertexWriter};
pub use matrix::Matrix;
pub use plane::Plane;
pub use rotation_block::{RotationBlock, RotationKeyBlock};
pub use table::{Backend, FloatMode, Kernels};
pub use vertex_layout::{AttributeLayout, FourthComponent, VertexAttribute, VertexFormat, VertexLayout};
pub use vertex_layout_error::VertexLayoutError;

/// Whether blocks are written with non-temporal stores where that is wanted. Libraries in which
/// nothing wants it are built with `--cfg sinew_cached_stores`, and lack the loops.
pub const NON_TEMPORAL_STORES: bool = !cfg!(sinew_cached_stores);

/// Elements in a block: eight joints or vertices, stored component by component (SoA).
pub const BLOCK: usize = 8;

/// The parent index of a root joint. Any value not below the joint's own index means the same.
pub const NO_PARENT: u32 = u32::MAX;
