//! Why a table could not be measured.

use std::fmt;

/// Why a table could not be measured.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The library refused what was measured.
    Sinew(sinew::Error),
    /// A scene could not be built.
    Scene(sinew_figures::Error),
    /// A method cannot skin the mesh, and why.
    Method(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sinew(error) => error.fmt(f),
            Self::Scene(error) => error.fmt(f),
            Self::Method(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for Error {}

macro_rules! from_library {
    ($($error:ty)*) => {
        $(impl From<$error> for Error {
            fn from(error: $error) -> Self {
                Self::Sinew(error.into())
            }
        })*
    };
}

from_library!(
    sinew::Error
    sinew::skeleton::SkeletonError
    sinew::mesh::MeshError
    sinew::skinning::SkinningError
    sinew::query::QueryError
    sinew::crowd::CrowdError
    sinew::animation::AnimationError
);

impl From<sinew_figures::Error> for Error {
    fn from(error: sinew_figures::Error) -> Self {
        Self::Scene(error)
    }
}
