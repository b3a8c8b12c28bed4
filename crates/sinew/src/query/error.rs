//! The error type of queries.

use std::{error, fmt};

use crate::bounds::BoundsError;
use crate::length::LengthError;
use crate::mesh::MeshError;
use crate::skinning::SkinningError;

/// Why a query failed. Messages name the item, the expected value and the found value.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum QueryError {
    /// A slice, pose or palette has the wrong length.
    Length(LengthError),
    /// The mesh data is invalid.
    Mesh(MeshError),
    /// Skinning failed.
    Skinning(SkinningError),
    /// Computing bounds failed.
    Bounds(BoundsError),
}

impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length(error) => error.fmt(f),
            Self::Mesh(error) => error.fmt(f),
            Self::Skinning(error) => error.fmt(f),
            Self::Bounds(error) => error.fmt(f),
        }
    }
}

impl error::Error for QueryError {}

impl From<LengthError> for QueryError {
    fn from(error: LengthError) -> Self {
        Self::Length(error)
    }
}

impl From<MeshError> for QueryError {
    fn from(error: MeshError) -> Self {
        Self::Mesh(error)
    }
}

impl From<SkinningError> for QueryError {
    fn from(error: SkinningError) -> Self {
        Self::Skinning(error)
    }
}

impl From<BoundsError> for QueryError {
    fn from(error: BoundsError) -> Self {
        Self::Bounds(error)
    }
}
