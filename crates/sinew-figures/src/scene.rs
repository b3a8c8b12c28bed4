//! Scenes, looked up by name.

use std::fmt;

use sinew::animation::SpringSource;
use sinew::{JointId, Skeleton};

use crate::cylinder::{Weighting, cylinder};
use crate::figure::{DEFAULT_VERTICES, figure};
use crate::ponytail::ponytail;
use crate::twist::twist;
use crate::{MeshArrays, Motion};

/// A skeleton, a skinned mesh and their motions.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The skeleton, with the kernels that [`Skeleton::new`] selects.
    pub skeleton: Skeleton,
    /// The joints of the skin. Influences index this list, which holds all joints of the skeleton.
    pub skin_joints: Vec<JointId>,
    /// The mesh at rest.
    pub mesh: MeshArrays,
    /// The motions; at least one.
    pub motions: Vec<Motion>,
    /// Chains of joints that swing; empty in most scenes.
    pub springs: SpringSource,
}

/// The names that [`scene`] knows, each with a description.
pub const NAMES: [(&str, &str); 6] = [
    ("@cylinder", "a cylinder with 30 joints and four weights per vertex"),
    ("@cylinder:WEIGHTS", "the cylinder with 1, 2, 3, 4 or `varying` weights per vertex"),
    ("@figure", "a human figure with 64 joints and about 5000 vertices"),
    ("@figure:VERTICES", "the figure with about VERTICES vertices, at most 1000000"),
    ("@ponytail", "a head that turns, with a ponytail of eight bones that springs move"),
    ("@twist", "a cylinder with two joints, the upper of which twists by up to 180 degrees"),
];

/// The maximum number of vertices of a figure.
pub const MAX_VERTICES: usize = 1_000_000;

/// Builds the scene with a name from [`NAMES`].
///
/// # Errors
///
/// When the name is unknown, or its parameter after the colon is invalid.
pub fn scene(name: &str) -> Result<Scene, Error> {
    let (kind, parameter) = match name.split_once(':') {
        Some((kind, parameter)) => (kind, Some(parameter)),
        None => (name, None),
    };
    let built = match kind {
        "@cylinder" => cylinder(weighting(name, parameter)?),
        "@figure" => figure(vertices(name, parameter)?),
        "@ponytail" if parameter.is_none() => ponytail(),
        "@twist" if parameter.is_none() => twist(),
        _ => return Err(Error::UnknownName { name: name.to_owned() }),
    };
    built.map_err(Error::Skeleton)
}

fn weighting(name: &str, parameter: Option<&str>) -> Result<Weighting, Error> {
    match parameter {
        Some("1") => Ok(Weighting::One),
        Some("2") => Ok(Weighting::Two),
        Some("3") => Ok(Weighting::Three),
        None | Some("4") => Ok(Weighting::Four),
        Some("varying") => Ok(Weighting::Varying),
        Some(_) => Err(Error::BadWeights { name: name.to_owned() }),
    }
}

fn vertices(name: &str, parameter: Option<&str>) -> Result<usize, Error> {
    let Some(parameter) = parameter else { return Ok(DEFAULT_VERTICES) };
    // `parse` alone would accept a plus sign.
    let is_digits = parameter.bytes().all(|byte| byte.is_ascii_digit());
    match parameter.parse() {
        Ok(vertices) if is_digits && (1..=MAX_VERTICES).contains(&vertices) => Ok(vertices),
        _ => Err(Error::BadVertices { name: name.to_owned() }),
    }
}

/// Why a scene could not be built.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// No scene has this name.
    UnknownName {
        /// The name.
        name: String,
    },
    /// The number of weights of a cylinder is invalid.
    BadWeights {
        /// The whole name.
        name: String,
    },
    /// The number of vertices of a figure is not a number from one to [`MAX_VERTICES`].
    BadVertices {
        /// The whole name.
        name: String,
    },
    /// The skeleton could not be built: `SINEW_ISA` names an instruction set that is not available.
    Skeleton(sinew::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownName { name } => {
                write!(f, "unknown procedural model {name:?}; expected one of ")?;
                for (i, (name, _)) in NAMES.iter().enumerate() {
                    write!(f, "{}{name}", if i == 0 { "" } else { ", " })?;
                }
                Ok(())
            }
            Self::BadWeights { name } => {
                write!(f, "{name:?}: expected @cylinder:1, :2, :3, :4 or :varying")
            }
            Self::BadVertices { name } => {
                write!(f, "{name:?}: expected a number of vertices from 1 to {MAX_VERTICES} after the colon")
            }
            Self::Skeleton(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Skeleton(error) => Some(error),
            _ => None,
        }
    }
}
