//! Stores of a part of the vertices of [`VertexParts`]: blocks of eight vertices without a check
//! per vertex, or one vertex with a check.
//!
//! `unsafe` relies on the writer's fact: every part of every vertex below its length is within a
//! buffer that it borrows exclusively, at a multiple of the size of a component.

use std::hint::black_box;
use std::marker::PhantomData;

use super::vertex_parts::{Component, PartFormat, VertexPart, VertexParts};
use crate::BLOCK;

/// Where one part of all vertices goes.
pub(crate) struct PartStores<'a> {
    part: VertexPart,
    vertices: usize,
    writer: PhantomData<&'a mut [u8]>,
}

/// A part in memory: numbers without padding, of which any bits are valid.
pub(crate) trait Element: Copy {}

impl<const N: usize> Element for [f32; N] {}
impl<const N: usize> Element for [u16; N] {}
impl<const N: usize> Element for [i16; N] {}
impl<const V: usize> Element for [[u16; 4]; V] {}
impl<const N: usize> Element for [u8; N] {}
impl<const N: usize> Element for Words<N> {}

/// 32-bit words at any address: the bits of floats, or of smaller numbers side by side.
#[repr(C, packed)]
#[derive(Clone, Copy)]
pub(crate) struct Words<const N: usize>(pub(crate) [f32; N]);

impl Words<4> {
    #[inline(always)]
    pub(crate) fn first_three(&mut self) -> &mut Words<3> {
        // SAFETY: three of four words, at any address, borrowed for as long.
        unsafe { &mut *std::ptr::from_mut(self).cast() }
    }
}

impl<'a> PartStores<'a> {
    /// The stores of a part, by its index. `None` if there are not so many.
    #[inline(always)]
    pub(crate) fn new(to: &'a mut VertexParts<'_>, part: usize) -> Option<Self> {
        Some(Self { part: *to.part(part)?, vertices: to.len(), writer: PhantomData })
    }

    #[inline(always)]
    pub(crate) fn format(&self) -> PartFormat {
        self.part.format
    }

    #[inline(always)]
    pub(crate) fn components(&self) -> [Component; 4] {
        self.part.components
    }

    /// The number of vertices from `vertex` on, and the address of the first.
    #[inline(always)]
    fn from(&self, vertex: usize) -> (usize, *mut u8) {
        let vertex = vertex.min(self.vertices);
        // In bounds if there is such a vertex: see the top of this file.
        (self.vertices - vertex, self.part.first.wrapping_add(vertex * self.part.stride))
    }

    /// Whether the part is at least as large as a `T`, and aligned for it.
    #[inline(always)]
    fn fits<T: Element>(&self) -> bool {
        size_of::<T>() <= self.part.format.size() && align_of::<T>() <= self.part.format.alignment()
    }

    /// As many blocks of eight vertices from `first` on as are in the range, up to `blocks`.
    #[inline(always)]
    pub(crate) fn blocks<T: Element>(&mut self, first: usize, blocks: usize) -> VertexBlocks<'_, T> {
        let (vertices, first) = self.from(first);
        let blocks = if self.fits::<T>() { blocks.min(vertices / BLOCK) } else { 0 };
        // SAFETY: as many blocks as there are, of parts that are in a buffer borrowed exclusively,
        // aligned for `T` and at least as large.
        unsafe { VertexBlocks::new(first, self.part.stride, blocks) }
    }

    /// The same for four words, of which the last may be behind a part of three, in the buffer.
    /// So it leaves out a block that no vertex follows.
    #[inline(always)]
    pub(crate) fn blocks_and_behind(&mut self, first: usize, blocks: usize) -> VertexBlocks<'_, Words<4>> {
        let (vertices, first) = self.from(first);
        // The vertex that follows has twelve bytes, from sixteen on.
        let fits = self.fits::<Words<3>>() && self.part.stride >= size_of::<Words<4>>();
        let blocks = if fits { blocks.min(vertices.saturating_sub(1) / BLOCK) } else { 0 };
        // SAFETY: as above; the vertex that follows the blocks holds what is behind the last part.
        unsafe { VertexBlocks::new(first, self.part.stride, blocks) }
    }

    /// Stores the part of one vertex. A vertex out of range is skipped.
    #[inline(always)]
    pub(crate) fn store<T: Element>(&mut self, vertex: usize, part: T) {
        let (vertices, address) = self.from(vertex);
        if vertices > 0 && self.fits::<T>() {
            // SAFETY: the part is in a buffer that is borrowed exclusively, aligned for `T` and at
            // least as large.
            unsafe { address.cast::<T>().write(part) }
        }
    }
}

/// One part of blocks of eight vertices: an iterator over the blocks.
pub(crate) struct VertexBlocks<'a, T> {
    first: *mut u8,
    strides: Strides,
    blocks: usize,
    stores: PhantomData<&'a mut T>,
}

/// Multiples of the bytes from one vertex to the next.
#[derive(Clone, Copy)]
pub(super) struct Strides {
    pub(super) one: usize,
    three: usize,
    pub(super) eight: usize,
}

impl Strides {
    /// Hides from the compiler that these are multiples of one number. Otherwise it adds that
    /// number again and again, and every vertex waits for the address of the one before.
    #[inline(always)]
    pub(super) fn new(stride: usize) -> Self {
        let [three, eight] = black_box([stride.wrapping_mul(3), stride.wrapping_mul(8)]);
        Self { one: stride, three, eight }
    }
}

impl<'a, T: Element> VertexBlocks<'a, T> {
    /// # Safety
    ///
    /// There are so many blocks of parts at these addresses, aligned for `T`, at least as large,
    /// and borrowed exclusively.
    #[inline(always)]
    pub(super) unsafe fn new(first: *mut u8, stride: usize, blocks: usize) -> Self {
        Self { first, strides: Strides::new(stride), blocks, stores: PhantomData }
    }

    /// One block in an array.
    #[inline(always)]
    pub(crate) fn from_array(array: &'a mut [T; BLOCK]) -> Self {
        // SAFETY: the array is one block, and is borrowed exclusively.
        unsafe { Self::new(array.as_mut_ptr().cast(), size_of::<T>(), 1) }
    }

    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.blocks == 0
    }
}

impl<'a, T: Element> Iterator for VertexBlocks<'a, T> {
    type Item = EightVertices<'a, T>;

    #[inline(always)]
    fn next(&mut self) -> Option<EightVertices<'a, T>> {
        self.blocks = self.blocks.checked_sub(1)?;
        let block = EightVertices { first: self.first, strides: self.strides, stores: PhantomData };
        self.first = self.first.wrapping_add(self.strides.eight);
        Some(block)
    }
}

/// One part of eight vertices.
pub(crate) struct EightVertices<'a, T> {
    first: *mut u8,
    strides: Strides,
    stores: PhantomData<&'a mut T>,
}

impl<T: Element> EightVertices<'_, T> {
    /// # Safety
    ///
    /// There are eight such parts, aligned for `T`, at least as large, and borrowed exclusively.
    #[inline(always)]
    pub(super) unsafe fn new(first: *mut u8, strides: Strides) -> Self {
        Self { first, strides, stores: PhantomData }
    }

    /// The part of a vertex.
    #[inline(always)]
    pub(crate) fn vertex(&mut self, vertex: usize) -> &mut T {
        let Strides { one, three, .. } = self.strides;
        let quad = self.first.wrapping_add(vertex % BLOCK / 4 * 4 * one);
        let address = match vertex % 4 {
            3 => quad.wrapping_add(three),
            i => quad.wrapping_add(i * one),
        };
        // SAFETY: whoever made `self` showed that there are eight of these.
        unsafe { &mut *address.cast() }
    }
}

#[cfg(target_arch = "x86_64")]
impl<T: Element> EightVertices<'_, T> {
    /// The same as bytes.
    #[inline(always)]
    pub(super) fn as_bytes<const N: usize>(&mut self) -> EightVertices<'_, [u8; N]> {
        const { assert!(size_of::<T>() == N) };
        EightVertices { first: self.first, strides: self.strides, stores: PhantomData }
    }
}

#[cfg(target_arch = "x86_64")]
impl<const V: usize> EightVertices<'_, [[u16; 4]; V]> {
    /// One attribute.
    #[inline(always)]
    pub(super) fn attribute<T: Element>(&mut self, attribute: usize) -> EightVertices<'_, T> {
        const { assert!(size_of::<T>() == 8 && align_of::<T>() <= 2) };
        let first = self.first.wrapping_add(attribute % V * 8);
        EightVertices { first, strides: self.strides, stores: PhantomData }
    }
}

impl EightVertices<'_, [f32; 3]> {
    /// All eight, if they lie without gaps.
    #[inline(always)]
    pub(crate) fn packed(&mut self) -> Option<&mut [f32; 3 * BLOCK]> {
        // SAFETY: whoever made `self` showed that there are eight of these; no gaps are between
        // them.
        (self.strides.one == size_of::<[f32; 3]>()).then(|| unsafe { &mut *self.first.cast() })
    }
}
