//! The kernel: blocks of vertices in, any vertex layout out.

use super::block_layouts::{Blocks, NonTemporal, RemappedStreams, Streams, copy, store_all};
use super::bounds::RunningBounds;
use super::tile::{TILE_BLOCKS, Tile, TileVertices, store_tile};
use crate::lanes::Lanes;
use crate::{Aabb, BLOCK, DirectionLength, NON_TEMPORAL_STORES, ScalarBlock, VectorBlock, VertexParts};

/// Stores blocks of vertices in another layout, adds bitangents and computes the AABB of the
/// positions.
#[derive(Debug)]
pub struct StoreVertices<'a> {
    /// `vectors` for each block: position, normal, tangent, bitangent.
    pub blocks: &'a [VectorBlock],
    /// Vectors per block: 1 to 4.
    pub vectors: usize,
    /// The bitangent signs of each block, stored as the fourth component of tangents. If empty, all
    /// are 1.
    pub signs: &'a [ScalarBlock],
    /// Whether normals, tangents and bitangents of the blocks are renormalized. Bitangents that are
    /// computed have a length of their own.
    pub directions: DirectionLength,
    /// Whether bitangents are computed as a fourth vector.
    pub bitangents: BitangentSource,
    /// Write-only: the destination.
    pub layout: StoreOutput<'a>,
    /// The output vertex of each slot of the blocks. A vertex out of range is skipped. `None`: slot
    /// order. Ignored if the layout is blocks.
    pub remap: Option<&'a [u32]>,
    /// Extended to contain the positions: of all slots, or of the vertices of buffers in slot
    /// order. A NaN coordinate is ignored.
    pub bounds: Option<&'a mut Aabb>,
}

/// Where bitangents come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BitangentSource {
    /// The blocks, if they have four vectors.
    #[default]
    AsSkinned,
    /// Normal x tangent as they are stored, times the sign; renormalized or not.
    FromSigns(DirectionLength),
}

/// How vertices are laid out in memory, with the destination slices.
#[derive(Debug)]
pub enum StoreOutput<'a> {
    /// Blocks: the vectors of each block in turn.
    Blocks(&'a mut [VectorBlock]),
    /// The same, with non-temporal stores: for outputs that would fill much of the caches. Unless
    /// the library has [none](crate::NON_TEMPORAL_STORES).
    NonTemporalBlocks(&'a mut [VectorBlock]),
    /// One array per component: three for each vector. The arrays of absent vectors are unused.
    /// Refused by small builds (`--cfg sinew_fewer_variants`), which lack the loops.
    Streams([&'a mut [f32]; 12]),
    /// Vertex buffers of any layout and format. Attributes that the blocks lack, or that the layout
    /// lacks, are not written.
    Buffers(VertexParts<'a>),
}

impl StoreVertices<'_> {
    /// Number of vectors written per vertex.
    #[inline(always)]
    fn output_vectors(&self) -> usize {
        self.vectors + usize::from(self.bitangents != BitangentSource::AsSkinned)
    }

    /// Checks the lengths, and returns the number of blocks.
    #[inline(always)]
    fn check(&self) -> usize {
        assert!((1..=4).contains(&self.vectors), "one to four vectors");
        assert!(
            self.bitangents == BitangentSource::AsSkinned || self.vectors == 3,
            "three vectors to compute bitangents from"
        );
        let blocks = self.blocks.len() / self.vectors;
        assert!(blocks * self.vectors == self.blocks.len(), "whole blocks");
        assert!(self.signs.is_empty() || self.signs.len() == blocks, "the signs of every block");
        assert!(self.remap.is_none_or(|remap| remap.len() == BLOCK * blocks), "a remap entry for every slot");
        let (output_vectors, slots) = (self.output_vectors(), BLOCK * blocks);
        let in_slot_order = self.remap.is_none();
        match &self.layout {
            StoreOutput::Blocks(to) | StoreOutput::NonTemporalBlocks(to) => {
                assert!(to.len() == blocks * output_vectors, "as many output blocks as are written");
            }
            StoreOutput::Streams(to) => {
                let fit = |stream: &&mut [f32]| !in_slot_order || stream.len() == slots;
                let fits = !cfg!(sinew_fewer_variants) && to.iter().take(3 * output_vectors).all(fit);
                assert!(fits, "a stream element for every slot");
            }
            StoreOutput::Buffers(to) => {
                assert!(to.vectors() <= output_vectors, "a vector for every attribute");
                let fit = to.len().div_ceil(BLOCK) == blocks;
                assert!(!in_slot_order || fit, "a block for every eight vertices");
            }
        }
        blocks
    }
}

#[inline(always)]
pub(crate) fn body<L: Lanes>(token: L::Token, contract: &mut StoreVertices<'_>) {
    let len = contract.check();
    let output_vectors = contract.output_vectors();
    let StoreVertices { blocks, vectors, signs, directions, bitangents, layout, remap, bounds } = contract;
    if let Some(bounds) = bounds {
        let vertices = match (&layout, &remap) {
            (StoreOutput::Buffers(to), None) => to.len(),
            _ => len * BLOCK,
        };
        let mut running = RunningBounds::new::<L>(token);
        running.extend::<L>(token, blocks, *vectors, vertices);
        running.add_to(bounds);
    }
    let (directions, bitangents) = (*directions, *bitangents);
    let tile = Tile { blocks, vectors: *vectors, signs, directions, bitangents };
    match (layout, remap) {
        (StoreOutput::Blocks(to), _)
            if output_vectors == *vectors && directions == DirectionLength::AsBlended =>
        {
            for (b, to) in to.iter_mut().enumerate() {
                let Some(from) = blocks.get(b) else { break };
                copy::<L>(token, from, to);
            }
        }
        (StoreOutput::NonTemporalBlocks(to), _) if NON_TEMPORAL_STORES => {
            store_all::<L, _>(token, &tile, &mut NonTemporal { to, output_vectors });
            L::store_fence(token);
        }
        (StoreOutput::Blocks(to) | StoreOutput::NonTemporalBlocks(to), _) => {
            store_all::<L, _>(token, &tile, &mut Blocks { to, output_vectors });
        }
        (StoreOutput::Streams(_), _) if cfg!(sinew_fewer_variants) => {}
        (StoreOutput::Streams(to), None) => store_all::<L, _>(token, &tile, &mut Streams { to }),
        (StoreOutput::Streams(to), Some(remap)) => {
            store_all::<L, _>(token, &tile, &mut RemappedStreams { to, remap })
        }
        (StoreOutput::Buffers(to), remap) => store_tiles::<L>(token, &tile, len, to, *remap),
    }
}

/// Stores blocks in vertex buffers, a few at a time.
#[inline(always)]
fn store_tiles<L: Lanes>(
    token: L::Token,
    all: &Tile<'_>,
    blocks: usize,
    to: &mut VertexParts<'_>,
    remap: Option<&[u32]>,
) {
    let len = to.len();
    let mut first = 0;
    while first < blocks {
        let end = blocks.min(first + TILE_BLOCKS);
        let slots = BLOCK * first..BLOCK * end;
        let vertices = match remap {
            None => TileVertices::InOrder { first: slots.start, len: len.min(slots.end) - slots.start },
            Some(remap) => TileVertices::Remapped(remap.get(slots).unwrap_or_default()),
        };
        let tile = Tile {
            blocks: all.blocks.get(first * all.vectors..end * all.vectors).unwrap_or_default(),
            signs: all.signs.get(first..end).unwrap_or_default(),
            ..*all
        };
        store_tile::<L>(token, &tile, to, vertices);
        first = end;
    }
}
