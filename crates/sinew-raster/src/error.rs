//! What can be wrong with what is handed in.

use std::fmt;

/// What can be wrong with what is handed in.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// A picture without pixels, or with too many.
    Size {
        /// Pixels from left to right.
        width: usize,
        /// Pixels from top to bottom.
        height: usize,
        /// The most of either.
        most: usize,
    },
    /// A triangle with a vertex that is not there.
    Corner {
        /// Which triangle.
        triangle: usize,
        /// The vertex it names.
        vertex: u32,
        /// How many there are.
        len: usize,
    },
    /// An eye that sees nothing: a number that is not finite, a target where the eye is, an upward direction along the
    /// line of sight, a slope or a near plane that is not above zero.
    Eye {
        /// What is wrong with it.
        what: &'static str,
    },
    /// A texture whose texels are not as many as its sides say, or are none.
    Texels {
        /// As many as the sides say.
        expected: usize,
        /// As many as there are.
        found: usize,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size { width, height, most } => {
                write!(f, "picture of {width} x {height} pixels: expected 1 to {most} on each side")
            }
            Self::Corner { triangle, vertex, len } => {
                write!(f, "triangle {triangle}: vertex {vertex} of {len}")
            }
            Self::Eye { what } => write!(f, "eye: {what}"),
            Self::Texels { expected, found } => {
                write!(f, "texture: expected {expected} texels and at least one, found {found}")
            }
        }
    }
}

impl std::error::Error for Error {}
