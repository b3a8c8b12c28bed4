//! Stores of attributes of four 16-bit numbers that lie side by side in a [`VertexWriter`]'s buffer:
//! blocks of eight vertices and pairs of vertices, without a check per vertex, and no byte but those
//! of the attributes.
//!
//! `unsafe` relies on the writer's fact: every attribute of every vertex below its length is within
//! a buffer that it borrows exclusively, at a multiple of the size of a component.

use std::marker::PhantomData;
use std::ops::Range;

use super::Lanes;
use super::part_stores::{EightVertices, VertexBlocks};
use super::vertex_writer::VertexWriter;
use crate::{BLOCK, VertexFormat};

/// The attributes of a vertex.
type Attributes<const V: usize> = [[u16; 4]; V];

/// The last vertices, if they are fewer than a block: stored here and then copied.
pub(crate) struct LastVertices<const V: usize> {
    vertices: [Attributes<V>; BLOCK],
}

impl<const V: usize> LastVertices<V> {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        // Not zeros, which would be set by a call.
        Self { vertices: [[[1; 4]; V]; BLOCK] }
    }

    /// The block as a destination.
    #[inline(always)]
    pub(crate) fn blocks(&mut self, normalized: bool) -> Blocks16<'_, V> {
        let stride = size_of::<Attributes<V>>();
        Blocks16 { to: VertexBlocks::from_array(&mut self.vertices), stride, normalized }
    }

    /// Copies them to the end of a writer.
    #[inline(always)]
    pub(crate) fn copy_to(&self, writer: &mut VertexWriter<'_>) {
        let Some(first) = Blocks16::<V>::first(writer) else { return };
        for vertex in writer.len() / BLOCK * BLOCK..writer.len() {
            let to = first.0.wrapping_add(vertex * first.1).cast::<Attributes<V>>();
            // SAFETY: the vertex is below the writer's length, so its attributes, which lie side by
            // side, are in a buffer that is borrowed exclusively, at a multiple of two.
            unsafe { to.write(self.vertices[vertex % BLOCK]) };
        }
    }
}

/// Where the attributes of consecutive blocks go.
pub(crate) struct Blocks16<'a, const V: usize> {
    to: VertexBlocks<'a, Attributes<V>>,
    stride: usize,
    /// Whether all attributes but the first are normalized integers, not halves.
    normalized: bool,
}

impl<'a, const V: usize> Blocks16<'a, V> {
    /// The attributes of the first vertex and the stride. `None` unless the writer is direct where
    /// registers convert to 16-bit numbers, and has `V` attributes.
    #[inline(always)]
    fn first(writer: &VertexWriter<'_>) -> Option<(*mut u8, usize)> {
        let first = writer.destination(0)?;
        (writer.is_direct_16_bit() && writer.vectors() == V).then_some((first.first(), first.stride()))
    }

    /// The whole blocks of a writer. `None` unless it is direct where registers convert to 16-bit
    /// numbers.
    #[inline(always)]
    pub(crate) fn new(writer: &'a mut VertexWriter<'_>) -> Option<Self> {
        let (first, stride) = Self::first(writer)?;
        // SAFETY: the writer's attributes, which lie side by side, are in a buffer that it borrows
        // exclusively, at multiples of two, for each of its vertices.
        let to = unsafe { VertexBlocks::new(first, stride, writer.len() / BLOCK) };
        let normalized = writer.destination(V - 1)?.format == VertexFormat::Snorm16x4;
        Some(Self { to, stride, normalized })
    }

    /// The number of blocks that are left.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.to.len()
    }

    /// Whether all attributes but the first are normalized integers, not halves.
    #[inline(always)]
    pub(crate) fn normalized(&self) -> bool {
        self.normalized
    }

    /// Takes the next blocks: all that are left if there are fewer.
    #[inline(always)]
    fn take(&mut self, blocks: usize) -> Self {
        Self { to: self.to.take_blocks(blocks), ..*self }
    }

    /// Some of the blocks, counted from the next one.
    #[inline(always)]
    pub(crate) fn part(&mut self, blocks: Range<usize>) -> Blocks16<'_, V> {
        let mut rest = Blocks16 { to: self.to.reborrow(), ..*self };
        rest.take(blocks.start);
        rest.take(blocks.end.saturating_sub(blocks.start))
    }

    /// The next block. What is stored some blocks after it is fetched, to be owned by this core
    /// when its turn comes.
    #[inline(always)]
    pub(crate) fn next<L: Lanes>(&mut self, token: L::Token) -> Option<EightVertices<'a, Attributes<V>>> {
        let first = self.to.address();
        let block = self.to.next()?;
        for line in 0..V {
            L::prefetch_for_write(token, first.wrapping_add(4 * BLOCK * self.stride + 64 * line));
        }
        Some(block)
    }

    /// Takes the next blocks as pairs of vertices: all that are left if there are fewer.
    #[inline(always)]
    pub(crate) fn take_pairs(&mut self, blocks: usize) -> Pairs16<'a, V> {
        let Self { to, stride, normalized } = self.take(blocks);
        let left = to.len() * BLOCK / 2;
        Pairs16 { next: to.address(), normalized, stride, left, stores: PhantomData }
    }
}

/// Where the attributes of pairs of consecutive vertices go.
pub(crate) struct Pairs16<'a, const V: usize> {
    /// The first vertex of the next pair.
    next: *mut u8,
    stride: usize,
    normalized: bool,
    /// Pairs that are left.
    left: usize,
    stores: PhantomData<&'a mut [u8]>,
}

/// Where the attributes of two consecutive vertices go.
pub(crate) struct Pair16<'a, const V: usize> {
    first: *mut u8,
    stride: usize,
    normalized: bool,
    stores: PhantomData<&'a mut [u8]>,
}

impl<'a, const V: usize> Pairs16<'a, V> {
    /// The number of pairs that are left.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.left
    }

    /// The next pair.
    #[inline(always)]
    pub(crate) fn next(&mut self) -> Option<Pair16<'a, V>> {
        self.left = self.left.checked_sub(1)?;
        let Self { next: first, stride, normalized, .. } = *self;
        self.next = first.wrapping_add(2 * stride);
        Some(Pair16 { first, stride, normalized, stores: PhantomData })
    }
}

impl<const V: usize> Pair16<'_, V> {
    /// Fetches what is stored some pairs later, to be owned by this core when its turn comes.
    #[inline(always)]
    pub(crate) fn prefetch<L: Lanes>(&self, token: L::Token) {
        L::prefetch_for_write(token, self.first.wrapping_add(32 * self.stride));
    }

    /// Stores registers of vertices, as quads: step 0, then, on registers of one quad, step 1.
    #[inline(always)]
    pub(crate) fn store<L: Lanes>(&self, step: usize, vectors: [L; V]) {
        L::store_16_bit_quads(vectors, self.normalized, |quad| {
            let vertex = (step * L::QUADS + quad) % 2;
            let to = self.first.wrapping_add(vertex * self.stride).cast::<Attributes<V>>();
            // SAFETY: the pair is in the scratch memory, or both vertices are below the writer's
            // length, so that their attributes, which lie side by side, are in a buffer that is
            // borrowed exclusively, at a multiple of two. No two quads are the same vertex.
            unsafe { &mut *to }
        });
    }
}
