//! Stores of pairs of consecutive vertices of smaller numbers straight from registers, without a
//! check per vertex, and no byte but those of the attributes.

use std::marker::PhantomData;

use super::Lanes;
use super::part_stores::Element;
use crate::VertexFormat;
use crate::vertex_layout::DirectFormat;

/// Where pairs of consecutive vertices go.
pub(crate) struct FormatPairs<'a, const V: usize> {
    /// The position of the next pair's first vertex.
    next: *mut u8,
    stride: usize,
    /// From the position to the normal, in bytes. Wraps if the normal is in front of it.
    directions: usize,
    format: DirectFormat,
    /// Pairs that are left.
    left: usize,
    stores: PhantomData<&'a mut [u8]>,
}

/// Where two consecutive vertices go.
pub(crate) struct FormatPair<'a, const V: usize> {
    position: *mut u8,
    stride: usize,
    directions: usize,
    format: DirectFormat,
    stores: PhantomData<&'a mut [u8]>,
}

impl<'a, const V: usize> FormatPairs<'a, V> {
    /// # Safety
    ///
    /// So many pairs of vertices with a position of this format, and `V - 1` directions side by
    /// side, are borrowed exclusively for `'a`.
    #[inline(always)]
    pub(super) unsafe fn new(
        next: *mut u8,
        stride: usize,
        directions: usize,
        format: DirectFormat,
        left: usize,
    ) -> Self {
        Self { next, stride, directions, format, left, stores: PhantomData }
    }

    /// The number of pairs that are left.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.left
    }

    /// The next pair.
    #[inline(always)]
    pub(crate) fn next(&mut self) -> Option<FormatPair<'a, V>> {
        self.left = self.left.checked_sub(1)?;
        let Self { next: position, stride, directions, format, .. } = *self;
        self.next = position.wrapping_add(2 * stride);
        Some(FormatPair { position, stride, directions, format, stores: PhantomData })
    }
}

impl<'a, const V: usize> FormatPair<'a, V> {
    /// Fetches what is stored some pairs later, to be owned by this core when its turn comes.
    #[inline(always)]
    pub(crate) fn prefetch<L: Lanes>(&self, token: L::Token) {
        L::prefetch_for_write(token, self.position.wrapping_add(32 * self.stride));
    }

    /// Stores registers of vertices, as quads: step 0, then, on registers of one quad, step 1.
    #[inline(always)]
    pub(crate) fn store<L: Lanes>(&self, step: usize, vectors: [L; V]) {
        match self.format.position {
            VertexFormat::Float16x4 => {
                // SAFETY: the position is four halves.
                vectors[0].store_halves(|quad| unsafe { self.words::<L, _>(step, quad, 0) });
            }
            VertexFormat::Float32x3 if self.format.apart => {
                // SAFETY: the position is three floats.
                vectors[0].store_three_floats(|quad| unsafe { self.words::<L, _>(step, quad, 0) });
            }
            _ => {
                // SAFETY: the position is four floats, or three with the normal behind it, which is
                // stored later.
                vectors[0].store_four_floats(|quad| unsafe { self.words::<L, _>(step, quad, 0) });
            }
        }
        if V == 2 {
            self.store_normal(step, vectors[1 % V]);
        } else if V > 2 {
            self.store_directions(step, vectors[1 % V], vectors[2 % V]);
        }
    }

    #[inline(always)]
    fn store_normal<L: Lanes>(&self, step: usize, normal: L) {
        let offset = self.directions;
        match self.format.directions {
            VertexFormat::Float16x4 => {
                // SAFETY: the normal is four halves.
                normal.store_halves(|quad| unsafe { self.words::<L, _>(step, quad, offset) });
            }
            VertexFormat::Snorm16x4 => {
                // SAFETY: the normal is four 16-bit integers.
                normal.store_snorm16(|quad| unsafe { self.words::<L, _>(step, quad, offset) });
            }
            _ => {
                // SAFETY: the normal is four 8-bit integers: no other format is stored here.
                normal.store_snorm8(|quad| unsafe { self.words::<L, _>(step, quad, offset) });
            }
        }
    }

    /// Stores normals and tangents, which are side by side.
    #[inline(always)]
    fn store_directions<L: Lanes>(&self, step: usize, normal: L, tangent: L) {
        let offset = self.directions;
        match self.format.directions {
            VertexFormat::Float16x4 => {
                // SAFETY: normal and tangent are eight halves.
                let to = |quad| unsafe { self.words::<L, _>(step, quad, offset) };
                L::store_two_halves(normal, tangent, to);
            }
            VertexFormat::Snorm16x4 => {
                // SAFETY: normal and tangent are eight 16-bit integers.
                let to = |quad| unsafe { self.words::<L, _>(step, quad, offset) };
                L::store_two_snorm16(normal, tangent, to);
            }
            _ => {
                // SAFETY: normal and tangent are eight 8-bit integers: no other format comes here.
                let to = |quad| unsafe { self.words::<L, _>(step, quad, offset) };
                L::store_two_snorm8(normal, tangent, to);
            }
        }
    }

    /// Words of the vertex in a quad of a register, at an offset from the position.
    ///
    /// # Safety
    ///
    /// At the offset there are attributes side by side that are as large as `T` together, or one of
    /// three floats with four bytes of the next behind it. No other words of the vertex are held.
    #[inline(always)]
    unsafe fn words<L: Lanes, T: Element>(&self, step: usize, quad: usize, offset: usize) -> &'a mut T {
        const { assert!(align_of::<T>() == 1) };
        let vertex = (step * L::QUADS + quad) % 2;
        let to = self.position.wrapping_add(vertex * self.stride).wrapping_add(offset).cast::<T>();
        // SAFETY: whoever made the pairs showed that the attributes are borrowed exclusively, and the
        // caller that so many bytes are theirs and not held. No two quads are the same vertex.
        unsafe { &mut *to }
    }
}
