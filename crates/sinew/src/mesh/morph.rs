//! Morph targets: weighted deltas, added to the vertices before skinning.

use std::mem::size_of_val;

use sinew_kernels::{BLOCK, MorphBlocks, MorphTarget, Segments, VectorBlock};

use crate::length::check_len;
use crate::mesh::{Mesh, MeshError, MorphSource, VertexOrder, check_vectors};
use crate::skeleton::MorphName;

/// The morph targets of a mesh in run order: the blocks that each target moves, and their deltas.
#[derive(Clone, Debug, Default)]
pub(crate) struct Morphs {
    names: Vec<Box<str>>,
    targets: Vec<MorphTarget>,
    /// The blocks of each target in ascending order. Blocks without deltas are left out.
    blocks: Vec<u32>,
    deltas: Vec<VectorBlock>,
}

impl Morphs {
    /// Converts morph sources that were already checked.
    pub(crate) fn new(sources: &[MorphSource<'_>], slot_map: SlotMap<'_>) -> Self {
        let mut morphs = Self::default();
        let mut entry_of_block = vec![0; slot_map.inverse_remap.len() / BLOCK];
        for source in sources {
            morphs.push(source, slot_map, &mut entry_of_block);
        }
        morphs
    }

    /// The number of vectors per block of a target, its blocks, and their deltas.
    pub(crate) fn target(&self, target: usize) -> (usize, &[u32], &[VectorBlock]) {
        let &MorphTarget { vectors, first, blocks, deltas } = &self.targets[target];
        (vectors, &self.blocks[first..first + blocks], &self.deltas[deltas..deltas + blocks * vectors])
    }

    /// Appends a target. `entry_of_block` is scratch memory with one element per block of the mesh.
    fn push(&mut self, source: &MorphSource<'_>, slot_map: SlotMap<'_>, entry_of_block: &mut [u32]) {
        let (first, first_delta) = (self.blocks.len(), self.deltas.len());
        // A target whose deltas are all zero is kept, with no blocks.
        let mut vectors = 1;
        let mut blocks: Vec<u32> = Vec::new();
        for (vector, deltas) in source.vectors().into_iter().enumerate() {
            let before = blocks.len();
            blocks.extend(deltas.nonzero().map(|(vertex, _)| slot_map.remap[vertex] / BLOCK as u32));
            if blocks.len() > before {
                vectors = vector + 1;
            }
        }
        blocks.sort_unstable();
        blocks.dedup();
        for (entry, &block) in blocks.iter().enumerate() {
            entry_of_block[block as usize] = entry as u32;
        }
        self.deltas.resize(first_delta + blocks.len() * vectors, VectorBlock::default());
        for (vector, deltas) in source.vectors().into_iter().enumerate().take(vectors) {
            for (vertex, delta) in deltas.nonzero() {
                let slot = slot_map.remap[vertex] as usize;
                let entry = entry_of_block[slot / BLOCK] as usize;
                let to = &mut self.deltas[first_delta + entry * vectors + vector];
                for lane in slot_map.lanes(vertex) {
                    to.set_vector(lane, delta);
                }
            }
        }
        self.names.push(source.name.into());
        self.targets.push(MorphTarget { vectors, first, blocks: blocks.len(), deltas: first_delta });
        self.blocks.extend(blocks);
    }
}

/// The mapping between vertices and slots, including pads.
#[derive(Clone, Copy)]
pub(crate) struct SlotMap<'a> {
    pub(crate) inverse_remap: &'a [u32],
    pub(crate) remap: &'a [u32],
}

impl SlotMap<'_> {
    /// The lanes of a vertex in its block: its own, and those of pads that repeat it.
    fn lanes(&self, vertex: usize) -> impl Iterator<Item = usize> {
        let slot = self.remap[vertex] as usize;
        let block = slot - slot % BLOCK;
        // Pads follow their vertex and end with its block.
        let repeats = self.inverse_remap[slot..block + BLOCK].iter();
        let lanes = repeats.take_while(|&&other| other as usize == vertex).count();
        (0..lanes).map(move |lane| slot - block + lane)
    }
}

/// The vertices of a mesh after morphing: a buffer allocated once and written every frame.
///
/// It has all attributes of the mesh. Normals and tangents are sums of deltas and not normalized;
/// skinning with [`DirectionLength::Unit`](crate::skinning::DirectionLength::Unit) normalizes them.
#[derive(Clone, Debug)]
pub struct Morphed {
    blocks: Vec<VectorBlock>,
    vectors: usize,
    len: usize,
    order: VertexOrder,
    /// The mesh's segments with morphed base vectors, in source order.
    segments: Option<Segments>,
}

impl Morphed {
    /// Allocates a buffer for a mesh, in run order. It holds the mesh without morphing until
    /// [`Mesh::morph`] writes it.
    #[must_use]
    pub fn new(mesh: &Mesh) -> Self {
        Self::in_order(mesh, VertexOrder::Run)
    }

    /// As [`new`](Self::new), in an order. Vertices in source order can be skinned into source
    /// order only, which on AVX2 takes a third of the time that it takes from run order, and need
    /// twice the memory. The first buffer in source order of a mesh copies the mesh's morph targets
    /// to that order.
    #[must_use]
    pub fn in_order(mesh: &Mesh, order: VertexOrder) -> Self {
        let (blocks, segments) = match order {
            VertexOrder::Run => (mesh.base.clone(), None),
            VertexOrder::Source => {
                mesh.source_morphs();
                (mesh.source_base().to_vec(), mesh.source_segments(None).cloned())
            }
        };
        Self { blocks, vectors: mesh.base_vectors, len: mesh.len(), order, segments }
    }

    /// Segments with the morphed base vectors; `None` in run order.
    pub(crate) fn segments(&self) -> Option<&Segments> {
        self.segments.as_ref()
    }

    /// The order of the vertices.
    #[must_use]
    pub fn order(&self) -> VertexOrder {
        self.order
    }

    /// The vectors of each block of eight slots or vertices: position, then normal, tangent and
    /// bitangent if the mesh has them.
    #[must_use]
    pub fn blocks(&self) -> &[VectorBlock] {
        &self.blocks
    }

    /// The number of vectors per block: 1 to 4.
    #[must_use]
    pub fn vectors(&self) -> usize {
        self.vectors
    }

    /// Checks that the buffer has the mesh's size.
    pub(crate) fn check(&self, mesh: &Mesh) -> Result<(), MeshError> {
        check_len("morphed vertices", mesh.len(), self.len)?;
        check_len("morphed vectors of a vertex", mesh.base_vectors, self.vectors)?;
        let blocks = mesh.len_in(self.order).div_ceil(BLOCK);
        Ok(check_len("morphed blocks", blocks * mesh.base_vectors, self.blocks.len())?)
    }
}

/// Morph targets.
impl Mesh {
    /// The number of morph targets.
    #[must_use]
    pub fn morph_count(&self) -> usize {
        self.morphs.targets.len()
    }

    /// The names of the morph targets, in source order.
    pub fn morph_names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.morphs.names.iter().map(|name| &**name)
    }

    /// The number of bytes of all morph targets: deltas and block indices.
    #[must_use]
    pub fn morph_bytes(&self) -> usize {
        let Morphs { names: _, targets, blocks, deltas } = &self.morphs;
        size_of_val(&targets[..]) + size_of_val(&blocks[..]) + size_of_val(&deltas[..])
    }

    /// Adds weight x delta of each morph target to the vertices, in the order of the targets. A
    /// weight may be negative or above one; a target with weight zero costs nothing. Bitangents and
    /// tangent signs do not change.
    ///
    /// # Errors
    ///
    /// If the number of weights is not that of morph targets, a weight is not finite, or the buffer
    /// was created for a mesh of another size.
    pub fn morph(&self, weights: &[f32], to: &mut Morphed) -> Result<(), MeshError> {
        let (base, morphs) = match to.order {
            VertexOrder::Run => (&self.base[..], &self.morphs),
            VertexOrder::Source => (self.source_base(), self.source_morphs()),
        };
        let Morphs { names, targets, blocks, deltas } = morphs;
        check_len("weights of morph targets", targets.len(), weights.len())?;
        if let Some(target) = weights.iter().position(|weight| !weight.is_finite()) {
            let weight = weights[target];
            return Err(MeshError::BadMorphWeight { target: MorphName::new(target, &names[target]), weight });
        }
        to.check(self)?;
        self.runtime.kernels().morph_blocks(MorphBlocks {
            base,
            base_vectors: self.base_vectors,
            targets,
            blocks,
            deltas,
            weights,
            window: 0..base.len() / self.base_vectors,
            output: &mut to.blocks,
        });
        if let Some(segments) = &mut to.segments {
            segments.replace_base(&to.blocks);
        }
        Ok(())
    }

    /// Replaces the positions of a buffer by the caller's own, one per vertex of the source: shapes
    /// that a program computes itself, such as those of body models or a simulation. Other
    /// attributes stay as they are. Allocates nothing.
    ///
    /// # Errors
    ///
    /// If there is not one position per vertex, a number is not finite, or the buffer was created
    /// for a mesh of another size.
    pub fn replace_positions(&self, positions: &[[f32; 3]], to: &mut Morphed) -> Result<(), MeshError> {
        check_len("positions", self.len(), positions.len())?;
        check_vectors("position", positions)?;
        to.check(self)?;
        let blocks = to.blocks.chunks_exact_mut(self.base_vectors);
        match to.order {
            VertexOrder::Run => {
                let (slots, _) = self.inverse_remap().as_chunks::<BLOCK>();
                for (block, vertices) in blocks.zip(slots) {
                    for (lane, &vertex) in vertices.iter().enumerate() {
                        block[0].set_vector(lane, positions[vertex as usize]);
                    }
                }
            }
            VertexOrder::Source => {
                for (block, vertices) in blocks.zip(positions.chunks(BLOCK)) {
                    for lane in 0..BLOCK {
                        // The last vertex is repeated to fill its block.
                        block[0].set_vector(lane, vertices[lane.min(vertices.len() - 1)]);
                    }
                }
            }
        }
        if let Some(segments) = &mut to.segments {
            segments.replace_base(&to.blocks);
        }
        Ok(())
    }
}
