//! Errors of building or morphing a mesh.

use std::{error, fmt};

use super::Attributes;
use crate::length::LengthError;
use crate::skeleton::MorphName;

/// An error in mesh data. It names the element, the expected value and the value found.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum MeshError {
    /// A slice has the wrong length.
    Length(LengthError),
    /// There are more vertices than indices can address.
    TooManyVertices {
        /// The maximum.
        limit: usize,
        /// The number of vertices.
        found: usize,
    },
    /// A vertex attribute is infinite or NaN.
    VertexNotFinite {
        /// The vertex.
        vertex: usize,
        /// The attribute.
        what: &'static str,
    },
    /// A weight is negative, infinite or NaN.
    BadWeight {
        /// The vertex.
        vertex: usize,
        /// The index of the joint in the skin.
        joint: u32,
        /// The weight.
        weight: f32,
    },
    /// A vertex has no weight above zero.
    NoWeight {
        /// The vertex.
        vertex: usize,
    },
    /// The sum of the weights of a vertex overflows `f32`, and
    /// [`Weights::AsStored`](super::Weights::AsStored) does not normalize it.
    SumOfWeightsNotFinite {
        /// The vertex.
        vertex: usize,
    },
    /// An inverse bind matrix is singular, but a joint-space influence needs its inverse.
    SingularBind {
        /// The index in the skin.
        skin_joint: usize,
        /// The index in the skeleton.
        joint: usize,
    },
    /// Positions are given with joint-space influences, which already define the positions.
    PositionsInJointSpace {
        /// The number of positions.
        found: usize,
    },
    /// A level of detail has a maximum of zero influences.
    EmptyLevel {
        /// The index in the list of levels.
        level: usize,
    },
    /// A vertex is influenced by a joint that the skin does not have.
    VertexJointOutOfRange {
        /// The vertex.
        vertex: usize,
        /// The index of the joint in the skin.
        joint: u32,
        /// The number of joints in the skin.
        len: usize,
    },
    /// A triangle has a vertex that the mesh does not have.
    TriangleOutOfRange {
        /// The triangle.
        triangle: usize,
        /// The vertex.
        vertex: u32,
        /// The number of vertices in the mesh.
        len: usize,
    },
    /// A range of triangles is not within the mesh.
    TriangleRangeOutOfBounds {
        /// The index in the list of ranges.
        range: usize,
        /// The first triangle.
        start: usize,
        /// The triangle after the last one.
        end: usize,
        /// The number of triangles in the mesh.
        len: usize,
    },
    /// Morph targets are given with joint-space influences, whose vertices have no single position
    /// to move.
    MorphsInJointSpace {
        /// The number of morph targets.
        found: usize,
    },
    /// A morph target has deltas for an attribute that the mesh does not have.
    MorphOfMissing {
        /// The morph target.
        target: MorphName,
        /// The attribute.
        what: &'static str,
    },
    /// The number of deltas of a morph target is neither the number of vertices nor that of its
    /// list.
    MorphLength {
        /// The morph target.
        target: MorphName,
        /// The attribute.
        what: &'static str,
        /// The expected number of deltas.
        expected: usize,
        /// The number of deltas.
        found: usize,
    },
    /// A morph target lists a vertex that the mesh does not have.
    MorphVertexOutOfRange {
        /// The morph target.
        target: MorphName,
        /// The attribute.
        what: &'static str,
        /// The vertex.
        vertex: u32,
        /// The number of vertices in the mesh.
        len: usize,
    },
    /// A morph target lists a vertex twice.
    MorphVertexTwice {
        /// The morph target.
        target: MorphName,
        /// The attribute.
        what: &'static str,
        /// The vertex.
        vertex: u32,
    },
    /// A morph delta is infinite or NaN.
    MorphNotFinite {
        /// The morph target.
        target: MorphName,
        /// The vertex.
        vertex: usize,
        /// The attribute.
        what: &'static str,
    },
    /// A morph weight is infinite or NaN.
    BadMorphWeight {
        /// The morph target.
        target: MorphName,
        /// The weight.
        weight: f32,
    },
    /// A mesh has tangents but no normals. The sign of a tangent refers to a cross product with the
    /// normal.
    TangentsWithoutNormals,
    /// A mesh has bitangents but no tangents.
    BitangentsWithoutTangents,
    /// The mesh does not have the requested normals or tangents, or they were not skinned.
    MissingAttributes {
        /// The requested attributes.
        requested: Attributes,
    },
    /// There are more influences than indices can address.
    TooManyInfluences {
        /// The maximum.
        limit: usize,
        /// The number of influences of all vertices.
        found: usize,
    },
    /// There are more triangles than indices can address.
    TooManyTriangles {
        /// The maximum.
        limit: usize,
        /// The number of triangles.
        found: usize,
    },
}

impl fmt::Display for MeshError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length(error) => error.fmt(f),
            Self::TooManyVertices { limit, found } => {
                write!(f, "mesh: expected at most {limit} vertices, found {found}")
            }
            Self::VertexNotFinite { vertex, what } => {
                write!(f, "{what} of vertex {vertex}: expected finite numbers, found others")
            }
            Self::BadWeight { vertex, joint, weight } => write!(
                f,
                "weight of vertex {vertex} for joint {joint}: expected a finite number from zero up, found {weight:?}"
            ),
            Self::NoWeight { vertex } => {
                write!(f, "weights of vertex {vertex}: expected one above zero, found none")
            }
            Self::SumOfWeightsNotFinite { vertex } => {
                write!(f, "weights of vertex {vertex}: expected a finite sum, found one too large")
            }
            Self::SingularBind { skin_joint, joint } => write!(
                f,
                "inverse bind {skin_joint} of the skin (joint {joint}): expected one that has an inverse, found none"
            ),
            Self::PositionsInJointSpace { found } => {
                write!(f, "positions: expected none with influences in joint space, found {found}")
            }
            Self::EmptyLevel { level } => {
                write!(f, "level of detail {level}: expected at least one influence, found none")
            }
            Self::VertexJointOutOfRange { vertex, joint, len } => {
                write!(f, "vertex {vertex}: expected a joint of the skin below {len}, found {joint}")
            }
            Self::TriangleOutOfRange { triangle, vertex, len } => {
                write!(f, "triangle {triangle}: expected a vertex below {len}, found {vertex}")
            }
            Self::TriangleRangeOutOfBounds { range, start, end, len } => {
                write!(f, "range {range} of triangles: expected one within 0..{len}, found {start}..{end}")
            }
            Self::MorphsInJointSpace { found } => {
                write!(f, "morph targets: expected none with influences in joint space, found {found}")
            }
            Self::MorphOfMissing { target, what } => {
                write!(f, "{target}: expected {what} of the mesh to move, found none")
            }
            Self::MorphLength { target, what, expected, found } => {
                write!(f, "{target}: expected {expected} deltas of {what}, found {found}")
            }
            Self::MorphVertexOutOfRange { target, what, vertex, len } => {
                write!(f, "{target}: expected {what} of vertices below {len}, found vertex {vertex}")
            }
            Self::MorphVertexTwice { target, what, vertex } => {
                write!(f, "{target}: expected {what} of each vertex once, found vertex {vertex} twice")
            }
            Self::MorphNotFinite { target, vertex, what } => write!(
                f,
                "{target}: delta of the {what} of vertex {vertex}: expected finite numbers, found others"
            ),
            Self::BadMorphWeight { target, weight } => {
                write!(f, "weight of {target}: expected a finite number, found {weight:?}")
            }
            Self::TangentsWithoutNormals => write!(f, "tangents: expected normals with them, found none"),
            Self::BitangentsWithoutTangents => {
                write!(f, "bitangents: expected tangents with them, found none")
            }
            Self::MissingAttributes { requested } => {
                let what = match requested {
                    Attributes::Positions => "positions",
                    Attributes::Normals => "normals",
                    Attributes::Tangents => "tangents",
                    Attributes::Bitangents => "bitangents",
                };
                write!(f, "expected {what}, found none")
            }
            Self::TooManyInfluences { limit, found } => {
                write!(f, "mesh: expected at most {limit} influences, found {found}")
            }
            Self::TooManyTriangles { limit, found } => {
                write!(f, "mesh: expected at most {limit} triangles, found {found}")
            }
        }
    }
}

impl error::Error for MeshError {}

impl From<LengthError> for MeshError {
    fn from(error: LengthError) -> Self {
        Self::Length(error)
    }
}

/// Checks that 32-bit indices can address all triangles.
pub(crate) fn check_triangle_count(found: usize) -> Result<(), MeshError> {
    let limit = u32::MAX as usize;
    if found > limit { Err(MeshError::TooManyTriangles { limit, found }) } else { Ok(()) }
}

/// Checks that 32-bit indices can address all influences.
pub(crate) fn check_influence_count(found: usize) -> Result<(), MeshError> {
    let limit = u32::MAX as usize;
    if found > limit { Err(MeshError::TooManyInfluences { limit, found }) } else { Ok(()) }
}

#[cfg(all(test, target_pointer_width = "64"))]
mod tests {
    use super::*;

    #[test]
    fn more_influences_than_32_bit_indices_address_are_an_error() {
        let limit = u32::MAX as usize;
        assert_eq!(check_influence_count(limit), Ok(()));
        let error = check_influence_count(limit + 1).unwrap_err();
        assert_eq!(error, MeshError::TooManyInfluences { limit, found: limit + 1 });
    }

    #[test]
    fn more_triangles_than_32_bit_indices_address_are_an_error() {
        let limit = u32::MAX as usize;
        assert_eq!(check_triangle_count(limit), Ok(()));
        let error = check_triangle_count(limit + 1).unwrap_err();
        assert_eq!(error, MeshError::TooManyTriangles { limit, found: limit + 1 });
        assert_eq!(error.to_string(), "mesh: expected at most 4294967295 triangles, found 4294967296");
    }
}
