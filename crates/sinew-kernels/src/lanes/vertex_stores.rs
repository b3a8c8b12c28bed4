//! Stores of whole blocks of eight vertices into a [`VertexWriter`]'s buffers, with 16 bytes per
//! vector or as packed arrays, without a check per vertex.
//!
//! A store of 16 bytes may touch four bytes behind a vector of 12, which are written later; where
//! they are not, the last vector of a vertex is stored with 8 and 4 bytes. The last block has
//! nothing behind it, and may have fewer vertices, so it is stored in scratch memory
//! and copied by `finish`, each attribute with its exact size.
//!
//! `unsafe` relies on the writer's fact: every attribute of every vertex below its length is within
//! a buffer that it borrows exclusively.

use std::hint::black_box;
use std::marker::PhantomData;
use std::ops::Range;

use super::Lanes;
use super::vertex_writer::VertexWriter;
use crate::{BLOCK, VertexFormat};

/// The destinations of `V` vectors.
#[derive(Clone, Copy)]
struct Destinations<const V: usize> {
    first: [*mut u8; V],
    stride: [usize; V],
    size: [usize; V],
}

impl<const V: usize> Destinations<V> {
    #[inline(always)]
    fn new(writer: &VertexWriter<'_>) -> Self {
        let mut all = Self { first: [std::ptr::null_mut(); V], stride: [0; V], size: [0; V] };
        for v in 0..V {
            if let Some(destination) = writer.destination(v) {
                all.first[v] = destination.first();
                all.stride[v] = destination.stride();
                all.size[v] = destination.format.size();
            }
        }
        all
    }
}

/// Scratch memory for one block, in vectors of 16 bytes.
#[repr(align(32))]
pub(crate) struct LastQuads<const V: usize> {
    vectors: [[[f32; 4]; BLOCK]; V],
}

impl<const V: usize> LastQuads<V> {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        // Not zeros, which would be set by a call.
        Self { vectors: [[[1.0; 4]; BLOCK]; V] }
    }

    /// The block as a destination.
    #[inline(always)]
    pub(crate) fn blocks(&mut self) -> QuadBlocks<'_, V> {
        let mut next = [std::ptr::null_mut(); V];
        for v in 0..V {
            next[v] = self.vectors[v].as_mut_ptr().cast();
        }
        let stride = size_of::<[f32; 4]>();
        QuadBlocks { next, stride, narrow: false, interleaved: false, left: 1, stores: PhantomData }
    }
}

/// Stores 16 bytes for each vector.
pub(crate) struct QuadStores<'a, const V: usize> {
    to: Destinations<V>,
    /// Whether the last vector must not touch the bytes behind it.
    narrow: bool,
    /// Whether all vectors of a vertex are in one buffer.
    interleaved: bool,
    vertices: usize,
    /// Blocks before the last.
    whole: usize,
    last: &'a mut LastQuads<V>,
    /// Whether the last block was stored.
    last_stored: bool,
    writer: PhantomData<&'a mut [u8]>,
}

/// Where the vectors of consecutive blocks go.
pub(crate) struct QuadBlocks<'a, const V: usize> {
    /// The vectors of the next block's first vertex.
    next: [*mut u8; V],
    /// The same for all vectors.
    stride: usize,
    /// Whether the last vector must not touch the bytes behind it.
    narrow: bool,
    /// Whether all vectors of a vertex are in one buffer.
    interleaved: bool,
    /// Blocks that are left.
    left: usize,
    stores: PhantomData<&'a mut [u8]>,
}

/// Where the vectors of one block of eight vertices go.
pub(crate) struct QuadBlock<'a, const V: usize> {
    first: [*mut u8; V],
    /// The same for all vectors.
    stride: usize,
    /// Whether the last vector must not touch the bytes behind it.
    narrow: bool,
    stores: PhantomData<&'a mut [u8]>,
}

impl<'a, const V: usize> QuadBlocks<'a, V> {
    /// The next block. What is stored some blocks after it is fetched, to be owned by this core
    /// when its turn comes: two lines for each vector.
    #[inline(always)]
    pub(crate) fn next<L: Lanes>(&mut self, token: L::Token) -> Option<QuadBlock<'a, V>> {
        self.left = self.left.checked_sub(1)?;
        let Self { next: first, stride, narrow, .. } = *self;
        let block = BLOCK * stride;
        for v in 0..V {
            let ahead = if self.interleaved { first[0].wrapping_add(128 * v) } else { first[v] };
            for line in 0..2 {
                L::prefetch_for_write(token, ahead.wrapping_add(4 * block + 64 * line));
            }
            self.next[v] = first[v].wrapping_add(block);
        }
        // Hidden from the compiler, which would keep an address for each vertex of a block, most of
        // them in memory.
        let first = black_box(first);
        Some(QuadBlock { first, stride, narrow, stores: PhantomData })
    }

    /// Some of the blocks, counted from the next one.
    #[inline(always)]
    pub(crate) fn part(&mut self, blocks: Range<usize>) -> QuadBlocks<'_, V> {
        let (start, end) = (blocks.start.min(self.left), blocks.end.min(self.left));
        let mut next = self.next;
        for v in 0..V {
            next[v] = next[v].wrapping_add(start * BLOCK * self.stride);
        }
        QuadBlocks { next, left: end.saturating_sub(start), ..*self }
    }

    /// Takes the next blocks as pairs of vertices: all that are left if there are fewer.
    #[inline(always)]
    pub(crate) fn take_pairs(&mut self, blocks: usize) -> QuadPairs<'a, V> {
        let Self { next, stride, narrow, .. } = *self;
        let blocks = blocks.min(self.left);
        self.left -= blocks;
        for v in 0..V {
            self.next[v] = next[v].wrapping_add(blocks * BLOCK * stride);
        }
        QuadPairs { next, stride, narrow, left: blocks * BLOCK / 2, stores: PhantomData }
    }
}

impl<'a, const V: usize> QuadStores<'a, V> {
    /// Of a writer that is direct.
    #[inline(always)]
    pub(crate) fn new(writer: &'a mut VertexWriter<'_>, last: &'a mut LastQuads<V>) -> Self {
        let vertices = writer.len();
        let whole = vertices.saturating_sub(1) / BLOCK;
        let to = Destinations::new(writer);
        assert!(writer.vectors() == V && writer.is_direct(), "a layout that is stored directly");
        let last_vector = writer.destination(V - 1);
        let narrow = last_vector
            .is_some_and(|last| last.format == VertexFormat::Float32x3 && !last.overwritten_behind);
        let interleaved = V > 1 && to.first[V - 1].addr().wrapping_sub(to.first[0].addr()) < to.stride[0];
        Self { to, narrow, interleaved, vertices, whole, last, last_stored: false, writer: PhantomData }
    }

    /// Where the blocks before the last go.
    #[inline(always)]
    pub(crate) fn blocks(&mut self) -> QuadBlocks<'_, V> {
        QuadBlocks {
            next: self.to.first,
            stride: self.to.stride[0],
            narrow: self.narrow,
            interleaved: self.interleaved,
            left: self.whole,
            stores: PhantomData,
        }
    }

    /// Scratch memory for the last block. [`finish`](Self::finish) copies it.
    #[inline(always)]
    pub(crate) fn last_block(&mut self) -> QuadBlocks<'_, V> {
        self.last_stored = true;
        self.last.blocks()
    }

    /// Copies the last block. Call it after all others are stored.
    #[inline(always)]
    pub(crate) fn finish(&self) {
        if !self.last_stored {
            return;
        }
        let (to, first) = (&self.to, self.whole * BLOCK);
        for v in 0..V {
            for i in 0..self.vertices.saturating_sub(first).min(BLOCK) {
                let address = to.first[v].wrapping_add((first + i) * to.stride[v]).cast::<[f32; 3]>();
                let [x, y, z, w] = self.last.vectors[v][i];
                // SAFETY: the vertex is below the writer's length, so the attribute, which has at
                // least three floats, is in a buffer that it borrows exclusively.
                unsafe { address.write_unaligned([x, y, z]) };
                if to.size[v] == 16 {
                    // SAFETY: as above; the attribute has four floats.
                    unsafe { address.wrapping_add(1).cast::<f32>().write_unaligned(w) };
                }
            }
        }
    }
}

impl<const V: usize> QuadBlock<'_, V> {
    /// Stores one quad as vector `v` of a vertex of the block. Vertices must be stored in ascending
    /// order, the vectors of each in the order of their indices.
    #[inline(always)]
    pub(crate) fn store<L: Lanes>(&self, v: usize, vertex: usize, register: L, quad: usize) {
        let to = self.first[v].wrapping_add((vertex % BLOCK) * self.stride).cast::<[f32; 4]>();
        // SAFETY: the block is the scratch memory, or whole and not the last, so a vertex follows,
        // which is at least twelve bytes further on: the 16 bytes are in a buffer that is borrowed
        // exclusively. Addresses and strides of floats are multiples of four, as the writer
        // checked.
        let to = unsafe { &mut *to };
        if v + 1 == V && self.narrow {
            let [to @ .., _] = to;
            register.store_vec3(quad, to);
        } else {
            register.store_quad(quad, to);
        }
    }
}

/// Where the vectors of pairs of consecutive vertices go.
pub(crate) struct QuadPairs<'a, const V: usize> {
    /// The vectors of the next pair's first vertex.
    next: [*mut u8; V],
    /// The same for all vectors.
    stride: usize,
    /// Whether the last vector must not touch the bytes behind it.
    narrow: bool,
    /// Pairs that are left.
    left: usize,
    stores: PhantomData<&'a mut [u8]>,
}

impl<'a, const V: usize> QuadPairs<'a, V> {
    /// The number of pairs that are left.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.left
    }

    /// The next pair. If `PACKED`, every vector must be an array of its own without gaps, and the
    /// stride is a constant.
    #[inline(always)]
    pub(crate) fn next<const PACKED: bool>(&mut self) -> Option<QuadPair<'a, V>> {
        self.left = self.left.checked_sub(1)?;
        let stride = if PACKED { 12 } else { self.stride };
        let pair = QuadPair { first: self.next, stride, narrow: !PACKED && self.narrow, stores: PhantomData };
        for v in 0..V {
            self.next[v] = self.next[v].wrapping_add(2 * stride);
        }
        Some(pair)
    }
}

/// Where the vectors of two consecutive vertices go.
pub(crate) struct QuadPair<'a, const V: usize> {
    first: [*mut u8; V],
    /// At most that of the vectors.
    stride: usize,
    /// Whether the last vector must not touch the bytes behind it.
    narrow: bool,
    stores: PhantomData<&'a mut [u8]>,
}

impl<const V: usize> QuadPair<'_, V> {
    /// Fetches what is stored some pairs later, to be owned by this core when its turn comes.
    #[inline(always)]
    pub(crate) fn prefetch<L: Lanes>(&self, token: L::Token) {
        for v in 0..V {
            L::prefetch_for_write(token, self.first[v].wrapping_add(32 * self.stride));
        }
    }

    /// Stores registers of vertices, as quads: step 0, then, on registers of one quad, step 1.
    #[inline(always)]
    pub(crate) fn store<L: Lanes>(&self, step: usize, vectors: [L; V]) {
        for quad in 0..L::QUADS {
            let vertex = (step * L::QUADS + quad) % 2;
            for v in 0..V {
                let to = self.first[v].wrapping_add(vertex * self.stride).cast::<[f32; 4]>();
                // SAFETY: the pair is in the scratch memory, or in a whole block that is not the
                // last, so a vertex follows, which is at least twelve bytes further on: the 16
                // bytes are in a buffer that is borrowed exclusively. Addresses and strides of
                // floats are multiples of four, as the writer checked.
                let to = unsafe { &mut *to };
                if v + 1 == V && self.narrow {
                    let [to @ .., _] = to;
                    vectors[v].store_vec3(quad, to);
                } else {
                    vectors[v].store_quad(quad, to);
                }
            }
        }
    }
}

/// Where the vectors of consecutive blocks go.
pub(crate) struct PackedBlocks<'a, const V: usize> {
    next: [*mut u8; V],
    /// Blocks that are left.
    left: usize,
    /// How many of them are followed by a vertex.
    followed: usize,
    stores: PhantomData<&'a mut [u8]>,
}

/// Where the vectors of one block of eight vertices go.
pub(crate) struct PackedBlock<'a, const V: usize> {
    first: [*mut u8; V],
    stores: PhantomData<&'a mut [u8]>,
}

impl<'a, const V: usize> PackedBlocks<'a, V> {
    /// The blocks of eight vertices of a writer. `None` unless every vector is an array of its own
    /// of three floats without gaps.
    #[inline(always)]
    pub(crate) fn new(writer: &'a mut VertexWriter<'_>) -> Option<Self> {
        if !writer.is_direct() || !writer.is_packed() || writer.vectors() != V {
            return None;
        }
        let to = Destinations::<V>::new(writer);
        let (left, followed) = (writer.len() / BLOCK, writer.len().saturating_sub(1) / BLOCK);
        Some(Self { next: to.first, left, followed, stores: PhantomData })
    }

    /// Takes the next blocks: all that are left if there are fewer.
    #[inline(always)]
    pub(crate) fn take(&mut self, blocks: usize) -> Self {
        let Self { next, left, followed, .. } = *self;
        let blocks = blocks.min(left);
        self.left -= blocks;
        self.followed = followed.saturating_sub(blocks);
        for v in 0..V {
            self.next[v] = next[v].wrapping_add(blocks * PACKED_BLOCK);
        }
        Self { next, left: blocks, followed: followed.min(blocks), stores: PhantomData }
    }

    /// Some of the blocks, counted from the next one.
    #[inline(always)]
    pub(crate) fn part(&mut self, blocks: Range<usize>) -> PackedBlocks<'_, V> {
        let mut rest = PackedBlocks { ..*self };
        rest.take(blocks.start);
        rest.take(blocks.end.saturating_sub(blocks.start))
    }

    /// The number of blocks that are left.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.left
    }

    /// Takes the next blocks as pairs of vertices: none if no vertex follows them.
    #[inline(always)]
    pub(crate) fn take_pairs(&mut self, blocks: usize) -> QuadPairs<'a, V> {
        let Self { next, followed, .. } = self.take(blocks);
        let left = if followed >= blocks { blocks * BLOCK / 2 } else { 0 };
        QuadPairs { next, stride: 12, narrow: false, left, stores: PhantomData }
    }

    /// The next block. What is stored some blocks after it is fetched, to be owned by this core
    /// when its turn comes.
    #[inline(always)]
    pub(crate) fn next<L: Lanes>(&mut self, token: L::Token) -> Option<PackedBlock<'a, V>> {
        self.left = self.left.checked_sub(1)?;
        self.followed = self.followed.saturating_sub(1);
        let first = self.next;
        // Not of the last blocks, behind which nothing is stored.
        if self.left >= 4 {
            for v in 0..V {
                for line in 0..2 {
                    L::prefetch_for_write(token, first[v].wrapping_add(4 * PACKED_BLOCK + 64 * line));
                }
            }
        }
        for v in 0..V {
            self.next[v] = first[v].wrapping_add(PACKED_BLOCK);
        }
        Some(PackedBlock { first, stores: PhantomData })
    }
}

/// The bytes of a vector of a block.
const PACKED_BLOCK: usize = size_of::<[f32; 3 * BLOCK]>();

impl<const V: usize> PackedBlock<'_, V> {
    /// The floats of vector `v`.
    #[inline(always)]
    pub(crate) fn floats(&mut self, v: usize) -> &mut [f32; 3 * BLOCK] {
        let to = self.first[v].cast::<[f32; 3 * BLOCK]>();
        // SAFETY: the block is the scratch memory, or eight vertices of twelve bytes without gaps
        // in a buffer that is borrowed exclusively, at a multiple of four bytes.
        unsafe { &mut *to }
    }
}
