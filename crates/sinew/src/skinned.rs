//! Skinned vertices in memory of their own.

use sinew_kernels::{Aabb, BLOCK, VectorBlock};

use crate::error::check_len;
use crate::{Error, Mesh};

/// What to skin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Attributes {
    /// Positions.
    Positions,
    /// Positions and normals.
    Normals,
    /// Positions, normals and tangents.
    Tangents,
    /// Positions, normals, tangents and bitangents: those stored with the mesh, or, where it has none, normal x tangent
    /// times the tangent's sign.
    Bitangents,
}

impl Attributes {
    /// Vectors of each vertex.
    #[must_use]
    pub fn vectors(self) -> usize {
        match self {
            Self::Positions => 1,
            Self::Normals => 2,
            Self::Tangents => 3,
            Self::Bitangents => 4,
        }
    }

    /// All that a mesh has stored.
    #[must_use]
    pub fn of(mesh: &Mesh) -> Self {
        match mesh.base_vectors {
            1 => Self::Positions,
            2 => Self::Normals,
            3 => Self::Tangents,
            _ => Self::Bitangents,
        }
    }

    /// Vectors that a kernel skins: a bitangent may be made afterwards.
    pub(crate) fn skinned(self, mesh: &Mesh) -> usize {
        self.vectors().min(mesh.base_vectors)
    }

    /// Demands that the mesh has them.
    pub(crate) fn check(self, mesh: &Mesh) -> Result<(), Error> {
        match (mesh.base_vectors, self.vectors()) {
            (1, 2..) => Err(Error::MissingAttributes { asked: Self::Normals }),
            (2, 3..) => Err(Error::MissingAttributes { asked: Self::Tangents }),
            _ => Ok(()),
        }
    }
}

/// A mesh's vertices where a palette took them, in run order: memory that is taken once and written each frame.
#[derive(Clone, Debug)]
pub struct Skinned {
    attributes: Attributes,
    pub(crate) blocks: Vec<VectorBlock>,
    len: usize,
}

impl Skinned {
    /// Memory for some of a mesh's attributes.
    ///
    /// # Errors
    ///
    /// When the mesh does not have the attributes.
    pub fn new(mesh: &Mesh, attributes: Attributes) -> Result<Self, Error> {
        attributes.check(mesh)?;
        let blocks = vec![VectorBlock::default(); mesh.blocks() * attributes.vectors()];
        Ok(Self { attributes, blocks, len: mesh.len() })
    }

    /// What is skinned.
    #[must_use]
    pub fn attributes(&self) -> Attributes {
        self.attributes
    }

    /// The vectors of each block of eight places: position, then what else was asked for.
    #[must_use]
    pub fn blocks(&self) -> &[VectorBlock] {
        &self.blocks
    }

    /// Where a vertex of the mesh's source is.
    ///
    /// # Panics
    ///
    /// When the mesh does not have the vertex, or is not the one that was skinned.
    #[must_use]
    pub fn position(&self, mesh: &Mesh, vertex: usize) -> [f32; 3] {
        let place = mesh.place_of_vertex()[vertex] as usize;
        self.blocks[place / BLOCK * self.attributes.vectors()].vector(place % BLOCK)
    }

    /// The smallest box along the axes that holds all vertices; pads repeat vertices, and change nothing.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        let mut bounds = Aabb::EMPTY;
        for block in self.blocks.iter().step_by(self.attributes.vectors()) {
            for (axis, row) in block.rows.iter().enumerate() {
                for &element in row {
                    bounds.min[axis] = bounds.min[axis].min(element);
                    bounds.max[axis] = bounds.max[axis].max(element);
                }
            }
        }
        bounds
    }

    /// The positions in the order of the mesh's source.
    ///
    /// # Errors
    ///
    /// When the mesh does not fit, or the slice is not as long as the mesh.
    pub fn positions(&self, mesh: &Mesh, to: &mut [[f32; 3]]) -> Result<(), Error> {
        self.in_source_order(mesh, Attributes::Positions, to)
    }

    /// The normals in the order of the mesh's source.
    ///
    /// # Errors
    ///
    /// When normals were not skinned, the mesh does not fit, or the slice is not as long as the mesh.
    pub fn normals(&self, mesh: &Mesh, to: &mut [[f32; 3]]) -> Result<(), Error> {
        self.in_source_order(mesh, Attributes::Normals, to)
    }

    /// The tangents in the order of the mesh's source; their signs are as they were.
    ///
    /// # Errors
    ///
    /// When tangents were not skinned, the mesh does not fit, or the slice is not as long as the mesh.
    pub fn tangents(&self, mesh: &Mesh, to: &mut [[f32; 3]]) -> Result<(), Error> {
        self.in_source_order(mesh, Attributes::Tangents, to)
    }

    /// The bitangents in the order of the mesh's source.
    ///
    /// # Errors
    ///
    /// When bitangents were not skinned, the mesh does not fit, or the slice is not as long as the mesh.
    pub fn bitangents(&self, mesh: &Mesh, to: &mut [[f32; 3]]) -> Result<(), Error> {
        self.in_source_order(mesh, Attributes::Bitangents, to)
    }

    /// The last vector of `asked`.
    fn in_source_order(&self, mesh: &Mesh, asked: Attributes, to: &mut [[f32; 3]]) -> Result<(), Error> {
        if asked > self.attributes {
            return Err(Error::MissingAttributes { asked });
        }
        self.check(mesh)?;
        check_len("vectors by vertex", mesh.len(), to.len())?;
        let (vectors, vector) = (self.attributes.vectors(), asked.vectors() - 1);
        for (to, &place) in to.iter_mut().zip(mesh.place_of_vertex()) {
            let place = place as usize;
            *to = self.blocks[place / BLOCK * vectors + vector].vector(place % BLOCK);
        }
        Ok(())
    }

    /// Demands memory of the mesh's size.
    pub(crate) fn check(&self, mesh: &Mesh) -> Result<(), Error> {
        self.attributes.check(mesh)?;
        check_len("skinned vertices", mesh.len(), self.len)?;
        check_len("skinned blocks", mesh.blocks() * self.attributes.vectors(), self.blocks.len())
    }
}
