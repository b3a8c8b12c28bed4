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

use std::marker::PhantomData;

use super::Lanes;
use super::vertex_writer::VertexWriter;
use crate::{BLOCK, FourthComponent, VertexFormat};

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

/// The stores of a writer that is direct: of whole blocks, if every vector is an array of its own
/// without gaps, and of single vectors.
#[inline(always)]
pub(crate) fn direct_stores<'a, const V: usize>(
    writer: &'a mut VertexWriter<'_>,
    packed: &'a mut LastPacked<V>,
    quads: &'a mut LastQuads<V>,
) -> (Option<PackedStores<'a, V>>, QuadStores<'a, V>) {
    assert!(writer.vectors() == V && writer.is_direct(), "a layout that is stored directly");
    (PackedStores::new(writer, packed), QuadStores::new(writer, quads))
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
}

/// Scratch memory for one block, in packed arrays.
#[repr(align(32))]
pub(crate) struct LastPacked<const V: usize> {
    vectors: [[f32; 3 * BLOCK]; V],
}

impl<const V: usize> LastPacked<V> {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        // Not zeros, which would be set by a call.
        Self { vectors: [[1.0; 3 * BLOCK]; V] }
    }
}

/// Stores 16 bytes for each vector.
pub(crate) struct QuadStores<'a, const V: usize> {
    to: Destinations<V>,
    /// The fourth component of each vector; `None` for the sign of the bitangent.
    fourth: [Option<f32>; V],
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

/// Where the vectors of one block of eight vertices go.
#[derive(Clone, Copy)]
pub(crate) struct QuadBlock<'a, const V: usize> {
    first: [*mut u8; V],
    /// The same for all vectors.
    stride: usize,
    /// Whether the last vector must not touch the bytes behind it.
    narrow: bool,
    stores: PhantomData<&'a mut [u8]>,
}

impl<'a, const V: usize> QuadStores<'a, V> {
    /// Of a writer that is direct.
    #[inline(always)]
    fn new(writer: &VertexWriter<'_>, last: &'a mut LastQuads<V>) -> Self {
        let mut fourth = [None; V];
        for v in 0..V {
            fourth[v] = match writer.destination(v).map(|destination| destination.fourth) {
                Some(FourthComponent::One) => Some(1.0),
                Some(FourthComponent::TangentSign) => None,
                Some(FourthComponent::Zero) | None => Some(0.0),
            };
        }
        let vertices = writer.len();
        let whole = vertices.saturating_sub(1) / BLOCK;
        let to = Destinations::new(writer);
        let last_vector = writer.destination(V - 1);
        let narrow = last_vector
            .is_some_and(|last| last.format == VertexFormat::Float32x3 && !last.overwritten_behind);
        let interleaved = V > 1 && to.first[V - 1].addr().wrapping_sub(to.first[0].addr()) < to.stride[0];
        Self {
            to,
            fourth,
            narrow,
            interleaved,
            vertices,
            whole,
            last,
            last_stored: false,
            writer: PhantomData,
        }
    }

    /// Stores into scratch memory for one block, which [`last_block`](Self::last_block) returns.
    #[inline(always)]
    pub(crate) fn scratch(last: &'a mut LastQuads<V>) -> Self {
        let to = Destinations { first: [std::ptr::null_mut(); V], stride: [0; V], size: [0; V] };
        Self {
            to,
            fourth: [Some(0.0); V],
            narrow: false,
            interleaved: false,
            vertices: 0,
            whole: 0,
            last,
            last_stored: false,
            writer: PhantomData,
        }
    }

    /// The vectors of the block that was stored apart.
    #[inline(always)]
    pub(crate) fn last_block(&self) -> &[[[f32; 4]; BLOCK]; V] {
        &self.last.vectors
    }

    /// The fourth component of each vector; `None` for the sign of the bitangent.
    #[inline(always)]
    pub(crate) fn fourth(&self) -> [Option<f32>; V] {
        self.fourth
    }

    /// Fetches what is stored some blocks after this one, to be owned by this core when its turn
    /// comes: two lines for each vector.
    #[inline(always)]
    pub(crate) fn prefetch<L: Lanes>(&self, token: L::Token, block: usize) {
        let ahead = (block + 4) * BLOCK * self.to.stride[0];
        for v in 0..V {
            let mut first = self.to.first[v].wrapping_add(ahead);
            if self.interleaved {
                first = self.to.first[0].wrapping_add(ahead + 128 * v);
            }
            for line in 0..2 {
                L::prefetch_for_write(token, first.wrapping_add(64 * line));
            }
        }
    }

    /// Where a block goes.
    #[inline(always)]
    pub(crate) fn block(&mut self, block: usize) -> QuadBlock<'_, V> {
        let Self { narrow, .. } = *self;
        let mut to =
            QuadBlock { first: self.to.first, stride: self.to.stride[0], narrow, stores: PhantomData };
        if block < self.whole {
            let offset = block * BLOCK * to.stride;
            for v in 0..V {
                to.first[v] = to.first[v].wrapping_add(offset);
            }
        } else {
            self.last_stored = true;
            to.stride = size_of::<[f32; 4]>();
            for v in 0..V {
                to.first[v] = self.last.vectors[v].as_mut_ptr().cast();
            }
        }
        to
    }

    /// Whether a vector has four components.
    #[inline(always)]
    pub(crate) fn has_fourth(&self) -> bool {
        let mut any = false;
        for v in 0..V {
            any |= self.to.size[v] == 16;
        }
        any
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

/// Stores packed arrays of three floats per vector.
pub(crate) struct PackedStores<'a, const V: usize> {
    to: Destinations<V>,
    vertices: usize,
    /// Blocks of eight vertices.
    whole: usize,
    last: &'a mut LastPacked<V>,
    /// Whether the last block was stored.
    last_stored: bool,
    writer: PhantomData<&'a mut [u8]>,
}

/// Where the vectors of one block of eight vertices go.
pub(crate) struct PackedBlock<'a, const V: usize> {
    first: [*mut u8; V],
    stores: PhantomData<&'a mut [u8]>,
}

impl<'a, const V: usize> PackedStores<'a, V> {
    /// Of a writer that is direct. `None` unless every vector is three floats without gaps.
    #[inline(always)]
    fn new(writer: &VertexWriter<'_>, last: &'a mut LastPacked<V>) -> Option<Self> {
        let to = Destinations::new(writer);
        for v in 0..V {
            if to.size[v] != 12 || to.stride[v] != 12 {
                return None;
            }
        }
        let vertices = writer.len();
        Some(Self { to, vertices, whole: vertices / BLOCK, last, last_stored: false, writer: PhantomData })
    }

    /// Where a block goes.
    #[inline(always)]
    pub(crate) fn block(&mut self, block: usize) -> PackedBlock<'_, V> {
        let mut to = PackedBlock { first: self.to.first, stores: PhantomData };
        if block < self.whole {
            for v in 0..V {
                to.first[v] = to.first[v].wrapping_add(block * size_of::<[f32; 3 * BLOCK]>());
            }
        } else {
            self.last_stored = true;
            for v in 0..V {
                to.first[v] = self.last.vectors[v].as_mut_ptr().cast();
            }
        }
        to
    }

    /// Fetches what is stored some blocks after this one, to be owned by this core when its turn
    /// comes.
    #[inline(always)]
    pub(crate) fn prefetch<L: Lanes>(&self, token: L::Token, block: usize) {
        for v in 0..V {
            let first = self.to.first[v].wrapping_add((block + 4) * size_of::<[f32; 3 * BLOCK]>());
            for line in 0..2 {
                L::prefetch_for_write(token, first.wrapping_add(64 * line));
            }
        }
    }

    /// Copies the last block, if it has fewer than eight vertices.
    #[inline(always)]
    pub(crate) fn finish(&self) {
        if !self.last_stored {
            return;
        }
        let first = self.whole * BLOCK;
        for v in 0..V {
            for i in 0..self.vertices.saturating_sub(first).min(BLOCK) {
                let address = self.to.first[v].wrapping_add((first + i) * 12).cast::<[f32; 3]>();
                let own = &self.last.vectors[v];
                let vector = [own[3 * i], own[3 * i + 1], own[3 * i + 2]];
                // SAFETY: the vertex is below the writer's length, so its three floats are in a
                // buffer that is borrowed exclusively.
                unsafe { address.write_unaligned(vector) };
            }
        }
    }
}

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
