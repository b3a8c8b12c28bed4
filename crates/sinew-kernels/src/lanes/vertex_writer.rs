//! Vertex buffers of the caller, checked once against a layout, and then written, and positions
//! read back, without a check per vertex.
//!
//! `unsafe` relies on one fact: every attribute of every vertex below `vertices` lies within a
//! buffer that the writer borrows exclusively. [`VertexWriter::new`] establishes it, and nothing
//! changes it.

use std::marker::PhantomData;
use std::ops::Range;
use std::ptr::NonNull;

use super::strided_positions::StridedPositions;
use super::vertex_parts::VertexParts;
use crate::vertex_layout::{DirectFormat, LayoutKind};
use crate::{FourthComponent, VertexAttribute, VertexFormat, VertexLayout, VertexLayoutError};

/// A buffer of vertices: bytes, or numbers of any kind.
#[derive(Debug)]
pub struct VertexBuffer<'a> {
    bytes: &'a mut [u8],
}

macro_rules! vertex_buffers {
    ($([$($generics:tt)*] $element:ty;)*) => { $(
        impl<'a, $($generics)*> From<&'a mut [$element]> for VertexBuffer<'a> {
            fn from(elements: &'a mut [$element]) -> Self {
                let (first, len) = (elements.as_mut_ptr(), size_of_val(elements));
                // SAFETY: the slice is `len` bytes, borrowed exclusively; its numbers have no
                // padding, and any bytes are valid numbers.
                Self { bytes: unsafe { std::slice::from_raw_parts_mut(first.cast(), len) } }
            }
        }

        impl<'a, $($generics)*> From<&'a mut Vec<$element>> for VertexBuffer<'a> {
            fn from(elements: &'a mut Vec<$element>) -> Self {
                elements.as_mut_slice().into()
            }
        }
    )* };
}
vertex_buffers! {
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

/// Buffers for the attributes of vertices, checked against a [`VertexLayout`].
///
/// In this order, so that whoever moves a writer that was just made loads what was stored at once:
/// a load that joins two stores waits for both.
#[derive(Debug)]
#[repr(C)]
pub struct VertexWriter<'a> {
    destinations: [Option<Destination>; 4],
    kind: LayoutKind,
    vertices: usize,
    buffers: PhantomData<&'a mut [u8]>,
}

// SAFETY: a writer is an exclusive borrow of bytes, which may go to another thread.
unsafe impl Send for VertexWriter<'_> {}
// SAFETY: through a shared writer the bytes are only read.
unsafe impl Sync for VertexWriter<'_> {}

/// Where one attribute goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Destination {
    /// The attribute of the first vertex.
    first: *mut u8,
    /// Bytes from one vertex to the next.
    stride: usize,
    /// The index of the buffer, of four at most.
    buffer: u8,
    pub(crate) format: VertexFormat,
    pub(crate) fourth: FourthComponent,
    /// Whether the four bytes behind an attribute of three floats belong to an attribute that is
    /// written later: the next of this vertex, or the first of the next vertex.
    pub(crate) overwritten_behind: bool,
}

impl<'a> VertexWriter<'a> {
    /// Checks a layout, and buffers for a number of vertices.
    ///
    /// # Errors
    ///
    /// A fault in the layout, or a buffer that is missing, too short or misaligned.
    pub fn new(
        layout: &VertexLayout,
        buffers: impl IntoIterator<Item = impl Into<VertexBuffer<'a>>>,
        vertices: usize,
    ) -> Result<Self, VertexLayoutError> {
        let mut given = [(std::ptr::null_mut(), 0); 4];
        let mut found = 0;
        for buffer in buffers {
            let bytes = buffer.into().bytes;
            if let Some(to) = given.get_mut(found) {
                *to = (bytes.as_mut_ptr(), bytes.len());
            }
            found += 1;
        }
        Self::from_buffers(layout, &given, found, vertices)
    }

    /// `given`: the address and the length of each buffer, of which there are `found`. Not generic,
    /// so that it is compiled once, with this crate's optimizations.
    fn from_buffers(
        layout: &VertexLayout,
        given: &[(*mut u8, usize); 4],
        found: usize,
        vertices: usize,
    ) -> Result<Self, VertexLayoutError> {
        layout.check()?;
        let (facts, expected) = (layout.facts(), layout.buffers());
        for (buffer, &(first, len)) in given.iter().enumerate().take(found.min(expected)) {
            let needed = layout.buffer_len(buffer, vertices);
            if len < needed {
                return Err(VertexLayoutError::BufferTooShort { buffer, expected: needed, found: len });
            }
            if vertices > 0 && first.addr() & facts.alignment_masks[buffer] != 0 {
                return Err(misalignment(layout, buffer, first));
            }
        }
        if found != expected {
            return Err(VertexLayoutError::BufferCount { expected, found });
        }
        let mut destinations = [None; 4];
        for (attribute, to) in VertexAttribute::ALL.into_iter().zip(&mut destinations) {
            let Some(own) = layout.attribute(attribute) else { continue };
            let Some(&(first, _)) = given.get(own.buffer) else { continue };
            *to = Some(Destination {
                // In bounds if there is a vertex; otherwise never used.
                first: first.wrapping_add(own.offset),
                stride: own.stride,
                buffer: own.buffer as u8,
                format: own.format,
                fourth: own.fourth,
                overwritten_behind: facts.overwritten_behind[attribute as usize],
            });
        }
        Ok(Self { destinations, kind: facts.kind, vertices, buffers: PhantomData })
    }

    /// Positions without gaps.
    #[inline(always)]
    pub(crate) fn of_positions(positions: &'a mut [[f32; 3]]) -> Self {
        let destination = Destination {
            first: positions.as_mut_ptr().cast(),
            stride: size_of::<[f32; 3]>(),
            buffer: 0,
            format: VertexFormat::Float32x3,
            fourth: FourthComponent::One,
            overwritten_behind: true,
        };
        let kind = LayoutKind { vectors: 1, direct: true, packed: true, direct_format: None };
        let destinations = [Some(destination), None, None, None];
        Self { destinations, kind, vertices: positions.len(), buffers: PhantomData }
    }

    /// The number of vertices.
    #[inline(always)]
    #[must_use]
    pub fn len(&self) -> usize {
        self.vertices
    }

    /// Whether there are no vertices.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.vertices == 0
    }

    /// The number of vectors per vertex: those up to the last attribute of the layout.
    #[inline(always)]
    #[must_use]
    pub fn vectors(&self) -> usize {
        self.kind.vectors
    }

    /// Whether vectors can be stored straight from registers: all up to the last attribute are
    /// there, with the same stride, and have four floats with the usual fourth component, or three.
    /// All but the last of three floats are followed by what is written after them. In small builds
    /// (`--cfg sinew_small`), which lack the loops for more, only a single vector.
    #[inline(always)]
    #[must_use]
    pub fn is_direct(&self) -> bool {
        self.kind.direct
    }

    /// Whether vectors can be stored straight from registers where those convert to smaller numbers
    /// (see [`Kernels::stores_directly`](crate::Kernels::stores_directly)): two or three attributes
    /// in one buffer, with the usual fourth components: a position of floats or halves, and
    /// directions side by side, all four halves, or all four normalized integers of the same size.
    /// They follow the position, all in sixteen bytes or more, or have sixteen bytes of their own.
    #[inline(always)]
    #[must_use]
    pub fn is_direct_format(&self) -> bool {
        self.kind.direct_format.is_some()
    }

    /// How.
    #[inline(always)]
    pub(crate) fn direct_format(&self) -> Option<DirectFormat> {
        self.kind.direct_format
    }

    /// Whether every attribute is three floats in an array of its own, without gaps.
    #[must_use]
    pub fn is_packed(&self) -> bool {
        self.kind.packed
    }

    /// Some of the vertices. Those past the end are left out.
    #[must_use]
    pub fn slice(&mut self, vertices: Range<usize>) -> VertexWriter<'_> {
        let start = vertices.start.min(self.vertices);
        let mut destinations = self.destinations;
        for destination in destinations.iter_mut().flatten() {
            destination.first = destination.first.wrapping_add(start * destination.stride);
        }
        let end = vertices.end.clamp(start, self.vertices);
        VertexWriter { destinations, kind: self.kind, vertices: end - start, buffers: PhantomData }
    }

    /// The same vertices, borrowed for a shorter time.
    #[inline(always)]
    #[must_use]
    pub fn reborrow(&mut self) -> VertexWriter<'_> {
        VertexWriter { buffers: PhantomData, ..*self }
    }

    /// The positions that the buffers hold; `None` if they are not of `f32`.
    #[inline(always)]
    #[must_use]
    pub fn positions(&self) -> Option<StridedPositions<'_>> {
        let own = self.destination(VertexAttribute::Position as usize)?;
        if !matches!(own.format, VertexFormat::Float32x3 | VertexFormat::Float32x4) {
            return None;
        }
        let stride = own.stride / size_of::<f32>();
        let floats = self.vertices.checked_sub(1).map_or(0, |before| before * stride + 3);
        let first = if floats == 0 { NonNull::dangling().as_ptr() } else { own.first.cast::<f32>() };
        // SAFETY: the positions of all vertices are in a buffer that the writer borrows, and
        // nothing is written while `self` is borrowed. Addresses and strides of floats are
        // multiples of four, as `new` checked.
        let floats = unsafe { std::slice::from_raw_parts(first, floats) };
        Some(StridedPositions::of_floats(floats, stride, self.vertices))
    }

    /// The buffers as parts of vertices, in which layouts of any format are stored.
    #[must_use]
    pub fn parts(&mut self) -> VertexParts<'_> {
        VertexParts::new(&self.destinations, self.vectors(), self.vertices)
    }

    /// As [`parts`](Self::parts), for as long as the buffers are borrowed.
    #[must_use]
    pub fn into_parts(self) -> VertexParts<'a> {
        VertexParts::new(&self.destinations, self.vectors(), self.vertices)
    }

    /// Where an attribute goes, by its index.
    #[inline(always)]
    pub(crate) fn destination(&self, attribute: usize) -> Option<&Destination> {
        self.destinations.get(attribute)?.as_ref()
    }
}

/// The error of a misaligned buffer, by the first attribute in it that does not fit.
#[cold]
fn misalignment(layout: &VertexLayout, buffer: usize, first: *mut u8) -> VertexLayoutError {
    let own = VertexAttribute::ALL.into_iter().filter_map(|attribute| layout.attribute(attribute));
    let multiples = own.filter(|own| own.buffer == buffer).map(|own| own.format.alignment());
    let misaligned = |multiple: &usize| first.addr() & (multiple - 1) != 0;
    let multiple = multiples.into_iter().find(misaligned).unwrap_or(1);
    VertexLayoutError::BufferMisaligned { buffer, multiple }
}

impl Destination {
    #[inline(always)]
    pub(crate) fn first(&self) -> *mut u8 {
        self.first
    }

    #[inline(always)]
    pub(crate) fn stride(&self) -> usize {
        self.stride
    }

    pub(super) fn buffer(&self) -> u8 {
        self.buffer
    }
}
