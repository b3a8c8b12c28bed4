//! Stores of vertices of smaller numbers straight from registers into a [`VertexWriter`]'s buffer:
//! blocks of eight vertices, without a check per vertex, and no byte but those of the attributes.
//! [`format_pairs`](super::format_pairs) stores pairs of vertices in the same buffers.
//!
//! `unsafe` relies on the writer's fact: every attribute of every vertex below its length is within
//! a buffer that it borrows exclusively, at a multiple of the size of a component.

use std::marker::PhantomData;
use std::ops::Range;

use super::Lanes;
use super::format_pairs::FormatPairs;
use super::part_stores::{EightVertices, Element, Strides, Words};
use super::vertex_writer::VertexWriter;
use crate::vertex_layout::DirectFormat;
use crate::{BLOCK, VertexFormat};

/// Bytes of a word: a float, or smaller numbers side by side.
const WORD: usize = size_of::<f32>();
/// The most words of position, normal and tangent.
const MAX_WORDS: usize = 8;

/// Scratch memory for the last vertices, if they are fewer than a block: stored here and then
/// copied.
pub(crate) struct LastVertices {
    vertices: [[f32; MAX_WORDS]; BLOCK],
}

impl LastVertices {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        // Not zeros, which would be set by a call.
        Self { vertices: [[1.0; MAX_WORDS]; BLOCK] }
    }

    /// The block as a destination: directions right behind the position.
    #[inline(always)]
    pub(crate) fn blocks<const V: usize>(&mut self, format: DirectFormat) -> FormatBlocks<'_, V> {
        let directions = position_words(format) * WORD;
        let (next, strides) = (self.vertices.as_mut_ptr().cast(), Strides::new(MAX_WORDS * WORD));
        FormatBlocks { next, strides, directions, format, left: 1, stores: PhantomData }
    }

    /// Copies them to the end of a writer.
    #[inline(always)]
    pub(crate) fn copy_to<const V: usize>(&self, writer: &mut VertexWriter<'_>) {
        let vertices = writer.len();
        let Some(to) = FormatBlocks::<V>::new(writer) else { return };
        let position = position_words(to.format);
        let words = position + direction_words::<V>(to.format);
        for vertex in vertices / BLOCK * BLOCK..vertices {
            let first = to.next.wrapping_add(vertex % BLOCK * to.strides.one + to.left * to.strides.eight);
            for (word, from) in self.vertices[vertex % BLOCK].iter().enumerate().take(words) {
                let to = match word.checked_sub(position) {
                    Some(word) => first.wrapping_add(to.directions).cast::<f32>().wrapping_add(word),
                    None => first.cast::<f32>().wrapping_add(word),
                };
                // SAFETY: the vertex is below the writer's length, so its attributes, which have
                // this word, are in a buffer that is borrowed exclusively.
                unsafe { to.write_unaligned(*from) };
            }
        }
    }
}

/// The words of a position.
#[inline(always)]
fn position_words(format: DirectFormat) -> usize {
    format.position.size() / WORD
}

/// The words of all directions.
#[inline(always)]
fn direction_words<const V: usize>(format: DirectFormat) -> usize {
    (V - 1) * format.directions.size() / WORD
}

/// Where the attributes of consecutive blocks go.
pub(crate) struct FormatBlocks<'a, const V: usize> {
    /// The position of the next block's first vertex.
    next: *mut u8,
    strides: Strides,
    /// From the position to the normal, in bytes. Wraps if the normal is in front of it.
    directions: usize,
    format: DirectFormat,
    /// Blocks that are left.
    left: usize,
    stores: PhantomData<&'a mut [u8]>,
}

/// Where one block of eight vertices goes.
pub(crate) struct FormatBlock<'a, const V: usize> {
    position: *mut u8,
    strides: Strides,
    directions: usize,
    format: DirectFormat,
    stores: PhantomData<&'a mut [u8]>,
}

impl<'a, const V: usize> FormatBlocks<'a, V> {
    /// The whole blocks of a writer. `None` unless it is direct where registers convert to smaller
    /// numbers, and has `V` vectors.
    #[inline(always)]
    pub(crate) fn new(writer: &'a mut VertexWriter<'_>) -> Option<Self> {
        let format = writer.direct_format().filter(|_| writer.vectors() == V && V > 1)?;
        let (position, normal) = (writer.destination(0)?, writer.destination(1)?);
        Some(Self {
            next: position.first(),
            strides: Strides::new(position.stride()),
            directions: normal.first().addr().wrapping_sub(position.first().addr()),
            format,
            left: writer.len() / BLOCK,
            stores: PhantomData,
        })
    }

    /// The number of blocks that are left.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.left
    }

    /// How vertices are stored.
    #[inline(always)]
    pub(crate) fn format(&self) -> DirectFormat {
        self.format
    }

    /// Takes the next blocks: all that are left if there are fewer.
    #[inline(always)]
    fn take(&mut self, blocks: usize) -> Self {
        let blocks = blocks.min(self.left);
        let taken = Self { left: blocks, ..*self };
        self.left -= blocks;
        self.next = self.next.wrapping_add(blocks * self.strides.eight);
        taken
    }

    /// Some of the blocks, counted from the next one.
    #[inline(always)]
    pub(crate) fn part(&mut self, blocks: Range<usize>) -> FormatBlocks<'_, V> {
        let mut rest = FormatBlocks { ..*self };
        rest.take(blocks.start);
        rest.take(blocks.end.saturating_sub(blocks.start))
    }

    /// The next block. What is stored some blocks after it is fetched, to be owned by this core
    /// when its turn comes.
    #[inline(always)]
    pub(crate) fn next<L: Lanes>(&mut self, token: L::Token) -> Option<FormatBlock<'a, V>> {
        self.left = self.left.checked_sub(1)?;
        let Self { next: position, strides, directions, format, .. } = *self;
        self.next = position.wrapping_add(strides.eight);
        for line in 0..V {
            L::prefetch_for_write(token, position.wrapping_add(4 * strides.eight + 64 * line));
        }
        Some(FormatBlock { position, strides, directions, format, stores: PhantomData })
    }

    /// Takes the next blocks as pairs of vertices: all that are left if there are fewer.
    #[inline(always)]
    pub(crate) fn take_pairs(&mut self, blocks: usize) -> FormatPairs<'a, V> {
        let Self { next, strides, directions, format, left, .. } = self.take(blocks);
        // SAFETY: so many vertices with these attributes are borrowed exclusively for `'a`.
        unsafe { FormatPairs::new(next, strides.one, directions, format, left * BLOCK / 2) }
    }
}

impl<const V: usize> FormatBlock<'_, V> {
    /// Stores one register of vertices of the block. The fourth components are 1, 0 and `signs`.
    #[inline(always)]
    pub(crate) fn store<L: Lanes>(&mut self, token: L::Token, vectors: [[L; 3]; V], signs: L, group: usize) {
        if V < 2 {
            return;
        }
        let Self { directions, format, .. } = *self;
        let sixteen_bits = format.directions != VertexFormat::Snorm8x4;
        if format.position == VertexFormat::Float16x4 && sixteen_bits && !format.apart {
            // Two attributes in one store.
            let normalized = format.directions == VertexFormat::Snorm16x4;
            // SAFETY: eight vertices whose attributes, all of four 16-bit numbers, lie side by
            // side, in a buffer that is borrowed exclusively, or in the scratch memory.
            let mut to = unsafe { EightVertices::new(self.position, self.strides) };
            return L::store_16_bit(token, vectors, signs, normalized, &mut to);
        }
        let (zero, one) = (L::splat(token, 0.0), L::splat(token, 1.0));
        let [x, y, z] = vectors[0];
        let ([nx, ny, nz], [tx, ty, tz]) = (vectors[1 % V], vectors[V - 1]);
        let (normal, tangent) = ([nx, ny, nz], [tx, ty, tz, signs]);
        // The words of directions.
        let mut d = [zero; 4];
        let mut len = 2 * (V - 1);
        match format.directions {
            VertexFormat::Float16x4 => {
                [d[0], d[1]] = L::half_words(token, [nx, ny, nz, zero]);
                if V > 2 {
                    [d[2], d[3]] = L::half_words(token, tangent);
                }
            }
            VertexFormat::Snorm16x4 => {
                [d[0], d[1]] = L::snorm16_words_and_zero(token, normal);
                if V > 2 {
                    [d[2], d[3]] = L::snorm16_words(token, tangent);
                }
            }
            _ => {
                len = V - 1;
                d[0] = L::snorm8_word_and_zero(token, normal);
                if V > 2 {
                    d[1] = L::snorm8_word(token, tangent);
                }
            }
        }
        // Four words from the position on, and the last four words: both may have the same words in
        // them, which are stored twice.
        let (mut first, mut last) = ([x, y, z, d[0]], d);
        match format.position {
            VertexFormat::Float16x4 => {
                let [xy, zw] = L::half_words(token, [x, y, z, one]);
                first = [xy, zw, d[0], d[1]];
            }
            VertexFormat::Float32x3 if len == 2 => last = [y, z, d[0], d[1]],
            VertexFormat::Float32x3 => {}
            _ => {
                first = [x, y, z, one];
                match len {
                    4 => {}
                    2 => last = [z, one, d[0], d[1]],
                    _ => last = [y, z, one, d[0]],
                }
            }
        }
        let words = position_words(format) + len;
        if format.apart {
            self.store_position::<L>(first, group);
            // SAFETY: the directions have four words.
            L::store_words4(d, &mut unsafe { self.words(directions) }, group);
            return;
        }
        // SAFETY: the vertex has at least four words from its position on.
        L::store_words4(first, &mut unsafe { self.words(0) }, group);
        if words > 4 {
            // SAFETY: the vertex has `words` words from its position on, without a gap, so the last
            // four begin at `words - 4`.
            L::store_words4(last, &mut unsafe { self.words(WORD * (words - 4)) }, group);
        }
    }

    /// Stores positions that directions do not follow.
    #[inline(always)]
    fn store_position<L: Lanes>(&mut self, words: [L; 4], group: usize) {
        let [x, y, z, _] = words;
        match self.format.position {
            // SAFETY: the position has so many words.
            VertexFormat::Float16x4 => L::store_words2([x, y], &mut unsafe { self.words(0) }, group),
            // SAFETY: as above.
            VertexFormat::Float32x3 => L::store_three_words([x, y, z], &mut unsafe { self.words(0) }, group),
            // SAFETY: as above.
            _ => L::store_words4(words, &mut unsafe { self.words(0) }, group),
        }
    }

    /// Words of all eight vertices, at an offset from the position.
    ///
    /// # Safety
    ///
    /// The vertex has as many words there, of attributes.
    #[inline(always)]
    unsafe fn words<const N: usize>(&mut self, offset: usize) -> EightVertices<'_, Words<N>>
    where
        Words<N>: Element,
    {
        // SAFETY: eight vertices are in a buffer that is borrowed exclusively, or in the scratch
        // memory, and words have any address.
        unsafe { EightVertices::new(self.position.wrapping_add(offset), self.strides) }
    }
}
