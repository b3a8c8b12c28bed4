//! Why a vertex layout is refused.

use std::{error, fmt};

use crate::vertex_layout::{VertexAttribute, VertexFormat};

/// A fault in a vertex layout, or in the buffers given for one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VertexLayoutError {
    /// There are no attributes.
    NoAttributes,
    /// A fourth component or a stride was set for an attribute that the layout did not have.
    AbsentAttribute {
        /// The attribute.
        attribute: VertexAttribute,
    },
    /// An attribute does not fit into the stride.
    StrideTooSmall {
        /// The attribute.
        attribute: VertexAttribute,
        /// The smallest stride that fits, in bytes.
        expected: usize,
        /// The stride, in bytes.
        found: usize,
    },
    /// An offset or a stride is not a multiple of the size of a component.
    Misaligned {
        /// The attribute.
        attribute: VertexAttribute,
        /// What they must be multiples of, in bytes.
        multiple: usize,
        /// The offset, in bytes.
        offset: usize,
        /// The stride, in bytes.
        stride: usize,
    },
    /// Two attributes overlap.
    Overlap {
        /// One attribute.
        first: VertexAttribute,
        /// The other attribute.
        second: VertexAttribute,
    },
    /// The octahedral format stores directions only.
    OctahedralPosition,
    /// There is no position to read.
    NoPosition,
    /// Positions are read from `f32` only.
    QuantizedPosition {
        /// The format of the position.
        found: VertexFormat,
    },
    /// There is not one buffer for each buffer of the layout.
    BufferCount {
        /// The buffers of the layout.
        expected: usize,
        /// The buffers given.
        found: usize,
    },
    /// A buffer is too short.
    BufferTooShort {
        /// The index of the buffer.
        buffer: usize,
        /// The bytes needed.
        expected: usize,
        /// The bytes found.
        found: usize,
    },
    /// A buffer does not begin at a multiple of the size of a component.
    BufferMisaligned {
        /// The index of the buffer.
        buffer: usize,
        /// What its address must be a multiple of, in bytes.
        multiple: usize,
    },
}

impl fmt::Display for VertexLayoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoAttributes => write!(f, "vertex layout: expected at least one attribute, found none"),
            Self::AbsentAttribute { attribute } => write!(
                f,
                "vertex layout: expected the {} to be added before its fourth component or stride is set",
                attribute.name()
            ),
            Self::StrideTooSmall { attribute, expected, found } => write!(
                f,
                "vertex layout: expected a stride of at least {expected} bytes for the {}, found {found}",
                attribute.name()
            ),
            Self::Misaligned { attribute, multiple, offset, stride } => write!(
                f,
                "vertex layout: expected offset and stride of the {} to be multiples of {multiple} bytes, \
                 found offset {offset} and stride {stride}",
                attribute.name()
            ),
            Self::Overlap { first, second } => write!(
                f,
                "vertex layout: expected attributes that do not overlap, found {} and {} overlapping",
                first.name(),
                second.name()
            ),
            Self::OctahedralPosition => {
                write!(f, "vertex layout: expected a direction for the octahedral format, found the position")
            }
            Self::NoPosition => write!(f, "vertex layout: expected a position to read, found none"),
            Self::QuantizedPosition { found } => {
                write!(f, "vertex layout: expected a position of three or four f32 to read, found {found:?}")
            }
            Self::BufferCount { expected, found } => {
                write!(f, "vertex buffers: expected {expected}, found {found}")
            }
            Self::BufferTooShort { buffer, expected, found } => {
                write!(f, "vertex buffer {buffer}: expected at least {expected} bytes, found {found}")
            }
            Self::BufferMisaligned { buffer, multiple } => {
                write!(
                    f,
                    "vertex buffer {buffer}: expected an address that is a multiple of {multiple} bytes"
                )
            }
        }
    }
}

impl error::Error for VertexLayoutError {}
