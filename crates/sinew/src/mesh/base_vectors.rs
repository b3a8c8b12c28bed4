//! The vectors of vertices at rest, copied to the layouts that kernels read. Numbers too small to
//! matter become zero.

use sinew_kernels::{BLOCK, ScalarBlock, VectorBlock};

use crate::math::flush;
use crate::mesh::MeshSource;

/// The vectors of all vertices, in source order: position, then normal, tangent and bitangent if
/// the mesh has them.
#[derive(Clone, Copy)]
pub(crate) struct BaseVectors<'a> {
    positions: &'a [[f32; 3]],
    normals: Option<&'a [[f32; 3]]>,
    tangents: Option<&'a [[f32; 4]]>,
    bitangents: Option<&'a [[f32; 3]]>,
}

impl<'a> BaseVectors<'a> {
    /// The vectors of a source that was already checked.
    pub(crate) fn new(source: &MeshSource<'a>) -> Self {
        let &MeshSource { positions, normals, tangents, bitangents, .. } = source;
        Self { positions, normals, tangents, bitangents }
    }

    /// The number of vectors per vertex.
    pub(crate) fn len(&self) -> usize {
        let directions = [self.normals.is_some(), self.tangents.is_some(), self.bitangents.is_some()];
        1 + directions.into_iter().filter(|&there| there).count()
    }

    /// The number of vertices.
    pub(crate) fn vertices(&self) -> usize {
        self.positions.len()
    }

    /// The vectors and the bitangent's signs of blocks of vertices. There are no signs without
    /// tangents.
    pub(crate) fn blocks(
        &self,
        blocks: impl ExactSizeIterator<Item = [u32; BLOCK]>,
    ) -> (Vec<VectorBlock>, Vec<ScalarBlock>) {
        let mut base = Vec::with_capacity(blocks.len() * self.len());
        let mut signs = Vec::with_capacity(if self.tangents.is_some() { blocks.len() } else { 0 });
        for vertices in blocks {
            self.push_block(&vertices, &mut base);
            signs.extend(self.signs(&vertices));
        }
        (base, signs)
    }

    /// Appends the vectors of a block.
    #[inline(always)]
    pub(crate) fn push_block(&self, vertices: &[u32; BLOCK], to: &mut Vec<VectorBlock>) {
        to.push(gather_block(self.positions, vertices));
        to.extend(self.normals.map(|normals| gather_block(normals, vertices)));
        to.extend(self.tangents.map(|tangents| gather_block(tangents, vertices)));
        to.extend(self.bitangents.map(|bitangents| gather_block(bitangents, vertices)));
    }

    /// The signs of the bitangents of a block; `None` without tangents.
    #[inline(always)]
    pub(crate) fn signs(&self, vertices: &[u32; BLOCK]) -> Option<ScalarBlock> {
        let sign = |tangents: &[[f32; 4]], vertex: u32| tangents[vertex as usize][3];
        self.tangents.map(|tangents| ScalarBlock(vertices.map(|vertex| sign(tangents, vertex))))
    }

    /// Appends the vectors of a vertex with their usual fourth components: 1 for positions, 0 for
    /// normals and bitangents, the bitangent's sign for tangents.
    #[inline(always)]
    pub(crate) fn push_vertex(&self, vertex: usize, to: &mut Vec<[f32; 4]>) {
        let three = |vectors: &[[f32; 3]], w: f32| {
            let [x, y, z] = vectors[vertex];
            [flush::scalar(x), flush::scalar(y), flush::scalar(z), w]
        };
        to.push(three(self.positions, 1.0));
        to.extend(self.normals.map(|normals| three(normals, 0.0)));
        to.extend(self.tangents.map(|tangents| {
            let [x, y, z, sign] = tangents[vertex];
            [flush::scalar(x), flush::scalar(y), flush::scalar(z), sign]
        }));
        to.extend(self.bitangents.map(|bitangents| three(bitangents, 0.0)));
    }
}

/// The vectors of eight vertices: the first three components.
#[inline(always)]
fn gather_block<const N: usize>(from: &[[f32; N]], vertices: &[u32; BLOCK]) -> VectorBlock {
    // Rows are put together from loaded components: loads of what was just stored in pieces would
    // wait.
    let vectors = vertices.map(|vertex| &from[vertex as usize]);
    let row = |axis: usize| vectors.map(|vector| flush::scalar(vector[axis]));
    VectorBlock { rows: [row(0), row(1), row(2)] }
}
