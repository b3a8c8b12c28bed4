//! Positions of three `f32` at a constant distance, in memory of the caller: checked once against a
//! vertex layout, and then read without a check per vertex.
//!
//! `unsafe` relies on one fact: the three floats of every vertex below `len` lie in `floats`.
//! [`StridedPositions::new`] and `from` establish it, and nothing changes it.

use std::marker::PhantomData;

use crate::{BLOCK, VertexAttribute, VertexFormat, VertexLayout, VertexLayoutError};

/// A buffer of vertices to read: bytes, or numbers of any kind.
#[derive(Clone, Copy, Debug)]
pub struct VertexBytes<'a> {
    bytes: &'a [u8],
}

macro_rules! vertex_bytes {
    ($([$($generics:tt)*] $element:ty;)*) => { $(
        impl<'a, $($generics)*> From<&'a [$element]> for VertexBytes<'a> {
            fn from(elements: &'a [$element]) -> Self {
                let (first, len) = (elements.as_ptr(), size_of_val(elements));
                // SAFETY: the slice is `len` readable bytes; its numbers have no padding.
                Self { bytes: unsafe { std::slice::from_raw_parts(first.cast(), len) } }
            }
        }

        impl<'a, $($generics)*> From<&'a Vec<$element>> for VertexBytes<'a> {
            fn from(elements: &'a Vec<$element>) -> Self {
                elements.as_slice().into()
            }
        }
    )* };
}
vertex_bytes! {
    [] u8;
    [] i8;
    [] u16;
    [] i16;
    [] u32;
    [] f32;
    [const N: usize] [u8; N];
    [const N: usize] [i8; N];
    [const N: usize] [u16; N];
    [const N: usize] [i16; N];
    [const N: usize] [u32; N];
    [const N: usize] [f32; N];
}

/// The positions of vertices in a buffer of any layout with three or four `f32` per position.
#[derive(Clone, Copy, Debug)]
pub struct StridedPositions<'a> {
    /// Begins with the first position.
    floats: &'a [f32],
    /// Floats from one position to the next.
    stride: usize,
    len: usize,
}

impl<'a> StridedPositions<'a> {
    /// Checks a layout, and the buffer that holds its positions: the only one of an interleaved
    /// layout, the first of separate ones.
    ///
    /// # Errors
    ///
    /// A fault in the layout, no position or one that is not of `f32`, or a buffer that is too
    /// short or misaligned.
    pub fn new(
        layout: &VertexLayout,
        buffer: impl Into<VertexBytes<'a>>,
        vertices: usize,
    ) -> Result<Self, VertexLayoutError> {
        layout.check()?;
        let Some(position) = layout.attribute(VertexAttribute::Position) else {
            return Err(VertexLayoutError::NoPosition);
        };
        if !matches!(position.format, VertexFormat::Float32x3 | VertexFormat::Float32x4) {
            return Err(VertexLayoutError::QuantizedPosition { found: position.format });
        }
        let VertexBytes { bytes } = buffer.into();
        let (expected, found) = (layout.buffer_len(position.buffer, vertices), bytes.len());
        let too_short = VertexLayoutError::BufferTooShort { buffer: position.buffer, expected, found };
        if found < expected {
            return Err(too_short);
        }
        let stride = position.stride / size_of::<f32>();
        if vertices == 0 {
            return Ok(Self { floats: &[], stride, len: 0 });
        }
        // SAFETY: any bytes are a valid float.
        let (before, floats, _) = unsafe { bytes[position.offset..].align_to::<f32>() };
        if !before.is_empty() {
            let multiple = align_of::<f32>();
            return Err(VertexLayoutError::BufferMisaligned { buffer: position.buffer, multiple });
        }
        // The end of the last position is at most `expected`, so nothing overflows.
        let Some(floats) = floats.get(..(vertices - 1) * stride + 3) else { return Err(too_short) };
        Ok(Self { floats, stride, len: vertices })
    }

    /// Positions that begin with the first of some floats, `stride` apart. All of their floats must
    /// be there.
    #[inline(always)]
    pub(super) fn of_floats(floats: &'a [f32], stride: usize, len: usize) -> Self {
        let needed = len.checked_sub(1).map_or(0, |before| before * stride + 3);
        assert!(needed <= floats.len() && stride >= 3, "the floats of every position");
        Self { floats, stride, len }
    }

    /// The number of positions.
    #[inline(always)]
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no positions.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The position of a vertex.
    #[inline]
    #[must_use]
    pub fn get(&self, vertex: usize) -> Option<&'a [f32; 3]> {
        // SAFETY: the vertex is below the number of positions.
        (vertex < self.len).then(|| unsafe { self.get_unchecked(vertex) })
    }

    /// All positions, in order.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = &'a [f32; 3]> {
        // The last chunk may be short.
        self.floats.chunks(self.stride).take(self.len).filter_map(|vertex| vertex.first_chunk())
    }

    /// Eight positions each, as far as there are as many; `None` if there are gaps between
    /// positions.
    #[inline(always)]
    pub(crate) fn packed_blocks(self) -> Option<&'a [[f32; 3 * BLOCK]]> {
        let floats = self.floats.get(..3 * self.len)?;
        (self.stride == 3).then_some(floats.as_chunks().0)
    }

    /// All positions but the last, each with the float behind it.
    #[inline(always)]
    pub(crate) fn quads(self) -> PositionQuads<'a> {
        let Self { floats, stride, len } = self;
        PositionQuads { first: floats.as_ptr(), stride, left: len.saturating_sub(1), floats: PhantomData }
    }

    /// The position of a vertex.
    ///
    /// # Safety
    ///
    /// There must be such a vertex.
    #[inline(always)]
    pub(crate) unsafe fn get_unchecked(self, vertex: usize) -> &'a [f32; 3] {
        // SAFETY: the caller promises the vertex; its floats are in the slice.
        let first = unsafe { self.floats.as_ptr().add(vertex * self.stride) };
        // SAFETY: as above; the slice lives for `'a`.
        unsafe { &*first.cast() }
    }
}

/// Positions, each with the float behind it, walked from front to back. The floats of `left`
/// positions from `first` on, `stride` apart, are readable.
pub(crate) struct PositionQuads<'a> {
    first: *const f32,
    stride: usize,
    left: usize,
    floats: PhantomData<&'a [f32]>,
}

impl<'a> PositionQuads<'a> {
    /// The next four. `None` if there are fewer.
    #[inline(always)]
    pub(crate) fn next_four(&mut self) -> Option<[&'a [f32; 4]; 4]> {
        self.left = self.left.checked_sub(4)?;
        let first = self.first;
        self.first = first.wrapping_add(4 * self.stride);
        let quad = |i: usize| first.wrapping_add(i * self.stride).cast::<[f32; 4]>();
        // SAFETY: at least four were left. Behind each is another position, which begins at least
        // one float later and ends within the slice, so its fourth float is in the slice, too.
        let (a, b) = (unsafe { &*quad(0) }, unsafe { &*quad(1) });
        // SAFETY: as above.
        let (c, d) = (unsafe { &*quad(2) }, unsafe { &*quad(3) });
        Some([a, b, c, d])
    }

    /// The number of positions that are left.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.left
    }
}

/// Twelve bytes each.
impl<'a> From<&'a [[f32; 3]]> for StridedPositions<'a> {
    #[inline(always)]
    fn from(positions: &'a [[f32; 3]]) -> Self {
        Self { floats: positions.as_flattened(), stride: 3, len: positions.len() }
    }
}
