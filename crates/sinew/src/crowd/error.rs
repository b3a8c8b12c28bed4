//! Errors of crowds.

use std::{error, fmt};

use super::MemberId;
use crate::animation::AnimationError;
use crate::length::LengthError;
use crate::model::ModelError;
use crate::skinning::SkinningError;

/// An error of a crowd. It names the element, the expected value and the value found.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum CrowdError {
    /// A slice or pose has the wrong length.
    Length(LengthError),
    /// An error from animation.
    Animation(AnimationError),
    /// An error from skinning.
    Skinning(SkinningError),
    /// An error from the model.
    Model(ModelError),
    /// A member was removed, or belongs to another crowd.
    MemberNotFound {
        /// The id of the member.
        id: MemberId,
    },
    /// The crowd does not have the model.
    ModelOutOfRange {
        /// The index of the model.
        model: usize,
        /// The number of models in the crowd.
        len: usize,
    },
}

impl fmt::Display for CrowdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length(error) => error.fmt(f),
            Self::Animation(error) => error.fmt(f),
            Self::Skinning(error) => error.fmt(f),
            Self::Model(error) => error.fmt(f),
            Self::MemberNotFound { id } => write!(f, "expected a member of the crowd, found {id:?}"),
            Self::ModelOutOfRange { model, len } => {
                write!(f, "expected a model of the crowd below {len}, found {model}")
            }
        }
    }
}

impl error::Error for CrowdError {}

impl From<LengthError> for CrowdError {
    fn from(error: LengthError) -> Self {
        Self::Length(error)
    }
}

impl From<AnimationError> for CrowdError {
    fn from(error: AnimationError) -> Self {
        Self::Animation(error)
    }
}

impl From<SkinningError> for CrowdError {
    fn from(error: SkinningError) -> Self {
        Self::Skinning(error)
    }
}

impl From<ModelError> for CrowdError {
    fn from(error: ModelError) -> Self {
        Self::Model(error)
    }
}
