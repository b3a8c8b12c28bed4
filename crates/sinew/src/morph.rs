//! Morph targets: a mesh's vertices moved by weights, before a palette takes them.

use std::mem::size_of_val;

use sinew_kernels::{BLOCK, MorphBlocks, MorphTarget, VectorBlock};

use crate::error::check_len;
use crate::{Error, Mesh, MorphName, MorphSource};

/// The morph targets of a mesh in run order: for each the blocks that it moves, and by how much.
#[derive(Clone, Debug, Default)]
pub(crate) struct Morphs {
    names: Vec<Box<str>>,
    targets: Vec<MorphTarget>,
    /// Those of each target in ascending order; a block that it does not move is not there.
    blocks: Vec<u32>,
    deltas: Vec<VectorBlock>,
}

impl Morphs {
    /// Of sources that have been checked.
    pub(crate) fn new(sources: &[MorphSource<'_>], places: Places<'_>) -> Self {
        let mut morphs = Self::default();
        let mut slots = vec![0; places.vertex_of_place.len() / BLOCK];
        for source in sources {
            morphs.push(source, places, &mut slots);
        }
        morphs
    }

    /// Of a target the vectors of each block, the blocks, and their deltas.
    pub(crate) fn of_target(&self, target: usize) -> (usize, &[u32], &[VectorBlock]) {
        let &MorphTarget { vectors, first, blocks, deltas } = &self.targets[target];
        (vectors, &self.blocks[first..first + blocks], &self.deltas[deltas..deltas + blocks * vectors])
    }

    /// `slots` has an element for each block of the mesh; what it holds does not matter.
    fn push(&mut self, source: &MorphSource<'_>, places: Places<'_>, slots: &mut [u32]) {
        let (first, first_delta) = (self.blocks.len(), self.deltas.len());
        // Without deltas other than zero it is a target all the same, of no blocks.
        let mut vectors = 1;
        let mut blocks: Vec<u32> = Vec::new();
        for (vector, deltas) in source.vectors().into_iter().enumerate() {
            let before = blocks.len();
            blocks.extend(deltas.moved().map(|(vertex, _)| places.place_of_vertex[vertex] / BLOCK as u32));
            if blocks.len() > before {
                vectors = vector + 1;
            }
        }
        blocks.sort_unstable();
        blocks.dedup();
        for (slot, &block) in blocks.iter().enumerate() {
            slots[block as usize] = slot as u32;
        }
        self.deltas.resize(first_delta + blocks.len() * vectors, VectorBlock::default());
        for (vector, deltas) in source.vectors().into_iter().enumerate().take(vectors) {
            for (vertex, delta) in deltas.moved() {
                let place = places.place_of_vertex[vertex] as usize;
                let slot = slots[place / BLOCK] as usize;
                let to = &mut self.deltas[first_delta + slot * vectors + vector];
                for lane in places.lanes(vertex) {
                    to.set_vector(lane, delta);
                }
            }
        }
        self.names.push(source.name.into());
        self.targets.push(MorphTarget { vectors, first, blocks: blocks.len(), deltas: first_delta });
        self.blocks.extend(blocks);
    }
}

/// Where vertices stand, pads among them.
#[derive(Clone, Copy)]
pub(crate) struct Places<'a> {
    pub(crate) vertex_of_place: &'a [u32],
    pub(crate) place_of_vertex: &'a [u32],
}

impl Places<'_> {
    /// The lanes of a vertex in its block: its own, and pads that repeat it.
    fn lanes(&self, vertex: usize) -> impl Iterator<Item = usize> {
        let place = self.place_of_vertex[vertex] as usize;
        let block = place - place % BLOCK;
        // Pads follow their vertex, and end with its block.
        let alike = self.vertex_of_place[place..block + BLOCK].iter();
        let lanes = alike.take_while(|&&other| other as usize == vertex).count();
        (0..lanes).map(move |lane| place - block + lane)
    }
}

/// A mesh's vertices after morphing, in run order: memory that is taken once and written each frame.
///
/// All vectors of the mesh are there. Normals and tangents are as the weights make them, not of length one; skinning to
/// [`DirectionLength::Unit`](crate::DirectionLength::Unit) makes them so.
#[derive(Clone, Debug)]
pub struct Morphed {
    blocks: Vec<VectorBlock>,
    vectors: usize,
    len: usize,
}

impl Morphed {
    /// Memory for a mesh; until it is morphed, it holds the mesh as it is without weights.
    #[must_use]
    pub fn new(mesh: &Mesh) -> Self {
        Self { blocks: mesh.base.clone(), vectors: mesh.base_vectors, len: mesh.len() }
    }

    /// The vectors of each block of eight places: position, then normal, tangent and bitangent where the mesh has them.
    #[must_use]
    pub fn blocks(&self) -> &[VectorBlock] {
        &self.blocks
    }

    /// Vectors of each block: 1 to 4.
    #[must_use]
    pub fn vectors(&self) -> usize {
        self.vectors
    }

    /// Demands that it has the mesh's size.
    pub(crate) fn check(&self, mesh: &Mesh) -> Result<(), Error> {
        check_len("morphed vertices", mesh.len(), self.len)?;
        check_len("morphed vectors of a vertex", mesh.base_vectors, self.vectors)?;
        check_len("morphed blocks", mesh.base.len(), self.blocks.len())
    }
}

/// Morph targets.
impl Mesh {
    /// The number of morph targets.
    #[must_use]
    pub fn morph_count(&self) -> usize {
        self.morphs.targets.len()
    }

    /// The names of the morph targets, in the order of the source.
    pub fn morph_names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.morphs.names.iter().map(|name| &**name)
    }

    /// The bytes of all morph targets: deltas, and which blocks they move.
    #[must_use]
    pub fn morph_bytes(&self) -> usize {
        let Morphs { names: _, targets, blocks, deltas } = &self.morphs;
        size_of_val(&targets[..]) + size_of_val(&blocks[..]) + size_of_val(&deltas[..])
    }

    /// The vertices with weight x delta of every morph target added, in the order of the targets; a target with a weight
    /// of zero costs nothing. Weights may be negative or above one. Bitangents and the signs of tangents stay.
    ///
    /// # Errors
    ///
    /// When there are not as many weights as morph targets, a weight is not finite, or the memory is that of a mesh of
    /// another size.
    pub fn morph(&self, weights: &[f32], to: &mut Morphed) -> Result<(), Error> {
        let Morphs { names, targets, blocks, deltas } = &self.morphs;
        check_len("weights of morph targets", targets.len(), weights.len())?;
        if let Some(target) = weights.iter().position(|weight| !weight.is_finite()) {
            let weight = weights[target];
            return Err(Error::BadMorphWeight { target: MorphName::new(target, &names[target]), weight });
        }
        to.check(self)?;
        self.kernels.morph_blocks(MorphBlocks {
            base: &self.base,
            base_vectors: self.base_vectors,
            targets,
            blocks,
            deltas,
            weights,
            window: 0..self.padded_len() / BLOCK,
            output: &mut to.blocks,
        });
        Ok(())
    }
}
