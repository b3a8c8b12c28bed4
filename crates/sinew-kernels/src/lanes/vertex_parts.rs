//! The parts of a vertex that are stored at once: up to four 32-bit words of attributes that lie
//! side by side.

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
    /// The index of the buffer: a part is in one, even if another follows it in memory.
    buffer: u8,
    pub(crate) format: PartFormat,
    /// The components, as many as the format has.
    pub(crate) components: [Component; 4],
}

impl VertexPart {
    /// A part in the buffer of an attribute.
    fn new(own: &Destination, first: *mut u8, format: PartFormat, components: [Component; 4]) -> Self {
        Self { first, stride: own.stride(), buffer: own.buffer(), format, components }
    }

    /// Whether the part begins where another ends, in every vertex of the same buffer.
    fn follows(&self, before: &Self) -> bool {
        self.buffer == before.buffer
            && self.stride == before.stride
            && self.first == before.first.wrapping_add(before.format.size())
    }
}

/// The format of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PartFormat {
    /// One word.
    Words1,
    /// Two words.
    Words2,
    /// Three words.
    Words3,
    /// Four words.
    Words4,
    /// Three floats, without gaps from one vertex to the next.
    Packed,
}

impl PartFormat {
    /// The number of words.
    #[inline(always)]
    fn words(self) -> usize {
        match self {
            Self::Words1 => 1,
            Self::Words2 => 2,
            Self::Words3 | Self::Packed => 3,
            Self::Words4 => 4,
        }
    }

    /// The number of bytes.
    #[inline(always)]
    pub(super) fn size(self) -> usize {
        WORD * self.words()
    }

    /// The number of bytes of which addresses are multiples.
    #[inline(always)]
    pub(super) fn alignment(self) -> usize {
        if self == Self::Packed { align_of::<f32>() } else { 1 }
    }
}

/// Bytes of a word.
const WORD: usize = size_of::<f32>();

/// What a word of a part is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Component {
    /// A component of a vector, by the vector's index and the axis.
    Axis(u8, u8),
    /// The fourth component of a vector.
    Fourth(FourthComponent),
    /// A word of a vector in a format of smaller numbers, by the indices of both.
    Converted(u8, u8),
}

/// A format of smaller numbers, and the fourth component, if it has one.
pub(crate) type Conversion = (VertexFormat, FourthComponent);

/// The most parts of a vertex: four attributes have at most sixteen words.
const MAX_PARTS: usize = 4;

/// The buffers of a [`VertexWriter`](crate::VertexWriter), as parts of vertices that are stored at
/// once. In the writer's bounds, as it checked them.
#[derive(Debug)]
pub struct VertexParts<'a> {
    parts: [Option<VertexPart>; MAX_PARTS],
    /// How vectors are converted that are not stored as floats.
    conversions: [Option<Conversion>; 4],
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
        let mut conversions = [None; 4];
        for vector in in_memory_order(destinations) {
            let Some(own) = &destinations[vector] else { continue };
            let index = vector as u8;
            let [x, y, z] = [0, 1, 2].map(|axis| Component::Axis(index, axis));
            let floats = [x, y, z, Component::Fourth(own.fourth)];
            let converted = [Component::Converted(index, 0), Component::Converted(index, 1)];
            match own.format {
                VertexFormat::Float32x3 if own.stride() == own.format.size() => {
                    parts.push(VertexPart::new(own, own.first(), PartFormat::Packed, floats));
                }
                VertexFormat::Float32x3 => parts.push_words(&floats[..3], own),
                VertexFormat::Float32x4 => parts.push_words(&floats, own),
                _ => {
                    conversions[vector] = Some((own.format, own.fourth));
                    parts.push_words(&converted[..own.format.size() / WORD], own);
                }
            }
        }
        parts.extend_last_of_several();
        Self { parts: parts.parts, conversions, vectors, vertices, buffers: PhantomData }
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
        VertexParts { parts, vertices: end - start, buffers: PhantomData, ..*self }
    }

    /// How a vector is converted, by its index; `None` if it is not, or not stored.
    #[inline(always)]
    pub(crate) fn conversion(&self, vector: usize) -> Option<Conversion> {
        *self.conversions.get(vector)?
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

    /// Adds words to the last part, if they continue it and it has fewer than four, or begins
    /// another.
    fn push_words(&mut self, components: &[Component], own: &Destination) {
        for (i, &component) in components.iter().enumerate() {
            let next =
                VertexPart::new(own, own.first().wrapping_add(i * WORD), PartFormat::Words1, [component; 4]);
            let last = self.len.checked_sub(1).and_then(|last| self.parts[last].as_mut());
            if let Some(part) = last
                && next.follows(part)
                && let Some((format, index)) = part.format.with_another_word()
            {
                part.format = format;
                part.components[index] = component;
                continue;
            }
            self.push(next);
        }
    }

    /// Lets parts of fewer than four words that follow one of four begin in that one: words that
    /// are stored twice take no longer than others, and those of other sizes do.
    fn extend_last_of_several(&mut self) {
        for i in 1..self.len {
            let (Some(before), Some(part)) = (self.parts[i - 1], &mut self.parts[i]) else { continue };
            let words = part.format.words();
            let follows = before.format == PartFormat::Words4 && part.follows(&before);
            if !follows || part.format == PartFormat::Packed || words == 4 {
                continue;
            }
            let own = part.components;
            let mut components = before.components;
            components.rotate_left(words);
            components[4 - words..].copy_from_slice(&own[..words]);
            part.first = part.first.wrapping_sub((4 - words) * WORD);
            (part.format, part.components) = (PartFormat::Words4, components);
        }
    }
}

impl PartFormat {
    /// The format with one word more, and the index of that word.
    fn with_another_word(self) -> Option<(Self, usize)> {
        match self {
            Self::Words1 => Some((Self::Words2, 1)),
            Self::Words2 => Some((Self::Words3, 2)),
            Self::Words3 => Some((Self::Words4, 3)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{VertexAttribute, VertexFormat, VertexLayout, VertexWriter};

    /// The number of parts of one vertex with a position of four halves and a normal behind it.
    fn parts(layout: &VertexLayout, buffers: Vec<&mut [u8]>) -> usize {
        let writer = VertexWriter::new(layout, buffers, 1).expect("buffers of one vertex");
        let parts = writer.into_parts();
        (0..4).filter_map(|part| parts.part(part)).count()
    }

    #[test]
    fn buffers_that_follow_each_other_have_parts_of_their_own() {
        use {VertexAttribute::Normal, VertexAttribute::Position, VertexFormat::Float16x4};
        let mut bytes = [0; 16];
        let one = VertexLayout::interleaved(16).with(Position, Float16x4, 0).with(Normal, Float16x4, 8);
        assert_eq!(parts(&one, vec![&mut bytes]), 1);
        let two = VertexLayout::separate().with(Position, Float16x4, 0).with(Normal, Float16x4, 0);
        let (position, normal) = bytes.split_at_mut(8);
        assert_eq!(parts(&two, vec![position, normal]), 2);
    }
}
