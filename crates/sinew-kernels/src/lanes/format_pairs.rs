//! Stores of pairs of consecutive vertices in any formats but octahedral ones, without a check per
//! vertex, and no byte but those of the attributes.
//!
//! `unsafe` relies on the writer's fact: every attribute of every vertex below its length is within
//! a buffer that it borrows exclusively, at a multiple of the size of a component.

use std::marker::PhantomData;

use super::Lanes;
use super::part_stores::Element;
use super::vertex_parts::VertexParts;
use super::vertex_writer::Destination;
use crate::{BLOCK, FourthComponent, VertexFormat};

/// How one vector of a vertex is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PairFormat {
    /// Four floats, or three, of which the next four bytes are stored after them.
    FourFloats,
    ThreeFloats,
    Halves,
    Snorm16,
    Snorm8,
}

/// Where the attributes of vertices go, and how each is stored.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PairLayout {
    pub(super) first: [*mut u8; 3],
    /// The same for all attributes.
    pub(super) stride: usize,
    formats: [PairFormat; 3],
}

impl PairLayout {
    /// The first one to three attributes of a writer. `None` if there are more or one is missing,
    /// if strides differ, or for octahedral encoding and unusual fourth components.
    pub(super) fn new(destinations: &[Option<Destination>; 4], vectors: usize) -> Option<Self> {
        let stride = destinations[0].as_ref()?.stride();
        let mut layout =
            Self { first: [std::ptr::null_mut(); 3], stride, formats: [PairFormat::ThreeFloats; 3] };
        let (own, rest) = destinations.split_at_checked(vectors)?;
        if rest.is_empty() {
            return None;
        }
        for (v, to) in own.iter().enumerate() {
            let to = to.as_ref().filter(|to| to.stride() == stride)?;
            let behind = to.first().wrapping_add(VertexFormat::Float32x3.size());
            let mut later = own[v + 1..].iter().flatten();
            let format = match to.format {
                VertexFormat::Float32x4 => PairFormat::FourFloats,
                VertexFormat::Float32x3 if later.any(|next| next.first() == behind) => PairFormat::FourFloats,
                VertexFormat::Float32x3 => PairFormat::ThreeFloats,
                VertexFormat::Float16x4 => PairFormat::Halves,
                VertexFormat::Snorm16x4 => PairFormat::Snorm16,
                VertexFormat::Snorm8x4 => PairFormat::Snorm8,
                VertexFormat::Snorm16x2Octahedral => return None,
            };
            if to.format != VertexFormat::Float32x3 && to.fourth != FourthComponent::usual(v) {
                return None;
            }
            (layout.first[v], layout.formats[v]) = (to.first(), format);
        }
        Some(layout)
    }
}

/// Where pairs of consecutive vertices go.
pub(crate) struct FormatPairs<'a, const V: usize> {
    /// The attributes of the next pair's first vertex.
    next: [*mut u8; V],
    stride: usize,
    formats: [PairFormat; V],
    /// Pairs that are left.
    left: usize,
    stores: PhantomData<&'a mut [u8]>,
}

/// Where two consecutive vertices go.
pub(crate) struct FormatPair<'a, const V: usize> {
    first: [*mut u8; V],
    stride: usize,
    formats: [PairFormat; V],
    stores: PhantomData<&'a mut [u8]>,
}

impl<'a, const V: usize> FormatPairs<'a, V> {
    /// Blocks of vertices from a vertex on: as many as there are.
    #[inline(always)]
    pub(crate) fn new(to: &'a mut VertexParts<'_>, first: usize, blocks: usize) -> Option<Self> {
        let vertices = to.len();
        let layout = to.pair_layout().filter(|_| to.vectors() == V && V <= 3)?;
        let first = first.min(vertices);
        let mut pairs = Self {
            next: [std::ptr::null_mut(); V],
            stride: layout.stride,
            formats: [PairFormat::ThreeFloats; V],
            left: blocks.min((vertices - first) / BLOCK) * BLOCK / 2,
            stores: PhantomData,
        };
        for v in 0..V {
            pairs.next[v] = layout.first[v].wrapping_add(first * layout.stride);
            pairs.formats[v] = layout.formats[v];
        }
        Some(pairs)
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
        let Self { next: first, stride, formats, .. } = *self;
        for v in 0..V {
            self.next[v] = first[v].wrapping_add(2 * stride);
        }
        Some(FormatPair { first, stride, formats, stores: PhantomData })
    }
}

impl<const V: usize> FormatPair<'_, V> {
    /// Fetches what is stored some pairs later, to be owned by this core when its turn comes.
    #[inline(always)]
    pub(crate) fn prefetch<L: Lanes>(&self, token: L::Token) {
        L::prefetch_for_write(token, self.first[0].wrapping_add(32 * self.stride));
    }

    /// Stores registers of vertices, as quads: step 0, then, on registers of one quad, step 1.
    #[inline(always)]
    pub(crate) fn store<L: Lanes>(&self, step: usize, vectors: [L; V]) {
        // Not a loop, which is too large to be unrolled: vectors would go through memory.
        self.store_vector::<L>(step, 0, vectors[0]);
        if V > 1 {
            self.store_vector::<L>(step, 1, vectors[1 % V]);
        }
        if V > 2 {
            self.store_vector::<L>(step, 2, vectors[2 % V]);
        }
    }

    /// Stores one vector of a register of vertices.
    #[inline(always)]
    fn store_vector<L: Lanes>(&self, step: usize, v: usize, vector: L) {
        let v = v % V;
        match self.formats[v] {
            PairFormat::FourFloats => vector.store_four_floats(|quad| self.attribute::<L, _>(step, quad, v)),
            PairFormat::ThreeFloats => vector.store_three_floats(|quad| self.attribute::<L, _>(step, quad, v)),
            PairFormat::Halves => vector.store_halves(|quad| self.attribute::<L, _>(step, quad, v)),
            PairFormat::Snorm16 => vector.store_snorm16(|quad| self.attribute::<L, _>(step, quad, v)),
            PairFormat::Snorm8 => vector.store_snorm8(|quad| self.attribute::<L, _>(step, quad, v)),
        }
    }
}

impl<'a, const V: usize> FormatPair<'a, V> {
    /// One attribute of the vertex in a quad of a register.
    #[inline(always)]
    fn attribute<L: Lanes, T: Element>(&self, step: usize, quad: usize, v: usize) -> &'a mut T {
        const { assert!(align_of::<T>() == 1) };
        let vertex = (step * L::QUADS + quad) % 2;
        let to = self.first[v].wrapping_add(vertex * self.stride).cast::<T>();
        // SAFETY: the vertex is below the writer's length, so the attribute is in a buffer that is
        // borrowed exclusively; `T` is as large, or, for four floats, the next four bytes are an
        // attribute of the same vertex. No two quads are the same vertex.
        unsafe { &mut *to }
    }
}
