//! An owned buffer of skinned vertices.

use sinew_kernels::{Aabb, BLOCK, VectorBlock};

use crate::length::check_len;
use crate::mesh::MeshError;
use crate::mesh::{Attributes, Mesh};
use crate::skinning::SkinningError;

/// The skinned vertices of a mesh in run order: a buffer allocated once and written every frame.
#[derive(Clone, Debug)]
pub struct Skinned {
    attributes: Attributes,
    pub(crate) blocks: Vec<VectorBlock>,
    len: usize,
}

impl Skinned {
    /// Allocates a buffer for some of the mesh's attributes.
    ///
    /// # Errors
    ///
    /// If the mesh does not have the attributes.
    pub fn new(mesh: &Mesh, attributes: Attributes) -> Result<Self, SkinningError> {
        attributes.check(mesh)?;
        let blocks = vec![VectorBlock::default(); mesh.blocks() * attributes.vectors()];
        Ok(Self { attributes, blocks, len: mesh.len() })
    }

    /// The attributes that are skinned.
    #[must_use]
    pub fn attributes(&self) -> Attributes {
        self.attributes
    }

    /// The vectors of each block of eight slots: position, then the other attributes.
    #[must_use]
    pub fn blocks(&self) -> &[VectorBlock] {
        &self.blocks
    }

    /// The position of a vertex, by its index in the source.
    ///
    /// # Panics
    ///
    /// If the mesh does not have the vertex, or is not the mesh that was skinned.
    #[must_use]
    pub fn position(&self, mesh: &Mesh, vertex: usize) -> [f32; 3] {
        let slot = mesh.remap()[vertex] as usize;
        self.blocks[slot / BLOCK * self.attributes.vectors()].vector(slot % BLOCK)
    }

    /// The smallest AABB of all vertices. Pads repeat vertices and do not change it.
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

    /// Copies the positions in source order.
    ///
    /// # Errors
    ///
    /// If the buffer was created for a mesh of another size, or the slice does not have one element
    /// per vertex.
    pub fn positions(&self, mesh: &Mesh, to: &mut [[f32; 3]]) -> Result<(), SkinningError> {
        self.copy_in_source_order(mesh, Attributes::Positions, to)
    }

    /// Copies the normals in source order.
    ///
    /// # Errors
    ///
    /// If normals were not skinned, the buffer was created for a mesh of another size, or the slice
    /// does not have one element per vertex.
    pub fn normals(&self, mesh: &Mesh, to: &mut [[f32; 3]]) -> Result<(), SkinningError> {
        self.copy_in_source_order(mesh, Attributes::Normals, to)
    }

    /// Copies the tangents in source order, without their signs, which skinning does not change.
    ///
    /// # Errors
    ///
    /// If tangents were not skinned, the buffer was created for a mesh of another size, or the
    /// slice does not have one element per vertex.
    pub fn tangents(&self, mesh: &Mesh, to: &mut [[f32; 3]]) -> Result<(), SkinningError> {
        self.copy_in_source_order(mesh, Attributes::Tangents, to)
    }

    /// Copies the bitangents in source order.
    ///
    /// # Errors
    ///
    /// If bitangents were not skinned, the buffer was created for a mesh of another size, or the
    /// slice does not have one element per vertex.
    pub fn bitangents(&self, mesh: &Mesh, to: &mut [[f32; 3]]) -> Result<(), SkinningError> {
        self.copy_in_source_order(mesh, Attributes::Bitangents, to)
    }

    /// Copies the last attribute of `requested` in source order.
    fn copy_in_source_order(
        &self,
        mesh: &Mesh,
        requested: Attributes,
        to: &mut [[f32; 3]],
    ) -> Result<(), SkinningError> {
        if requested > self.attributes {
            return Err(MeshError::MissingAttributes { requested }.into());
        }
        self.check(mesh)?;
        check_len("vectors by vertex", mesh.len(), to.len())?;
        let (vectors, vector) = (self.attributes.vectors(), requested.vectors() - 1);
        for (to, &slot) in to.iter_mut().zip(mesh.remap()) {
            let slot = slot as usize;
            *to = self.blocks[slot / BLOCK * vectors + vector].vector(slot % BLOCK);
        }
        Ok(())
    }

    /// Checks that the buffer has the mesh's size.
    pub(crate) fn check(&self, mesh: &Mesh) -> Result<(), SkinningError> {
        self.attributes.check(mesh)?;
        check_len("skinned vertices", mesh.len(), self.len)?;
        Ok(check_len("skinned blocks", mesh.blocks() * self.attributes.vectors(), self.blocks.len())?)
    }
}
