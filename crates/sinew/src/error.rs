//! The error type that wraps the errors of all modules.

use std::{error, fmt};

use sinew_kernels::backend::Unavailable;

use crate::animation::AnimationError;
use crate::bounds::BoundsError;
use crate::crowd::CrowdError;
use crate::geometry::GeometryError;
use crate::length::LengthError;
use crate::mesh::MeshError;
use crate::model::ModelError;
use crate::query::QueryError;
use crate::skeleton::{NameError, SkeletonError};
use crate::skinning::SkinningError;

/// Any error of the library, one variant for each module. Messages say which item, what was
/// expected, what was found, and where.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// The backend that `SINEW_ISA` names is not available.
    Backend(Unavailable),
    /// A slice, pose or palette of the wrong length.
    Length(LengthError),
    /// A name that does not exist or is ambiguous.
    Name(NameError),
    /// An error of a skeleton, skin or pose.
    Skeleton(SkeletonError),
    /// An error of a clip, a blend or a pose modifier.
    Animation(AnimationError),
    /// An error of a mesh or its source data.
    Mesh(MeshError),
    /// An error of a palette or of skinning.
    Skinning(SkinningError),
    /// An error of planes, edges, normals or shadow volumes.
    Geometry(GeometryError),
    /// An error of bounds.
    Bounds(BoundsError),
    /// An error of a BVH or a query.
    Query(QueryError),
    /// An error of a model or its instances.
    Model(ModelError),
    /// An error of a crowd.
    Crowd(CrowdError),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Backend(unavailable) => write!(f, "{}: {unavailable}", sinew_kernels::backend::ENV_VAR),
            Self::Length(error) => error.fmt(f),
            Self::Name(error) => error.fmt(f),
            Self::Skeleton(error) => error.fmt(f),
            Self::Animation(error) => error.fmt(f),
            Self::Mesh(error) => error.fmt(f),
            Self::Skinning(error) => error.fmt(f),
            Self::Geometry(error) => error.fmt(f),
            Self::Bounds(error) => error.fmt(f),
            Self::Query(error) => error.fmt(f),
            Self::Model(error) => error.fmt(f),
            Self::Crowd(error) => error.fmt(f),
        }
    }
}

impl error::Error for Error {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::Backend(unavailable) => Some(unavailable),
            _ => None,
        }
    }
}

impl From<Unavailable> for Error {
    fn from(error: Unavailable) -> Self {
        Self::Backend(error)
    }
}

impl From<LengthError> for Error {
    fn from(error: LengthError) -> Self {
        Self::Length(error)
    }
}

impl From<NameError> for Error {
    fn from(error: NameError) -> Self {
        Self::Name(error)
    }
}

impl From<SkeletonError> for Error {
    fn from(error: SkeletonError) -> Self {
        Self::Skeleton(error)
    }
}

impl From<AnimationError> for Error {
    fn from(error: AnimationError) -> Self {
        Self::Animation(error)
    }
}

impl From<MeshError> for Error {
    fn from(error: MeshError) -> Self {
        Self::Mesh(error)
    }
}

impl From<SkinningError> for Error {
    fn from(error: SkinningError) -> Self {
        Self::Skinning(error)
    }
}

impl From<GeometryError> for Error {
    fn from(error: GeometryError) -> Self {
        Self::Geometry(error)
    }
}

impl From<BoundsError> for Error {
    fn from(error: BoundsError) -> Self {
        Self::Bounds(error)
    }
}

impl From<QueryError> for Error {
    fn from(error: QueryError) -> Self {
        Self::Query(error)
    }
}

impl From<ModelError> for Error {
    fn from(error: ModelError) -> Self {
        Self::Model(error)
    }
}

impl From<CrowdError> for Error {
    fn from(error: CrowdError) -> Self {
        Self::Crowd(error)
    }
}
