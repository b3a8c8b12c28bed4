//! The error type of bounds.

use std::{error, fmt};

use crate::length::LengthError;

/// Why bounds cannot be computed. Messages name the item, the expected value and the found value.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum BoundsError {
    /// A slice, pose or palette has the wrong length.
    Length(LengthError),
    /// Dual quaternions cannot blend joint-space influences, which have no single vertex position.
    DualQuaternionsInJointSpace,
}

impl fmt::Display for BoundsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length(error) => error.fmt(f),
            Self::DualQuaternionsInJointSpace => write!(
                f,
                "dual quaternions: expected one position for each vertex, found influences in joint space"
            ),
        }
    }
}

impl error::Error for BoundsError {}

impl From<LengthError> for BoundsError {
    fn from(error: LengthError) -> Self {
        Self::Length(error)
    }
}
