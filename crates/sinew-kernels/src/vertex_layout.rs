//! Vertex layouts: which attributes a vertex has, and where and in which format each is stored.

use crate::VertexLayoutError;

/// An attribute of a vertex that skinning moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum VertexAttribute {
    /// The position.
    Position,
    /// The normal.
    Normal,
    /// The tangent.
    Tangent,
    /// The bitangent.
    Bitangent,
}

impl VertexAttribute {
    /// All attributes, in the order of their indices.
    pub const ALL: [Self; 4] = [Self::Position, Self::Normal, Self::Tangent, Self::Bitangent];

    /// The attribute's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Position => "position",
            Self::Normal => "normal",
            Self::Tangent => "tangent",
            Self::Bitangent => "bitangent",
        }
    }
}

/// The format of an attribute in memory, little-endian.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum VertexFormat {
    /// Three `f32`: 12 bytes.
    Float32x3,
    /// Four `f32`: 16 bytes.
    Float32x4,
    /// Four half floats: 8 bytes. Rounded to nearest, ties to even; too large numbers become
    /// infinite.
    Float16x4,
    /// Four 16-bit integers from -32767 to 32767, which mean -1 to 1: 8 bytes. Rounded to nearest,
    /// ties to even; numbers outside -1 to 1 are clamped, NaN becomes 0.
    Snorm16x4,
    /// A direction of any length in octahedral encoding, as two 16-bit integers as in `Snorm16x4`:
    /// 4 bytes. With x and y of these, z = 1 - |x| - |y|, and if that is negative, x and y are
    /// (1 - |y|) and (1 - |x|) with the signs of x and y. Zero, and what has a NaN, is +z: (0, 0).
    /// Not for positions.
    Snorm16x2Octahedral,
    /// Four 8-bit integers from -127 to 127, which mean -1 to 1: 4 bytes. Rounded and clamped like
    /// `Snorm16x4`.
    Snorm8x4,
}

impl VertexFormat {
    /// The number of bytes of an attribute.
    #[must_use]
    pub fn size(self) -> usize {
        match self {
            Self::Float32x3 => 12,
            Self::Float32x4 => 16,
            Self::Float16x4 | Self::Snorm16x4 => 8,
            Self::Snorm16x2Octahedral | Self::Snorm8x4 => 4,
        }
    }

    /// The number of bytes of a component. Offsets, strides and addresses are multiples of it.
    #[must_use]
    pub fn alignment(self) -> usize {
        match self {
            Self::Float32x3 | Self::Float32x4 => 4,
            Self::Float16x4 | Self::Snorm16x4 | Self::Snorm16x2Octahedral => 2,
            Self::Snorm8x4 => 1,
        }
    }
}

/// What the fourth component of a format with four components is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FourthComponent {
    /// 0, as directions have it in homogeneous coordinates.
    Zero,
    /// 1, as positions have it.
    One,
    /// The sign of the bitangent.
    TangentSign,
}

impl FourthComponent {
    /// The usual one of an attribute, by its index.
    #[inline(always)]
    pub(crate) fn usual(attribute: usize) -> Self {
        match attribute {
            0 => Self::One,
            2 => Self::TangentSign,
            _ => Self::Zero,
        }
    }
}

/// Where one attribute is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AttributeLayout {
    /// The index of the buffer.
    pub buffer: usize,
    /// Bytes from one vertex to the next.
    pub stride: usize,
    /// Offset in a vertex, in bytes.
    pub offset: usize,
    /// The format.
    pub format: VertexFormat,
    /// The fourth component, if the format has one.
    pub fourth: FourthComponent,
}

/// A vertex layout: the attributes of a vertex and where each is stored, in one interleaved buffer
/// or in several. Bytes that it does not name, such as texture coordinates, are never written.
///
/// ```
/// use sinew_kernels::{VertexAttribute, VertexFormat, VertexLayout};
///
/// // 48 bytes: position, normal, tangent with sign, and 8 bytes of texture coordinates.
/// let interleaved = VertexLayout::interleaved(48)
///     .with(VertexAttribute::Position, VertexFormat::Float32x3, 0)
///     .with(VertexAttribute::Normal, VertexFormat::Float32x3, 12)
///     .with(VertexAttribute::Tangent, VertexFormat::Float32x4, 24);
/// assert!(interleaved.check().is_ok());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VertexLayout {
    attributes: [Option<AttributeLayout>; 4],
    /// The stride of the only buffer; `None` if every attribute has a buffer of its own.
    stride: Option<usize>,
    /// The first attribute that was given a fourth component or a stride before it was added.
    misplaced: Option<VertexAttribute>,
    derived: Derived,
}

/// What follows from the attributes: found when the layout is made, not for every call that uses
/// it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Derived {
    /// Whether [`VertexLayout::check`] finds no fault.
    sound: bool,
    /// For each attribute of three floats, whether the four bytes behind it belong to an attribute
    /// that is written later: the next of this vertex, or the first of the next vertex.
    pub(crate) overwritten_behind: [bool; 4],
    /// The number of buffers.
    buffers: usize,
    /// For each buffer, the bytes from one vertex to the next, and those of its last vertex up to
    /// the end of the last attribute.
    strides: [usize; 4],
    ends: [usize; 4],
    /// The bits that are zero in the address of each buffer.
    pub(crate) alignment_masks: [usize; 4],
    pub(crate) kind: LayoutKind,
}

/// What a writer must know of a layout as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct LayoutKind {
    /// The number of vectors: those up to the last attribute.
    pub(crate) vectors: usize,
    /// Whether vectors can be stored straight from registers: all up to the last attribute are
    /// there, with the same stride, and have four floats with the usual fourth component, or three.
    /// All but the last of three floats are followed by what is written after them. In small builds
    /// (`--cfg sinew_small`), which lack the loops for more, only a single vector.
    pub(crate) direct: bool,
    /// Whether every attribute is three floats in an array of its own, without gaps.
    pub(crate) packed: bool,
    /// How vectors can be stored straight from registers where those convert to smaller numbers.
    pub(crate) direct_format: Option<DirectFormat>,
}

/// Two or three attributes in one buffer, with the usual fourth components: a position of floats or
/// halves, and directions side by side, all four halves, or all four normalized integers of the
/// same size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct DirectFormat {
    pub(crate) position: VertexFormat,
    pub(crate) directions: VertexFormat,
    /// Whether the directions, of sixteen bytes, do not follow the position. Otherwise they do, and
    /// all have sixteen bytes or more.
    pub(crate) apart: bool,
}

impl VertexLayout {
    /// One buffer for all attributes, with this number of bytes from one vertex to the next.
    #[must_use]
    pub fn interleaved(stride: usize) -> Self {
        Self::empty(Some(stride))
    }

    /// One buffer per attribute, in the order of [`VertexAttribute::ALL`].
    #[must_use]
    pub fn separate() -> Self {
        Self::empty(None)
    }

    fn empty(stride: Option<usize>) -> Self {
        Self { attributes: [None; 4], stride, misplaced: None, derived: Derived::default() }.derived()
    }

    /// The first `len` attributes, each in an array of three `f32` per vertex.
    #[must_use]
    pub fn packed(len: usize) -> Self {
        let attributes = VertexAttribute::ALL.iter().take(len);
        attributes.fold(Self::separate(), |layout, &a| layout.with(a, VertexFormat::Float32x3, 0))
    }

    /// Adds an attribute. In separate buffers, its stride is the size of the format, and `offset`
    /// is that of the first vertex.
    #[must_use]
    pub fn with(mut self, attribute: VertexAttribute, format: VertexFormat, offset: usize) -> Self {
        let fourth = FourthComponent::usual(attribute as usize);
        let stride = self.stride.unwrap_or(format.size());
        self.attributes[attribute as usize] =
            Some(AttributeLayout { buffer: 0, stride, offset, format, fourth });
        self.derived()
    }

    /// Sets the fourth component of an attribute that the layout has: by default 1 for positions,
    /// the sign of the bitangent for tangents, 0 for others.
    #[must_use]
    pub fn with_fourth(mut self, attribute: VertexAttribute, fourth: FourthComponent) -> Self {
        match &mut self.attributes[attribute as usize] {
            Some(layout) => layout.fourth = fourth,
            None => self.misplaced = self.misplaced.or(Some(attribute)),
        }
        self.derived()
    }

    /// Sets the stride of an attribute that the layout has, in a buffer of its own; in an
    /// interleaved layout that of all attributes.
    #[must_use]
    pub fn with_stride(mut self, attribute: VertexAttribute, stride: usize) -> Self {
        match (&mut self.stride, &mut self.attributes[attribute as usize]) {
            (_, None) => self.misplaced = self.misplaced.or(Some(attribute)),
            (None, Some(layout)) => layout.stride = stride,
            (Some(all), Some(_)) => {
                *all = stride;
                self.attributes.iter_mut().flatten().for_each(|layout| layout.stride = stride);
            }
        }
        self.derived()
    }

    /// With everything that follows from the attributes and strides.
    fn derived(mut self) -> Self {
        if self.stride.is_none() {
            // Separate buffers are numbered in the order of the attributes.
            for (buffer, layout) in self.attributes.iter_mut().flatten().enumerate() {
                layout.buffer = buffer;
            }
        }
        let mut derived = Derived { sound: self.find_fault().is_ok(), ..Derived::default() };
        derived.overwritten_behind =
            VertexAttribute::ALL.map(|attribute| self.is_overwritten_behind(attribute));
        derived.buffers = self.stride.map_or(self.attributes.iter().flatten().count(), |_| 1);
        for own in self.attributes.iter().flatten() {
            derived.strides[own.buffer] = own.stride;
            let end = &mut derived.ends[own.buffer];
            *end = own.offset.saturating_add(own.format.size()).max(*end);
            derived.alignment_masks[own.buffer] |= own.format.alignment() - 1;
        }
        derived.kind = self.kind(derived.overwritten_behind);
        self.derived = derived;
        self
    }

    fn kind(&self, overwritten_behind: [bool; 4]) -> LayoutKind {
        let vectors = self.attributes.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        let stride = self.attributes[0].map_or(0, |own| own.stride);
        let mut direct = stride > 0 && !(cfg!(sinew_small) && vectors > 1);
        for (v, own) in self.attributes[..vectors].iter().enumerate() {
            direct &= own.is_some_and(|own| {
                let stored_whole = match own.format {
                    VertexFormat::Float32x3 => overwritten_behind[v] || v + 1 == vectors,
                    VertexFormat::Float32x4 => own.fourth == FourthComponent::usual(v),
                    _ => false,
                };
                own.stride == stride && stored_whole
            });
        }
        let packed = |own: &AttributeLayout| own.format == VertexFormat::Float32x3 && own.stride == 12;
        let packed = self.attributes.iter().flatten().all(packed);
        LayoutKind { vectors, direct, packed, direct_format: self.direct_format(vectors) }
    }

    /// See the field.
    fn direct_format(&self, vectors: usize) -> Option<DirectFormat> {
        // Small builds have no direct layout of several vectors.
        if cfg!(sinew_small) || self.stride.is_none() || !(2..=3).contains(&vectors) {
            return None;
        }
        let (position, normal) = (self.attributes[0]?, self.attributes[1]?);
        let has_usual_fourth = |v: usize, own: &AttributeLayout| own.fourth == FourthComponent::usual(v);
        let position_fits = match position.format {
            VertexFormat::Float32x3 => true,
            VertexFormat::Float32x4 | VertexFormat::Float16x4 => has_usual_fourth(0, &position),
            _ => false,
        };
        let format = normal.format;
        let directions_fit =
            matches!(format, VertexFormat::Float16x4 | VertexFormat::Snorm16x4 | VertexFormat::Snorm8x4)
                && self.attributes[1..vectors].iter().enumerate().all(|(i, own)| {
                    own.is_some_and(|own| {
                        own.format == format
                            && has_usual_fourth(i + 1, &own)
                            && own.offset.checked_sub(normal.offset) == Some(i * format.size())
                    })
                });
        let directions = (vectors - 1) * format.size();
        let apart = normal.offset.checked_sub(position.offset) != Some(position.format.size());
        let large = if apart { directions == 16 } else { position.format.size() + directions >= 16 };
        (position_fits && directions_fit && large).then_some(DirectFormat {
            position: position.format,
            directions: format,
            apart,
        })
    }

    /// See the field. Vertices are written in ascending order, the attributes of each in the order
    /// of their indices.
    fn is_overwritten_behind(&self, attribute: VertexAttribute) -> bool {
        let Some(own) = self.attribute(attribute).filter(|own| own.format == VertexFormat::Float32x3) else {
            return false;
        };
        let is_shared = self.stride.is_some() && self.attributes.iter().flatten().count() > 1;
        if !is_shared {
            return own.stride == own.format.size();
        }
        let end = own.offset.saturating_add(own.format.size());
        let begins = |offset: usize, candidates: &[Option<AttributeLayout>]| {
            candidates.iter().flatten().any(|other| other.offset == offset)
        };
        if end == own.stride {
            return begins(0, &self.attributes);
        }
        begins(end, &self.attributes[attribute as usize + 1..])
    }

    /// What follows from the attributes.
    #[inline(always)]
    pub(crate) fn facts(&self) -> &Derived {
        &self.derived
    }

    /// Where an attribute is stored; `None` if the layout does not have it.
    #[must_use]
    pub fn attribute(&self, attribute: VertexAttribute) -> Option<&AttributeLayout> {
        self.attributes[attribute as usize].as_ref()
    }

    /// The number of buffers.
    #[must_use]
    pub fn buffers(&self) -> usize {
        self.derived.buffers
    }

    /// The number of vectors per vertex to skin: those up to the last attribute of the layout.
    #[must_use]
    pub fn vectors(&self) -> usize {
        self.derived.kind.vectors
    }

    /// The bytes that a number of vertices needs in a buffer. Saturates.
    #[must_use]
    pub fn buffer_len(&self, buffer: usize, vertices: usize) -> usize {
        let Derived { strides, ends, .. } = &self.derived;
        match (vertices.checked_sub(1), strides.get(buffer), ends.get(buffer)) {
            (Some(before), Some(stride), Some(&end)) => before.saturating_mul(*stride).saturating_add(end),
            _ => 0,
        }
    }

    /// Checks that every attribute lies within the stride, at a multiple of its component's size,
    /// that no two overlap, and that fourth components and strides were set for attributes that
    /// the layout had.
    ///
    /// # Errors
    ///
    /// The first fault, with its attribute.
    pub fn check(&self) -> Result<(), VertexLayoutError> {
        if self.derived.sound { Ok(()) } else { self.find_fault() }
    }

    fn find_fault(&self) -> Result<(), VertexLayoutError> {
        if let Some(attribute) = self.misplaced {
            return Err(VertexLayoutError::AbsentAttribute { attribute });
        }
        for attribute in VertexAttribute::ALL {
            let Some(layout) = self.attribute(attribute) else { continue };
            let AttributeLayout { stride, offset, format, .. } = *layout;
            if attribute == VertexAttribute::Position && format == VertexFormat::Snorm16x2Octahedral {
                return Err(VertexLayoutError::OctahedralPosition);
            }
            let align = format.alignment();
            if offset % align != 0 || stride % align != 0 {
                return Err(VertexLayoutError::Misaligned { attribute, multiple: align, offset, stride });
            }
            let first = if self.stride.is_some() { offset } else { 0 };
            let end = first.saturating_add(format.size());
            if end > stride {
                return Err(VertexLayoutError::StrideTooSmall { attribute, expected: end, found: stride });
            }
            self.check_overlap(attribute, layout)?;
        }
        let is_empty = self.attributes.iter().all(Option::is_none);
        if is_empty { Err(VertexLayoutError::NoAttributes) } else { Ok(()) }
    }

    /// Checks an attribute against those before it in the same buffer.
    fn check_overlap(
        &self,
        attribute: VertexAttribute,
        layout: &AttributeLayout,
    ) -> Result<(), VertexLayoutError> {
        let end = |layout: &AttributeLayout| layout.offset.saturating_add(layout.format.size());
        for first in VertexAttribute::ALL.into_iter().take_while(|&first| first < attribute) {
            let Some(other) = self.attribute(first) else { continue };
            if other.buffer == layout.buffer && other.offset < end(layout) && layout.offset < end(other) {
                return Err(VertexLayoutError::Overlap { first, second: attribute });
            }
        }
        Ok(())
    }
}
