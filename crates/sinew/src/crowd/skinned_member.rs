//! The skinned vertices of a member.

use std::ops::Range;

use sinew_kernels::Matrix;
use sinew_kernels::{BLOCK, VectorBlock};

use super::MemberId;
use crate::mesh::Attributes;
use crate::model::{InstanceOptions, Model};

/// The skinned vertices of a member.
#[derive(Clone, Copy, Debug)]
pub struct SkinnedMember<'a> {
    /// The id of the member.
    pub id: MemberId,
    /// The model of the member.
    pub model: &'a Model,
    /// The matrix from the vertices to world space: the identity if palettes are in world space.
    pub world: &'a Matrix,
    pub(super) mesh_instances: &'a [InstanceBlocks],
    pub(super) blocks: &'a [VectorBlock],
}

impl<'a> SkinnedMember<'a> {
    /// The number of mesh instances.
    #[must_use]
    pub fn len(&self) -> usize {
        self.mesh_instances.len()
    }

    /// Whether there are no mesh instances.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.mesh_instances.is_empty()
    }

    /// The attributes of a mesh instance that are skinned.
    ///
    /// # Panics
    ///
    /// If there is no such mesh instance.
    #[must_use]
    pub fn attributes(&self, mesh_instance: usize) -> Attributes {
        self.mesh_instances[mesh_instance].attributes
    }

    /// The vectors of each block of eight slots of a mesh instance, in run order: position, then
    /// the other attributes.
    ///
    /// # Panics
    ///
    /// If there is no such mesh instance.
    #[must_use]
    pub fn blocks(&self, mesh_instance: usize) -> &'a [VectorBlock] {
        &self.blocks[self.mesh_instances[mesh_instance].blocks.clone()]
    }

    /// The blocks of all mesh instances, one after the other.
    #[must_use]
    pub fn all_blocks(&self) -> &'a [VectorBlock] {
        self.blocks
    }

    /// The position of a vertex of a mesh instance, by its index in the file.
    ///
    /// # Panics
    ///
    /// If there is no such mesh instance or vertex.
    #[must_use]
    pub fn position(&self, mesh_instance: usize, vertex: usize) -> [f32; 3] {
        let slot = self.model.primitive(mesh_instance).mesh.remap()[vertex] as usize;
        let vectors = self.attributes(mesh_instance).vectors();
        self.blocks(mesh_instance)[slot / BLOCK * vectors].vector(slot % BLOCK)
    }
}

/// The blocks of a mesh instance among those of a member.
#[derive(Clone, Debug)]
pub(super) struct InstanceBlocks {
    pub(super) attributes: Attributes,
    pub(super) blocks: Range<usize>,
}

impl InstanceBlocks {
    /// The blocks of all mesh instances, one after the other.
    pub(super) fn all(model: &Model, options: &InstanceOptions) -> Vec<Self> {
        let mut end = 0;
        let blocks = |mesh_instance| {
            let mesh = &model.primitive(mesh_instance).mesh;
            let attributes = options.attributes.min(Attributes::stored_in(mesh));
            let blocks = end..end + mesh.blocks() * attributes.vectors();
            end = blocks.end;
            Self { attributes, blocks }
        };
        (0..model.mesh_instances().len()).map(blocks).collect()
    }

    /// The number of blocks of a member.
    pub(super) fn len(mesh_instances: &[Self]) -> usize {
        mesh_instances.last().map_or(0, |last| last.blocks.end)
    }
}
