//! Errors of skinning.

use std::{error, fmt};

use sinew_kernels::VertexLayoutError;

use crate::length::LengthError;
use crate::mesh::MeshError;

/// An error in the input of skinning. It names the element, the expected value and the value found.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SkinningError {
    /// A slice or palette has the wrong length.
    Length(LengthError),
    /// An error from the mesh.
    Mesh(MeshError),
    /// A dual-quaternion weight is not from 0 to 1.
    BadDualQuaternionWeight {
        /// The vertex.
        vertex: usize,
        /// The weight.
        weight: f32,
    },
    /// Dual quaternions cannot blend joint-space influences, whose vertices have no single position
    /// to move.
    DualQuaternionsInJointSpace,
    /// The mesh was not built with the level of detail.
    NoLevel {
        /// The requested maximum number of influences per vertex.
        requested: usize,
    },
    /// A window of blocks is not within the mesh.
    WindowOutOfBounds {
        /// The first block.
        start: usize,
        /// The block after the last one.
        end: usize,
        /// The number of blocks in the mesh.
        len: usize,
    },
    /// Blocks were requested in source order. They only exist in run order.
    BlocksInSourceOrder,
    /// Morphed vertices in source order were to be skinned in run order.
    MorphedInSourceOrder,
    /// A fault in a vertex layout, or in the buffers given for one.
    VertexLayout(VertexLayoutError),
}

impl fmt::Display for SkinningError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length(error) => error.fmt(f),
            Self::Mesh(error) => error.fmt(f),
            Self::BadDualQuaternionWeight { vertex, weight } => write!(
                f,
                "dual-quaternion weight of vertex {vertex}: expected a number from 0 to 1, found {weight:?}"
            ),
            Self::DualQuaternionsInJointSpace => {
                write!(
                    f,
                    "dual quaternions: expected one position for each vertex, found influences in joint space"
                )
            }
            Self::NoLevel { requested } => write!(
                f,
                "level of detail: expected one that the mesh was built with, found at most {requested} influences"
            ),
            Self::WindowOutOfBounds { start, end, len } => {
                write!(f, "expected a window of blocks within 0..{len}, found {start}..{end}")
            }
            Self::BlocksInSourceOrder => write!(f, "blocks: expected run order, found source order"),
            Self::MorphedInSourceOrder => {
                write!(f, "morphed vertices: expected run order, found source order")
            }
            Self::VertexLayout(error) => error.fmt(f),
        }
    }
}

impl error::Error for SkinningError {}

impl From<LengthError> for SkinningError {
    fn from(error: LengthError) -> Self {
        Self::Length(error)
    }
}

impl From<MeshError> for SkinningError {
    fn from(error: MeshError) -> Self {
        Self::Mesh(error)
    }
}

impl From<VertexLayoutError> for SkinningError {
    fn from(error: VertexLayoutError) -> Self {
        Self::VertexLayout(error)
    }
}
