//! Errors of models and instances.

use std::{error, fmt};

use crate::animation::AnimationError;
use crate::length::LengthError;
use crate::query::QueryError;
use crate::skeleton::{NameError, SkeletonError};
use crate::skinning::SkinningError;

/// An error of a model or an instance. It names the element, the expected value and the value
/// found.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ModelError {
    /// A slice or pose has the wrong length.
    Length(LengthError),
    /// A name does not exist or is not unique.
    Name(NameError),
    /// An error from the skeleton.
    Skeleton(SkeletonError),
    /// An error from animation.
    Animation(AnimationError),
    /// An error from skinning.
    Skinning(SkinningError),
    /// An error from a query.
    Query(QueryError),
    /// The model does not have the mesh instance.
    MeshInstanceOutOfRange {
        /// The index of the mesh instance.
        mesh_instance: usize,
        /// The number of mesh instances in the model.
        len: usize,
    },
    /// An element of a model refers to another one that the model does not have.
    NotInModel {
        /// The kind of element: "mesh instance", "primitive" or "material".
        of: &'static str,
        /// The index of the element.
        index: usize,
        /// The kind of element that it refers to.
        what: &'static str,
        /// The index that it refers to.
        found: usize,
        /// The number of such elements in the model.
        len: usize,
    },
    /// The model does not have the clip.
    ClipOutOfRange {
        /// The index of the clip.
        clip: usize,
        /// The number of clips in the model.
        len: usize,
    },
    /// A sample rate is not above zero or gives more than 2^24 samples.
    BadRate {
        /// Samples per second.
        found: f32,
        /// The duration to sample.
        seconds: f32,
    },
    /// A time is infinite or NaN.
    BadTime {
        /// The time in seconds.
        found: f64,
    },
    /// The time of a pose to record is not after that of the newest one.
    TimeNotAfter {
        /// The time of the newest pose in seconds.
        before: f64,
        /// The time of the pose to record, in seconds.
        found: f64,
    },
    /// A past pose was requested from an empty history.
    NoRecord,
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length(error) => error.fmt(f),
            Self::Name(error) => error.fmt(f),
            Self::Skeleton(error) => error.fmt(f),
            Self::Animation(error) => error.fmt(f),
            Self::Skinning(error) => error.fmt(f),
            Self::Query(error) => error.fmt(f),
            Self::MeshInstanceOutOfRange { mesh_instance, len } => {
                write!(f, "expected a mesh instance below {len}, found {mesh_instance}")
            }
            Self::NotInModel { of, index, what, found, len } => {
                write!(f, "{of} {index} of the model: expected a {what} below {len}, found {found}")
            }
            Self::ClipOutOfRange { clip, len } => {
                write!(f, "expected a clip below {len}, found {clip}")
            }
            Self::BadRate { found, seconds } => write!(
                f,
                "samples a second: expected more than zero and at most 2^24 in {seconds:?} s, found {found:?}"
            ),
            Self::BadTime { found } => {
                write!(f, "time: expected a finite number of seconds, found {found:?}")
            }
            Self::TimeNotAfter { before, found } => {
                write!(f, "time of the pose to record: expected one after {before:?} s, found {found:?} s")
            }
            Self::NoRecord => write!(f, "history: expected at least one recorded pose, found none"),
        }
    }
}

impl error::Error for ModelError {}

impl From<LengthError> for ModelError {
    fn from(error: LengthError) -> Self {
        Self::Length(error)
    }
}

impl From<NameError> for ModelError {
    fn from(error: NameError) -> Self {
        Self::Name(error)
    }
}

impl From<SkeletonError> for ModelError {
    fn from(error: SkeletonError) -> Self {
        Self::Skeleton(error)
    }
}

impl From<AnimationError> for ModelError {
    fn from(error: AnimationError) -> Self {
        Self::Animation(error)
    }
}

impl From<SkinningError> for ModelError {
    fn from(error: SkinningError) -> Self {
        Self::Skinning(error)
    }
}

impl From<QueryError> for ModelError {
    fn from(error: QueryError) -> Self {
        Self::Query(error)
    }
}
