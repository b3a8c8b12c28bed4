//! The vertices of a member, and where they lie.

use std::ops::Range;

use sinew_kernels::{BLOCK, VectorBlock};

use super::MemberId;
use crate::{Attributes, InstanceOptions, Matrix, Model};

/// A member's vertices.
#[derive(Clone, Copy, Debug)]
pub struct SkinnedMember<'a> {
    /// Whose they are.
    pub id: MemberId,
    /// What it is an instance of.
    pub model: &'a Model,
    /// From where the vertices are to the world: the identity where palettes lead there.
    pub world: &'a Matrix,
    pub(super) parts: &'a [Placed],
    pub(super) blocks: &'a [VectorBlock],
}

impl<'a> SkinnedMember<'a> {
    /// The number of parts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.parts.len()
    }

    /// Whether there is no part.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// What of a part is skinned.
    ///
    /// # Panics
    ///
    /// When there is no such part.
    #[must_use]
    pub fn attributes(&self, part: usize) -> Attributes {
        self.parts[part].attributes
    }

    /// The vectors of each block of eight places of a part, in run order: position, then what else is skinned.
    ///
    /// # Panics
    ///
    /// When there is no such part.
    #[must_use]
    pub fn blocks(&self, part: usize) -> &'a [VectorBlock] {
        &self.blocks[self.parts[part].blocks.clone()]
    }

    /// The blocks of all parts, one part after the other.
    #[must_use]
    pub fn all_blocks(&self) -> &'a [VectorBlock] {
        self.blocks
    }

    /// Where a vertex of a part is, counted as in the file.
    ///
    /// # Panics
    ///
    /// When there is no such part or vertex.
    #[must_use]
    pub fn position(&self, part: usize, vertex: usize) -> [f32; 3] {
        let place = self.model.surface(part).mesh.place_of_vertex()[vertex] as usize;
        let vectors = self.attributes(part).vectors();
        self.blocks(part)[place / BLOCK * vectors].vector(place % BLOCK)
    }
}

/// Where a part's vertices are among those of a member.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub(super) attributes: Attributes,
    pub(super) blocks: Range<usize>,
}

impl Placed {
    /// Of all parts, one after the other.
    pub(super) fn all(model: &Model, options: &InstanceOptions) -> Vec<Self> {
        let mut end = 0;
        let place = |part| {
            let mesh = &model.surface(part).mesh;
            let attributes = options.attributes.min(Attributes::of(mesh));
            let blocks = end..end + mesh.blocks() * attributes.vectors();
            end = blocks.end;
            Self { attributes, blocks }
        };
        (0..model.parts().len()).map(place).collect()
    }

    /// Blocks of a member.
    pub(super) fn len(parts: &[Self]) -> usize {
        parts.last().map_or(0, |part| part.blocks.end)
    }
}
