//! Stores a tile in vertex buffers of any layout and format: attributes of smaller numbers are
//! converted to 32-bit words, and then part after part of up to four words is stored, each in one
//! loop over the blocks.

use std::marker::PhantomData;

use super::directions::VectorSource;
use super::formats::{self, Format, NarrowFormat};
use super::store_vertices::BitangentSource;
use crate::kernels::skin_vertices::store_vector;
use crate::lanes::Lanes;
use crate::lanes::block_scratch::{BlockScratch, Fill, Scratch};
use crate::lanes::part_stores::{PartStores, VertexBlocks};
use crate::lanes::rows::{AnyFour, Components, ScalarRows, VectorAndConstant, VectorAndFourth, VectorRows};
use crate::lanes::vertex_parts::{Component, Conversion, PartFormat};
use crate::{BLOCK, DirectionLength, FourthComponent, ScalarBlock, VectorBlock, VertexFormat, VertexParts};

/// The most blocks of a tile. Their output stays in the L1 cache while attribute after attribute is
/// stored.
pub(crate) const TILE_BLOCKS: usize = 32;

/// Blocks to store, and what is stored of them.
#[derive(Clone, Copy)]
pub(crate) struct Tile<'a> {
    /// `vectors` for each block: position, normal, tangent, bitangent. At most [`TILE_BLOCKS`]
    /// times; more are ignored.
    pub(crate) blocks: &'a [VectorBlock],
    /// Vectors per block: 1 to 4.
    pub(crate) vectors: usize,
    /// The bitangent signs of each block. If empty, all are 1.
    pub(crate) signs: &'a [ScalarBlock],
    /// Whether normals, tangents and bitangents of the blocks are made unit.
    pub(crate) directions: DirectionLength,
    /// Whether bitangents are computed, from three vectors.
    pub(crate) bitangents: BitangentSource,
}

impl<'a> Tile<'a> {
    /// The blocks as they are stored, and the number of vectors of each.
    #[inline(always)]
    fn output<'b, L: Lanes>(
        &self,
        token: L::Token,
        blocks: usize,
        scratch: &'b mut BlockScratch<{ 4 * TILE_BLOCKS }>,
    ) -> (&'b [VectorBlock], usize)
    where
        'a: 'b,
    {
        let computed = self.bitangents != BitangentSource::AsSkinned;
        if self.directions == DirectionLength::AsBlended && !computed {
            return (self.blocks, self.vectors);
        }
        let vectors = self.vectors + usize::from(computed);
        (scratch.fill(blocks, vectors, OutputBlocks::<L> { token, tile: self }), vectors)
    }

    /// Where a vector comes from, by its index. `None` if the tile does not have it.
    #[inline(always)]
    pub(super) fn source(&self, vector: usize) -> Option<VectorSource> {
        VectorSource::new(vector, self.vectors, self.directions, self.bitangents)
    }

    /// The signs of a block.
    #[inline(always)]
    pub(super) fn signs(&self, block: usize) -> &ScalarBlock {
        self.signs.get(block).unwrap_or(ONES)
    }
}

/// The vectors of a tile as they are stored.
struct OutputBlocks<'t, 'a, L: Lanes> {
    token: L::Token,
    tile: &'t Tile<'a>,
}

impl<L: Lanes> Fill<VectorBlock> for OutputBlocks<'_, '_, L> {
    #[inline(always)]
    fn value(&mut self, block: usize, vector: usize) -> VectorBlock {
        let Self { token, tile } = *self;
        let mut to = VectorBlock { rows: [[0.0; BLOCK]; 3] };
        let Some(source) = tile.source(vector) else { return to };
        let own = tile.blocks.get(block * tile.vectors..).unwrap_or_default();
        for group in 0..L::GROUPS {
            let sign = L::load(token, &tile.signs(block).0, group);
            store_vector(source.load(token, own, sign, group), &mut to, group);
        }
        to
    }
}

const ZEROS: &ScalarBlock = &ScalarBlock([0.0; BLOCK]);
const ONES: &ScalarBlock = &ScalarBlock([1.0; BLOCK]);

/// Where the vertices of a tile go in the buffers.
#[derive(Clone, Copy)]
pub(crate) enum TileVertices<'a> {
    /// `len` consecutive vertices from `first` on.
    InOrder {
        /// The first vertex.
        first: usize,
        /// The number of vertices: the last block may have fewer than eight.
        len: usize,
    },
    /// The vertex of each slot of the blocks.
    Remapped(&'a [u32]),
}

impl TileVertices<'_> {
    /// The number of blocks that have vertices.
    #[inline(always)]
    fn blocks(&self) -> usize {
        match self {
            Self::InOrder { len, .. } => len.div_ceil(BLOCK),
            Self::Remapped(remap) => remap.len() / BLOCK,
        }
    }
}

/// Stores a tile. Vertices out of the writer's range are skipped, and so are attributes that the
/// tile does not have. Bytes that the layout does not name are kept; those between two vertices
/// of the writer may be read and written back.
#[inline(always)]
pub(crate) fn store_tile<L: Lanes>(
    token: L::Token,
    tile: &Tile<'_>,
    to: &mut VertexParts<'_>,
    vertices: TileVertices<'_>,
) {
    let mut scratch = BlockScratch::new();
    let slots = Slots { blocks: vertices.blocks().min(TILE_BLOCKS), vertices };
    let (blocks, vectors) = tile.output::<L>(token, slots.blocks, &mut scratch);
    let mut source =
        Source { blocks, vectors, signs: tile.signs, len: slots.blocks, converted: [const { &[] }; 4] };
    let mut memory = [const { Scratch::new() }; 4];
    for (vector, memory) in memory.iter_mut().enumerate() {
        if let Some(conversion) = to.conversion(vector) {
            source.converted[vector] = source.convert::<L>(token, vector, conversion, memory);
        }
    }
    for part in 0..4 {
        let Some(to) = PartStores::new(to, part) else { break };
        if let Some(from) = source.words(to.components()) {
            store_words::<L>(token, from, to, &slots);
        }
    }
}

/// Two words for each vertex of a block.
type WordPairs = [[f32; BLOCK]; 2];

/// Blocks as they are stored.
struct Source<'a> {
    blocks: &'a [VectorBlock],
    vectors: usize,
    signs: &'a [ScalarBlock],
    /// Number of blocks.
    len: usize,
    /// Vectors that were converted to smaller numbers.
    converted: [&'a [WordPairs]; 4],
}

impl<'a> Source<'a> {
    /// Converts a vector to smaller numbers. Nothing if the blocks do not have it.
    #[inline(always)]
    fn convert<'b, L: Lanes>(
        &self,
        token: L::Token,
        vector: usize,
        (format, fourth): Conversion,
        to: &'b mut Scratch<WordPairs, TILE_BLOCKS>,
    ) -> &'b [WordPairs] {
        let Some(vector) = self.vector(vector as u8) else { return &[] };
        let constant = match fourth {
            FourthComponent::Zero => 0.0,
            FourthComponent::TangentSign if !self.signs.is_empty() => {
                let Some(signs) = self.fourths(fourth) else { return &[] };
                return convert_vectors::<L, _>(token, format, VectorAndFourth::new(vector, signs), to);
            }
            FourthComponent::One | FourthComponent::TangentSign => 1.0,
        };
        // A constant is converted once.
        convert_vectors::<L, _>(token, format, VectorAndConstant::new(vector, constant), to)
    }

    /// Any four words. `None` if the blocks do not have them.
    #[inline(always)]
    fn words(&self, components: [Component; 4]) -> Option<AnyFour<'a>> {
        let row = |component| match component {
            Component::Axis(vector, axis) => self.vector(vector)?.axis(axis.into()),
            Component::Fourth(fourth) => self.fourths(fourth),
            Component::Converted(vector, word) => {
                let own = self.converted.get(usize::from(vector)).filter(|own| !own.is_empty())?;
                Some(ScalarRows::of_pairs(own, word.into()))
            }
        };
        let [a, b, c, d] = components;
        Some(AnyFour::new([row(a)?, row(b)?, row(c)?, row(d)?]))
    }

    #[inline(always)]
    fn vector(&self, vector: u8) -> Option<VectorRows<'a>> {
        VectorRows::new(self.blocks, self.vectors, vector.into(), self.len)
    }

    #[inline(always)]
    fn fourths(&self, fourth: FourthComponent) -> Option<ScalarRows<'a>> {
        match fourth {
            FourthComponent::Zero => Some(ScalarRows::repeated(ZEROS, self.len)),
            FourthComponent::TangentSign if !self.signs.is_empty() => ScalarRows::new(self.signs, self.len),
            FourthComponent::One | FourthComponent::TangentSign => Some(ScalarRows::repeated(ONES, self.len)),
        }
    }
}

/// Where the blocks of a tile go.
struct Slots<'a> {
    /// Number of blocks.
    blocks: usize,
    vertices: TileVertices<'a>,
}

impl Slots<'_> {
    /// The vertex that a block begins with, and the number of blocks from there on whose vertices
    /// are consecutive.
    #[inline(always)]
    fn consecutive(&self, block: usize) -> (usize, usize) {
        match self.vertices {
            TileVertices::InOrder { first, len } => {
                (first.saturating_add(BLOCK * block), self.blocks.min(len / BLOCK).saturating_sub(block))
            }
            TileVertices::Remapped(_) => (0, 0),
        }
    }

    /// The vertex of a slot.
    #[inline(always)]
    fn vertex(&self, slot: usize) -> Option<usize> {
        match self.vertices {
            TileVertices::InOrder { first, len } => (slot < len).then(|| first.saturating_add(slot)),
            TileVertices::Remapped(remap) => remap.get(slot).map(|&vertex| vertex as usize),
        }
    }
}

/// Converts vectors to a format of smaller numbers.
#[inline(always)]
fn convert_vectors<L: Lanes, C: Components>(
    token: L::Token,
    format: VertexFormat,
    from: C,
    to: &mut Scratch<WordPairs, TILE_BLOCKS>,
) -> &[WordPairs] {
    match format {
        VertexFormat::Float16x4 => convert_rows::<L, formats::Float16x4, _>(token, from, to),
        VertexFormat::Snorm16x4 => convert_rows::<L, formats::Snorm16x4, _>(token, from, to),
        VertexFormat::Snorm8x4 => convert_rows::<L, formats::Snorm8x4, _>(token, from, to),
        _ => convert_rows::<L, formats::Octahedral, _>(token, from, to),
    }
}

/// Converts the vectors of all blocks.
#[inline(always)]
fn convert_rows<L: Lanes, S: NarrowFormat, C: Components>(
    token: L::Token,
    from: C,
    to: &mut Scratch<WordPairs, TILE_BLOCKS>,
) -> &[WordPairs] {
    to.fill(from.blocks(), ConvertedRows::<L, S, C> { token, from, left: from, format: PhantomData })
}

/// Vectors as smaller numbers, block after block.
struct ConvertedRows<L: Lanes, S, C> {
    token: L::Token,
    from: C,
    /// The blocks that are left.
    left: C,
    format: PhantomData<S>,
}

impl<L: Lanes, S: NarrowFormat, C: Components> Fill<WordPairs> for ConvertedRows<L, S, C> {
    #[inline(always)]
    fn value(&mut self, _: usize, _: usize) -> WordPairs {
        let Self { token, from, left, .. } = self;
        let mut words = [[0.0; BLOCK]; 2];
        if let Some(rows) = left.next_block() {
            for group in 0..L::GROUPS {
                let [first, second] = S::words(*token, from.load::<L>(*token, rows, group));
                first.store(&mut words[0], group);
                second.store(&mut words[1], group);
            }
        }
        words
    }
}

#[inline(always)]
fn store_words<L: Lanes>(token: L::Token, from: AnyFour<'_>, to: PartStores<'_>, slots: &Slots<'_>) {
    match to.format() {
        PartFormat::Words1 => store_blocks::<L, formats::Words1, _>(token, from, to, slots),
        PartFormat::Words2 => store_blocks::<L, formats::Words2, _>(token, from, to, slots),
        PartFormat::Words3 => store_blocks::<L, formats::Words3, _>(token, from, to, slots),
        PartFormat::Words4 => store_blocks::<L, formats::Words4, _>(token, from, to, slots),
        PartFormat::Packed => store_blocks::<L, formats::Packed, _>(token, from, to, slots),
    }
}

/// Stores a part: ranges of whole blocks straight into the buffer, all others as an array first.
#[inline(always)]
fn store_blocks<L: Lanes, F: Format, C: Components>(
    token: L::Token,
    from: C,
    mut to: PartStores<'_>,
    slots: &Slots<'_>,
) {
    let mut array = [F::EMPTY; BLOCK];
    let mut block = 0;
    while block < slots.blocks {
        let (first, len) = slots.consecutive(block);
        let mut eights = F::blocks(&mut to, first, len);
        let in_buffer = !eights.is_empty();
        if !in_buffer {
            eights = VertexBlocks::from_array(&mut array);
        }
        let start = block;
        let mut left = from.skip_blocks(block);
        for mut eight in eights {
            let Some(rows) = left.next_block() else { return };
            for group in 0..L::GROUPS {
                let components = from.load::<L>(token, rows, group);
                F::store(token, components, &mut eight, group);
            }
            block += 1;
        }
        if !in_buffer {
            for (lane, written) in array.iter().enumerate() {
                if let Some(vertex) = slots.vertex(BLOCK * start + lane) {
                    to.store(vertex, F::part(written));
                }
            }
        }
    }
}
