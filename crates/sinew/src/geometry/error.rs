//! The error type of derived geometry.

use std::{error, fmt};

use sinew_kernels::PlaneNormals;

use crate::length::LengthError;
use crate::mesh::MeshError;
use crate::skinning::SkinningError;

/// Why planes, edges, shadows or normals cannot be computed. Messages name the item, the expected
/// value and the found value.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum GeometryError {
    /// A slice, pose or palette has the wrong length.
    Length(LengthError),
    /// The mesh data is invalid.
    Mesh(MeshError),
    /// Skinning failed.
    Skinning(SkinningError),
    /// A buffer is too short for the largest possible output.
    TooShort {
        /// Name of the buffer.
        what: &'static str,
        /// Smallest sufficient length.
        least: usize,
        /// Length of the buffer.
        found: usize,
    },
    /// There are fewer positions than the triangles require.
    TooFewPositions {
        /// Number of positions that the triangles require.
        expected: usize,
        /// Number of positions.
        found: usize,
    },
    /// The normals of the planes have the wrong length.
    WrongPlaneNormals {
        /// How the planes must be derived.
        expected: PlaneNormals,
        /// How the planes were derived.
        found: PlaneNormals,
    },
}

impl fmt::Display for GeometryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length(error) => error.fmt(f),
            Self::Mesh(error) => error.fmt(f),
            Self::Skinning(error) => error.fmt(f),
            Self::TooShort { what, least, found } => {
                write!(f, "{what}: expected at least {least}, found {found}")
            }
            Self::TooFewPositions { expected, found } => {
                write!(
                    f,
                    "positions: expected at least {expected}, which the triangles require, found {found}"
                )
            }
            Self::WrongPlaneNormals { expected, found } => {
                let length = |normals: &PlaneNormals| match normals {
                    PlaneNormals::Unit => "one",
                    PlaneNormals::TwiceArea => "twice the area",
                };
                let (expected, found) = (length(expected), length(found));
                write!(f, "planes: expected normals of length {expected}, found {found}")
            }
        }
    }
}

impl error::Error for GeometryError {}

impl From<LengthError> for GeometryError {
    fn from(error: LengthError) -> Self {
        Self::Length(error)
    }
}

impl From<MeshError> for GeometryError {
    fn from(error: MeshError) -> Self {
        Self::Mesh(error)
    }
}

impl From<SkinningError> for GeometryError {
    fn from(error: SkinningError) -> Self {
        Self::Skinning(error)
    }
}
