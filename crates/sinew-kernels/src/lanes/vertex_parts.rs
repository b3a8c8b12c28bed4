//! The parts of a vertex that are stored at once: an attribute, or up to four floats of attributes
//! that lie side by side.

use std::marker::PhantomData;
use std::ops::Range;

use super::vertex_writer::Destination;
use crate::{FourthComponent, VertexFormat};

/// A part of every vertex.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VertexPart {
    /// The part of the first vertex.
    pub(super) first: *mut u8,
    /// Bytes from one vertex to the next.
    pub(super) stride: usize,
    pub(crate) format: PartFormat,
    /// The components, as many as the format has.
    pub(crate) components: [Component; 4],
}

/// The format of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PartFormat {
    /// One float.
    Float32x1,
    /// Two floats.
    Float32x2,
    /// Three floats.
    Float32x3,
    /// Four floats.
    Float32x4,
    /// Three floats, without gaps from one vertex to the next.
    Packed,
    /// As [`VertexFormat::Float16x4`].
    Float16x4,
    /// As [`VertexFormat::Snorm16x4`].
    Snorm16x4,
    /// As [`VertexFormat::Snorm16x2Octahedral`], made of three components.
    Octahedral,
    /// As [`VertexFormat::Snorm8x4`].
    Snorm8x4,
}

impl PartFormat {
    /// The number of bytes.
    #[inline(always)]
    pub(super) fn size(self) -> usize {
        match self {
            Self::Float32x1 | Self::Octahedral | Self::Snorm8x4 => 4,
            Self::Float32x2 | Self::Float16x4 | Self::Snorm16x4 => 8,
            Self::Float32x3 | Self::Packed => 12,
            Self::Float32x4 => 16,
        }
    }

    /// Whether the part is up to four floats of any attributes, not packed.
    #[inline(always)]
    pub(crate) fn is_floats(self) -> bool {
        matches!(self, Self::Float32x1 | Self::Float32x2 | Self::Float32x3 | Self::Float32x4)
    }

    /// The number of bytes of a component, of which addresses are multiples.
    #[inline(always)]
    pub(super) fn alignment(self) -> usize {
        match self {
            Self::Float32x1 | Self::Float32x2 | Self::Float32x3 | Self::Float32x4 | Self::Packed => 4,
            Self::Float16x4 | Self::Snorm16x4 | Self::Octahedral => 2,
            Self::Snorm8x4 => 1,
        }
    }
}

/// What a component of a part is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Component {
    /// A component of a vector, by the vector's index and the axis.
    Axis(u8, u8),
    /// The fourth component of a vector.
    Fourth(FourthComponent),
}

/// The most parts of a vertex: four attributes have at most sixteen floats.
const MAX_PARTS: usize = 4;

/// The buffers of a [`VertexWriter`](crate::VertexWriter), as parts of vertices that are stored at
/// once. In the writer's bounds, as it checked them.
#[derive(Debug)]
pub struct VertexParts<'a> {
    parts: [Option<VertexPart>; MAX_PARTS],
    vectors: usize,
    vertices: usize,
    buffers: PhantomData<&'a mut [u8]>,
}

// SAFETY: it is an exclusive borrow of bytes, which may go to another thread.
unsafe impl Send for VertexParts<'_> {}
// SAFETY: shared, it gives no access to the bytes.
unsafe impl Sync for VertexParts<'_> {}

impl VertexParts<'_> {
    /// The parts of the vertices of a writer, which lends its buffers for as long.
    pub(super) fn new(destinations: &[Option<Destination>; 4], vectors: usize, vertices: usize) -> Self {
        let mut parts = Parts { parts: [None; MAX_PARTS], len: 0 };
        for vector in in_memory_order(destinations) {
            let Some(own) = &destinations[vector] else { continue };
            let (first, stride) = (own.first(), own.stride());
            let [x, y, z] = [0, 1, 2].map(|axis| Component::Axis(vector as u8, axis));
            let components = [x, y, z, Component::Fourth(own.fourth)];
            let part = |format| VertexPart { first, stride, format, components };
            match own.format {
                VertexFormat::Float32x3 if stride == own.format.size() => {
                    parts.push(part(PartFormat::Packed))
                }
                VertexFormat::Float32x3 => parts.push_floats(&components[..3], first, stride),
                VertexFormat::Float32x4 => parts.push_floats(&components, first, stride),
                VertexFormat::Float16x4 => parts.push(part(PartFormat::Float16x4)),
                VertexFormat::Snorm16x4 => parts.push(part(PartFormat::Snorm16x4)),
                VertexFormat::Snorm16x2Octahedral => parts.push(part(PartFormat::Octahedral)),
                VertexFormat::Snorm8x4 => parts.push(part(PartFormat::Snorm8x4)),
            }
        }
        Self { parts: parts.parts, vectors, vertices, buffers: PhantomData }
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
        self.vectors
    }

    /// Some of the vertices. Those past the end are left out.
    #[must_use]
    pub fn slice(&mut self, vertices: Range<usize>) -> VertexParts<'_> {
        let start = vertices.start.min(self.vertices);
        let mut parts = self.parts;
        for part in parts.iter_mut().flatten() {
            part.first = part.first.wrapping_add(start * part.stride);
        }
        let end = vertices.end.clamp(start, self.vertices);
        VertexParts { parts, vectors: self.vectors, vertices: end - start, buffers: PhantomData }
    }

    /// A part of the vertices, by its index.
    #[inline(always)]
    pub(crate) fn part(&self, part: usize) -> Option<&VertexPart> {
        self.parts.get(part)?.as_ref()
    }
}

/// The indices of attributes, by their address.
fn in_memory_order(destinations: &[Option<Destination>; 4]) -> [usize; 4] {
    let mut order = [0, 1, 2, 3];
    order.sort_unstable_by_key(|&vector| destinations[vector].map(|own| own.first().addr()));
    order
}

/// The parts so far.
struct Parts {
    parts: [Option<VertexPart>; MAX_PARTS],
    len: usize,
}

impl Parts {
    fn push(&mut self, part: VertexPart) {
        if let Some(to) = self.parts.get_mut(self.len) {
            *to = Some(part);
            self.len += 1;
        }
    }

    /// Adds floats to the last part, if they continue it and it has fewer than four, or begins
    /// another.
    fn push_floats(&mut self, components: &[Component], first: *mut u8, stride: usize) {
        for (i, &component) in components.iter().enumerate() {
            let first = first.wrapping_add(i * size_of::<f32>());
            let last = self.len.checked_sub(1).and_then(|last| self.parts[last].as_mut());
            if let Some(part) = last
                && part.stride == stride
                && part.first.wrapping_add(part.format.size()) == first
                && let Some((format, index)) = part.format.with_another_float()
            {
                part.format = format;
                part.components[index] = component;
                continue;
            }
            self.push(VertexPart {
                first,
                stride,
                format: PartFormat::Float32x1,
                components: [component; 4],
            });
        }
    }
}

impl PartFormat {
    /// The format with one float more, and the index of that float.
    fn with_another_float(self) -> Option<(Self, usize)> {
        match self {
            Self::Float32x1 => Some((Self::Float32x2, 1)),
            Self::Float32x2 => Some((Self::Float32x3, 2)),
            Self::Float32x3 => Some((Self::Float32x4, 3)),
            _ => None,
        }
    }
}
