//! Errors.

use std::fmt;

/// Invalid input.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// A picture without pixels, or with too many.
    Size {
        /// Width in pixels.
        width: usize,
        /// Height in pixels.
        height: usize,
        /// The maximum of either.
        max: usize,
    },
    /// A triangle with a vertex index out of range.
    VertexIndex {
        /// Index of the triangle.
        triangle: usize,
        /// The vertex index.
        vertex: u32,
        /// The number of vertices.
        len: usize,
    },
    /// A camera without a valid view: a non-finite number, a target at the camera's position, an up
    /// direction parallel to the view direction, or a field of view or near distance not above
    /// zero.
    Camera {
        /// What was expected.
        reason: &'static str,
    },
    /// A texture without texels, or with a number of texels that is not width times height.
    TexelCount {
        /// Width times height.
        expected: usize,
        /// The number of texels given.
        found: usize,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size { width, height, max } => {
                write!(f, "picture of {width} x {height} pixels: expected 1 to {max} on each side")
            }
            Self::VertexIndex { triangle, vertex, len } => {
                write!(f, "triangle {triangle}: expected vertex indices below {len}, found {vertex}")
            }
            Self::Camera { reason } => write!(f, "camera: {reason}"),
            Self::TexelCount { expected, found } => {
                write!(f, "texture: expected {expected} texels and at least one, found {found}")
            }
        }
    }
}

impl std::error::Error for Error {}
