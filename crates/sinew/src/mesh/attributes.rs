//! Vertex attributes: position, normal, tangent and bitangent.

use super::Mesh;
use crate::mesh::MeshError;

/// Which attributes of a vertex are skinned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Attributes {
    /// Positions.
    Positions,
    /// Positions and normals.
    Normals,
    /// Positions, normals and tangents.
    Tangents,
    /// Positions, normals, tangents and bitangents. Bitangents are those stored in the mesh or, if
    /// it has none, computed as normal x tangent times the tangent's sign.
    Bitangents,
}

impl Attributes {
    /// The number of vectors per vertex.
    #[must_use]
    pub fn vectors(self) -> usize {
        match self {
            Self::Positions => 1,
            Self::Normals => 2,
            Self::Tangents => 3,
            Self::Bitangents => 4,
        }
    }

    /// All attributes that a mesh stores.
    #[must_use]
    pub fn stored_in(mesh: &Mesh) -> Self {
        match mesh.base_vectors {
            1 => Self::Positions,
            2 => Self::Normals,
            3 => Self::Tangents,
            _ => Self::Bitangents,
        }
    }

    /// The number of vectors that a skinning kernel transforms. A bitangent may be computed
    /// afterwards.
    pub(crate) fn skinned_vectors(self, mesh: &Mesh) -> usize {
        self.vectors().min(mesh.base_vectors)
    }

    /// Checks that the mesh has these attributes.
    pub(crate) fn check(self, mesh: &Mesh) -> Result<(), MeshError> {
        match (mesh.base_vectors, self.vectors()) {
            (1, 2..) => Err(MeshError::MissingAttributes { requested: Self::Normals }),
            (2, 3..) => Err(MeshError::MissingAttributes { requested: Self::Tangents }),
            _ => Ok(()),
        }
    }
}
