//! Errors of skeletons, skins and poses.

use std::{error, fmt};

use sinew_kernels::backend::Unavailable;

use super::{JointId, JointName, MorphName, NameError, Transform};
use crate::length::LengthError;

/// Why a skeleton, skin or pose was rejected. Messages say which item, what was expected, what was
/// found, and where.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SkeletonError {
    /// The backend that `SINEW_ISA` names is not available.
    Backend(Unavailable),
    /// A slice, pose or palette of the wrong length.
    Length(LengthError),
    /// A name that does not exist or is ambiguous.
    Name(NameError),
    /// Something that must have at least one joint has none.
    Empty {
        /// What has no joints.
        what: &'static str,
    },
    /// More than 2^29 joints: 32-bit indices address their numbers in clips.
    TooManyJoints {
        /// The maximum number of joints.
        limit: usize,
        /// The number of joints found.
        found: usize,
    },
    /// A parent index that is not in the skeleton.
    ParentOutOfRange {
        /// The joint with this parent.
        joint: JointName,
        /// The parent's index.
        parent: usize,
        /// The number of joints in the skeleton.
        len: usize,
    },
    /// A parent that does not come before its child.
    ParentNotBefore {
        /// The joint with this parent.
        joint: JointName,
        /// The parent, which may be the joint itself.
        parent: JointName,
    },
    /// A transform with an element that is infinite or NaN.
    NotFinite {
        /// The joint with this transform.
        joint: JointName,
        /// The transform.
        found: Transform,
    },
    /// A rotation of length zero, which cannot be normalized.
    ZeroRotation {
        /// The joint with this rotation.
        joint: JointName,
    },
    /// A joint that is not in the skeleton.
    JointOutOfRange {
        /// The joint's index.
        joint: usize,
        /// The number of joints in the skeleton.
        len: usize,
    },
    /// A joint of a skin that is not in the skeleton.
    SkinJointOutOfRange {
        /// The index in the skin's list of joints.
        slot: usize,
        /// The joint's index in the skeleton.
        joint: usize,
        /// The number of joints in the skeleton.
        len: usize,
    },
    /// An inverse bind matrix with an element that is infinite or NaN.
    InverseBindNotFinite {
        /// The index in the skin's list of joints.
        slot: usize,
        /// The joint's index in the skeleton.
        joint: usize,
    },
    /// A joint whose model matrix in the rest pose is singular, so its inverse bind must be given.
    SingularRest {
        /// The joint.
        joint: JointName,
    },
    /// A range of joints that is outside the skeleton.
    RangeOutOfBounds {
        /// The first joint.
        start: usize,
        /// One past the last joint.
        end: usize,
        /// The number of joints.
        len: usize,
    },
    /// A morph weight that is infinite or NaN.
    BadMorphWeight {
        /// The morph target.
        target: MorphName,
        /// The weight.
        weight: f32,
    },
}

impl fmt::Display for SkeletonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Backend(unavailable) => write!(f, "{}: {unavailable}", sinew_kernels::backend::ENV_VAR),
            Self::Length(error) => error.fmt(f),
            Self::Name(error) => error.fmt(f),
            Self::Empty { what } => write!(f, "{what}: expected at least one joint, found none"),
            Self::TooManyJoints { limit, found } => {
                write!(f, "skeleton: expected at most {limit} joints, found {found}")
            }
            Self::ParentOutOfRange { joint, parent, len } => {
                write!(f, "{joint}: expected a parent below {len}, found {parent}")
            }
            Self::ParentNotBefore { joint, parent } if joint.joint == parent.joint => {
                write!(f, "{joint}: expected a parent that comes before it, found itself")
            }
            Self::ParentNotBefore { joint, parent } => {
                write!(f, "{joint}: expected a parent that comes before it, found {parent}")
            }
            Self::NotFinite { joint, found: Transform { rotation, translation, scale } } => write!(
                f,
                "{joint}: expected finite numbers, found rotation {rotation:?}, \
                 translation {translation:?}, scale {scale:?}"
            ),
            Self::ZeroRotation { joint } => {
                write!(f, "{joint}: expected a rotation of length one, found length zero")
            }
            Self::JointOutOfRange { joint, len } => {
                write!(f, "expected a joint below {len}, found {joint}")
            }
            Self::SkinJointOutOfRange { slot, joint, len } => {
                write!(f, "joint {slot} of the skin: expected a joint below {len}, found {joint}")
            }
            Self::InverseBindNotFinite { slot, joint } => write!(
                f,
                "inverse bind {slot} of the skin (joint {joint}): expected finite numbers, found others"
            ),
            Self::SingularRest { joint } => write!(
                f,
                "{joint}: expected a model matrix at rest that has an inverse, found none; \
                 give its inverse bind"
            ),
            Self::RangeOutOfBounds { start, end, len } => {
                write!(f, "expected a range of joints within 0..{len}, found {start}..{end}")
            }
            Self::BadMorphWeight { target, weight } => {
                write!(f, "weight of {target}: expected a finite number, found {weight:?}")
            }
        }
    }
}

impl error::Error for SkeletonError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::Backend(unavailable) => Some(unavailable),
            _ => None,
        }
    }
}

impl From<Unavailable> for SkeletonError {
    fn from(error: Unavailable) -> Self {
        Self::Backend(error)
    }
}

impl From<LengthError> for SkeletonError {
    fn from(error: LengthError) -> Self {
        Self::Length(error)
    }
}

impl From<NameError> for SkeletonError {
    fn from(error: NameError) -> Self {
        Self::Name(error)
    }
}

/// Checks that a joint exists and returns its index.
pub(crate) fn check_joint(joint: JointId, len: usize) -> Result<usize, SkeletonError> {
    let joint = joint.index();
    if joint < len { Ok(joint) } else { Err(SkeletonError::JointOutOfRange { joint, len }) }
}
