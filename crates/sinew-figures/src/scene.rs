//! Scenes by name.

use std::fmt;

use sinew::Skeleton;

use crate::cylinder::{Weighting, cylinder};
use crate::figure::{DEFAULT_VERTICES, figure};
use crate::twist::twist;
use crate::{Motion, Shape};

/// A skeleton, a surface that hangs on it, and what they can do.
#[derive(Clone, Debug)]
pub struct Scene {
    /// On the kernels that [`Skeleton::new`] takes.
    pub skeleton: Skeleton,
    /// The joints on which the shape hangs, in the order in which its influences count them: all of the
    /// skeleton.
    pub skin_joints: Vec<usize>,
    /// The surface at rest.
    pub shape: Shape,
    /// At least one.
    pub motions: Vec<Motion>,
}

/// The names that [`scene`] knows, each with what it gives.
pub const NAMES: [(&str, &str); 5] = [
    ("@cylinder", "a cylinder of 30 bones, four weights for each vertex"),
    ("@cylinder:WEIGHTS", "the same with 1, 2, 3 or 4 weights, or varying"),
    ("@figure", "a human figure of 64 joints and about 5000 vertices"),
    ("@figure:VERTICES", "the same with about so many vertices, up to 1000000"),
    ("@twist", "a cylinder of two joints, the upper of which turns by up to half a turn"),
];

/// The most vertices that can be asked for.
pub const MOST_VERTICES: usize = 1_000_000;

/// Makes the scene of a name: one of [`NAMES`].
///
/// # Errors
///
/// When there is no such scene, or what follows its colon does not fit it.
pub fn scene(name: &str) -> Result<Scene, Error> {
    let (kind, detail) = match name.split_once(':') {
        Some((kind, detail)) => (kind, Some(detail)),
        None => (name, None),
    };
    let made = match kind {
        "@cylinder" => cylinder(weighting(name, detail)?),
        "@figure" => figure(vertices(name, detail)?),
        "@twist" if detail.is_none() => twist(),
        _ => return Err(Error::UnknownName { name: name.to_owned() }),
    };
    made.map_err(Error::Skeleton)
}

fn weighting(name: &str, detail: Option<&str>) -> Result<Weighting, Error> {
    match detail {
        Some("1") => Ok(Weighting::One),
        Some("2") => Ok(Weighting::Two),
        Some("3") => Ok(Weighting::Three),
        None | Some("4") => Ok(Weighting::Four),
        Some("varying") => Ok(Weighting::Varying),
        Some(_) => Err(Error::BadWeights { name: name.to_owned() }),
    }
}

fn vertices(name: &str, detail: Option<&str>) -> Result<usize, Error> {
    let Some(detail) = detail else { return Ok(DEFAULT_VERTICES) };
    // `parse` alone would take a plus sign.
    let digits = detail.bytes().all(|byte| byte.is_ascii_digit());
    match detail.parse() {
        Ok(vertices) if digits && (1..=MOST_VERTICES).contains(&vertices) => Ok(vertices),
        _ => Err(Error::BadVertices { name: name.to_owned() }),
    }
}

/// Why there is no scene of a name.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// No scene is called so.
    UnknownName {
        /// The name.
        name: String,
    },
    /// A cylinder whose number of weights is none of those there are.
    BadWeights {
        /// The whole name.
        name: String,
    },
    /// A figure whose number of vertices is not a number from one to [`MOST_VERTICES`].
    BadVertices {
        /// The whole name.
        name: String,
    },
    /// The skeleton could not be made: `SINEW_ISA` names an instruction set that cannot be had.
    Skeleton(sinew::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownName { name } => {
                write!(f, "no scene is named {name:?}; there are ")?;
                for (i, (name, _)) in NAMES.iter().enumerate() {
                    write!(f, "{}{name}", if i == 0 { "" } else { ", " })?;
                }
                Ok(())
            }
            Self::BadWeights { name } => {
                write!(f, "{name:?}: expected @cylinder:1, :2, :3, :4 or :varying")
            }
            Self::BadVertices { name } => {
                write!(f, "{name:?}: expected a number of vertices from 1 to {MOST_VERTICES} after the colon")
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
