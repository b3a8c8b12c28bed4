//! Where skinned blocks go: vertex buffers with 16 bytes for each vector, or of smaller numbers, or
//! packed arrays.

use std::hint::black_box;
use std::ops::Range;

use super::columns::{skin_format_pairs, skin_pairs};
use crate::kernels::vector::Vector;
use crate::lanes::Lanes;
use crate::lanes::column_table::ColumnVertices;
use crate::lanes::direct_formats::{FormatBlock, FormatBlocks};
use crate::lanes::rows::ScalarRows;
use crate::lanes::vertex_stores::{PackedBlock, PackedBlocks, QuadBlock, QuadBlocks};
use crate::{BLOCK, ScalarBlock};

/// A destination of consecutive blocks of vertices with `V` vectors, walked from front to back. In
/// local variables it stays in registers.
pub(super) trait Sink<const V: usize> {
    /// Writes one block.
    type Block: BlockWriter<V>;
    /// Some of the blocks.
    type Part<'a>: Sink<V>
    where
        Self: 'a;
    /// Some of the blocks, counted from the next one.
    fn part(&mut self, blocks: Range<usize>) -> Self::Part<'_>;
    /// The writer of the next block. Created before the sums, so that no bounds check runs while
    /// they occupy the registers.
    fn next<L: Lanes>(&mut self, token: L::Token) -> Option<Self::Block>;
    /// Whether it pays to fetch what is read some blocks later.
    #[inline(always)]
    fn reads_ahead(&self) -> bool {
        true
    }
    /// Skins as many blocks as there are vertices with joints of their own.
    fn skin_columns<L: Lanes>(&mut self, token: L::Token, vertices: ColumnVertices<'_>, blocks: usize);
}

/// Writes the vectors of one block: lane `i` of register `group` is vertex `group * LEN + i`.
pub(super) trait BlockWriter<const V: usize> {
    fn store<L: Lanes>(&mut self, token: L::Token, group: usize, vectors: [Vector<L>; V]);
}

/// Buffers of 16 bytes for each vector, with the usual fourth components.
pub(super) struct Buffers<'a, const V: usize> {
    to: QuadBlocks<'a, V>,
    /// The bitangent signs of each block.
    signs: &'a [ScalarBlock],
    constants: Constants,
}

/// A block of such buffers.
pub(super) struct BufferBlock<'a, const V: usize> {
    to: QuadBlock<'a, V>,
    signs: &'a ScalarBlock,
    constants: Constants,
}

/// Fourth components of positions and normals. Hidden from the compiler, which would take the
/// transposition with known numbers apart.
#[derive(Clone, Copy)]
struct Constants {
    ones: &'static ScalarBlock,
    zeros: &'static ScalarBlock,
}

const ONES: &ScalarBlock = &ScalarBlock([1.0; BLOCK]);

impl<'a, const V: usize> Buffers<'a, V> {
    #[inline(always)]
    pub(super) fn new(to: QuadBlocks<'a, V>, signs: &'a [ScalarBlock]) -> Self {
        let zeros = const { &ScalarBlock([0.0; BLOCK]) };
        Self { to, signs, constants: Constants { ones: black_box(ONES), zeros: black_box(zeros) } }
    }
}

impl<'a, const V: usize> Sink<V> for Buffers<'a, V> {
    type Block = BufferBlock<'a, V>;
    type Part<'p>
        = Buffers<'p, V>
    where
        Self: 'p;

    #[inline(always)]
    fn part(&mut self, blocks: Range<usize>) -> Buffers<'_, V> {
        let signs = self.signs.get(blocks.start..).unwrap_or_default();
        Buffers { to: self.to.part(blocks), signs, constants: self.constants }
    }

    #[inline(always)]
    fn next<L: Lanes>(&mut self, token: L::Token) -> Option<BufferBlock<'a, V>> {
        let to = self.to.next::<L>(token)?;
        let (signs, rest) = self.signs.split_first().unwrap_or((ONES, &[]));
        self.signs = rest;
        Some(BufferBlock { to, signs, constants: self.constants })
    }

    #[inline(always)]
    fn skin_columns<L: Lanes>(&mut self, token: L::Token, vertices: ColumnVertices<'_>, blocks: usize) {
        self.signs = self.signs.get(blocks..).unwrap_or_default();
        skin_pairs::<L, false, V>(token, vertices, self.to.take_pairs(blocks));
    }
}

impl<const V: usize> BlockWriter<V> for BufferBlock<'_, V> {
    #[inline(always)]
    fn store<L: Lanes>(&mut self, token: L::Token, group: usize, vectors: [Vector<L>; V]) {
        // Quad `q` of row `k` is vertex `4 q + k`.
        let mut rows = [[vectors[0][0]; 4]; V];
        for v in 0..V {
            let [x, y, z] = vectors[v];
            let fourth = match v {
                0 => self.constants.ones,
                1 => self.constants.zeros,
                _ => self.signs,
            };
            rows[v] = L::transpose([x, y, z, L::load(token, &fourth.0, group)]);
        }
        for quad in 0..L::QUADS {
            for k in 0..4 {
                for v in 0..V {
                    self.to.store(v, group * L::LEN + 4 * quad + k, rows[v][k], quad);
                }
            }
        }
    }
}

/// A buffer of smaller numbers, with the usual fourth components.
pub(super) struct FormatBuffers<'a, const V: usize> {
    to: FormatBlocks<'a, V>,
    /// The bitangent signs of each block.
    signs: ScalarRows<'a>,
}

/// A block of such a buffer.
pub(super) struct FormatBlockWriter<'a, const V: usize> {
    to: FormatBlock<'a, V>,
    signs: &'a [f32; BLOCK],
}

impl<'a, const V: usize> FormatBuffers<'a, V> {
    #[inline(always)]
    pub(super) fn new(to: FormatBlocks<'a, V>, signs: &'a [ScalarBlock]) -> Self {
        let ones = ScalarRows::repeated(ONES, to.len());
        Self { signs: ScalarRows::new(signs, to.len()).unwrap_or(ones), to }
    }
}

impl<'a, const V: usize> Sink<V> for FormatBuffers<'a, V> {
    type Block = FormatBlockWriter<'a, V>;
    type Part<'p>
        = FormatBuffers<'p, V>
    where
        Self: 'p;

    #[inline(always)]
    fn part(&mut self, blocks: Range<usize>) -> FormatBuffers<'_, V> {
        let mut signs = self.signs;
        signs.skip_rows(blocks.start);
        FormatBuffers { to: self.to.part(blocks), signs }
    }

    #[inline(always)]
    fn next<L: Lanes>(&mut self, token: L::Token) -> Option<FormatBlockWriter<'a, V>> {
        let (to, signs) = (self.to.next::<L>(token)?, self.signs.next_row()?);
        Some(FormatBlockWriter { to, signs })
    }

    #[inline(always)]
    fn skin_columns<L: Lanes>(&mut self, token: L::Token, vertices: ColumnVertices<'_>, blocks: usize) {
        self.signs.skip_rows(blocks);
        skin_format_pairs::<L, V>(token, vertices, self.to.take_pairs(blocks));
    }
}

impl<const V: usize> BlockWriter<V> for FormatBlockWriter<'_, V> {
    #[inline(always)]
    fn store<L: Lanes>(&mut self, token: L::Token, group: usize, vectors: [Vector<L>; V]) {
        let signs = L::load(token, self.signs, group);
        self.to.store(token, vectors, signs, group);
    }
}

impl<'a, const V: usize> Sink<V> for PackedBlocks<'a, V> {
    type Block = PackedBlock<'a, V>;
    type Part<'p>
        = PackedBlocks<'p, V>
    where
        Self: 'p;

    #[inline(always)]
    fn part(&mut self, blocks: Range<usize>) -> PackedBlocks<'_, V> {
        PackedBlocks::part(self, blocks)
    }

    #[inline(always)]
    fn next<L: Lanes>(&mut self, token: L::Token) -> Option<PackedBlock<'a, V>> {
        PackedBlocks::next::<L>(self, token)
    }

    #[inline(always)]
    fn skin_columns<L: Lanes>(&mut self, token: L::Token, vertices: ColumnVertices<'_>, blocks: usize) {
        skin_pairs::<L, true, V>(token, vertices, self.take_pairs(blocks));
    }
}

impl<const V: usize> BlockWriter<V> for PackedBlock<'_, V> {
    #[inline(always)]
    fn store<L: Lanes>(&mut self, _: L::Token, group: usize, vectors: [Vector<L>; V]) {
        for v in 0..V {
            L::store_packed(vectors[v], self.floats(v), group);
        }
    }
}
