//! Where an accessor's elements lie, and their numbers.

use super::schema::accessor::{ComponentType, Type};
use super::schema::{Accessor, Kind, Root};
use super::sparse::Substitutes;
use crate::Error;

/// Where elements lie in a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) count: usize,
    pub(crate) shape: Type,
    pub(crate) component: ComponentType,
    pub(crate) normalized: bool,
    /// `None`: all elements are nought.
    pub(crate) view: Option<usize>,
    /// Bytes before the first.
    pub(crate) offset: usize,
    /// Bytes from one to the next.
    pub(crate) stride: usize,
    pub(crate) substitutes: Option<Substitutes>,
}

impl Layout {
    /// The layout of an accessor, checked against the lengths that its views declare.
    pub(crate) fn of(root: &Root, accessor: &Accessor, place: &str) -> Result<Self, Error> {
        let Kind(Some(component)) = accessor.component_type else {
            return Err(Error::fault(
                format!("{place}.componentType"),
                "a component type of glTF",
                "another number",
            ));
        };
        let Kind(Some(shape)) = accessor.type_ else {
            return Err(Error::fault(
                format!("{place}.type"),
                "SCALAR, VEC2 to VEC4 or MAT2 to MAT4",
                "another word",
            ));
        };
        let mut layout = Self {
            count: whole(accessor.count, &format!("{place}.count"))?,
            shape,
            component,
            normalized: accessor.normalized,
            view: accessor.buffer_view.map(|view| view.value()),
            offset: whole(accessor.byte_offset.unwrap_or_default(), &format!("{place}.byteOffset"))?,
            stride: element_size(shape, component),
            substitutes: None,
        };
        if layout.count == 0 {
            return Err(Error::fault(format!("{place}.count"), "at least 1", "0"));
        }
        layout.place_in_view(root, place)?;
        if let Some(sparse) = &accessor.sparse {
            layout.substitutes = Some(Substitutes::of(root, sparse, &layout, place)?);
        }
        Ok(layout)
    }

    /// Takes the stride of the view, and checks that the last element ends within it.
    fn place_in_view(&mut self, root: &Root, place: &str) -> Result<(), Error> {
        let Some(view) = self.view else { return Ok(()) };
        let Some(found) = root.buffer_views.get(view) else {
            let expected = format!("one of {} views", root.buffer_views.len());
            return Err(Error::fault(format!("{place}.bufferView"), expected, view.to_string()));
        };
        if let Some(stride) = found.byte_stride {
            self.stride = stride;
        }
        if self.stride < self.element() {
            let expected = format!("a stride of at least {}, the size of an element", self.element());
            return Err(Error::fault(
                format!("bufferViews[{view}].byteStride"),
                expected,
                self.stride.to_string(),
            ));
        }
        let len = found.byte_length;
        let found = match self.end() {
            Some(end) if end <= len => return Ok(()),
            Some(end) => format!("{} elements that end at byte {end}", self.count),
            None => format!("{} elements that end past 2^64", self.count),
        };
        Err(Error::fault(place, format!("elements within the {len} bytes of bufferViews[{view}]"), found))
    }

    /// The bytes of one element.
    pub(crate) fn element(&self) -> usize {
        element_size(self.shape, self.component)
    }

    /// The byte of the view at which the last element ends, of which there is one at least.
    fn end(&self) -> Option<u64> {
        let last = (self.count as u64).checked_sub(1)?;
        last.checked_mul(self.stride as u64)?
            .checked_add(self.offset as u64)?
            .checked_add(self.element() as u64)
    }

    /// The type in words.
    pub(crate) fn kind(&self) -> String {
        let normalized = if self.normalized { "normalised " } else { "" };
        format!("{} of {normalized}{}", shape_name(self.shape), component_name(self.component))
    }
}

/// A number as a length in memory.
pub(crate) fn whole(number: u64, place: &str) -> Result<usize, Error> {
    usize::try_from(number)
        .map_err(|_| Error::fault(place, "a number that memory can hold", number.to_string()))
}

/// The bytes of an element. Columns of a matrix begin at multiples of four bytes.
fn element_size(shape: Type, component: ComponentType) -> usize {
    let size = component.size();
    let column = |rows: usize| (rows * size).next_multiple_of(4);
    match shape {
        Type::Mat2 => 2 * column(2),
        Type::Mat3 => 3 * column(3),
        Type::Mat4 => 4 * column(4),
        _ => shape.multiplicity() * size,
    }
}

pub(crate) fn shape_name(shape: Type) -> &'static str {
    match shape {
        Type::Scalar => "SCALAR",
        Type::Vec2 => "VEC2",
        Type::Vec3 => "VEC3",
        Type::Vec4 => "VEC4",
        Type::Mat2 => "MAT2",
        Type::Mat3 => "MAT3",
        Type::Mat4 => "MAT4",
    }
}

pub(crate) fn component_name(component: ComponentType) -> &'static str {
    match component {
        ComponentType::I8 => "i8",
        ComponentType::U8 => "u8",
        ComponentType::I16 => "i16",
        ComponentType::U16 => "u16",
        ComponentType::U32 => "u32",
        ComponentType::F32 => "f32",
    }
}

/// The number that the first bytes of `bytes` give, as glTF's formulas have it.
pub(crate) fn float(bytes: &[u8], component: ComponentType, normalized: bool) -> f32 {
    match (component, normalized) {
        (ComponentType::F32, _) => f32::from_le_bytes(first(bytes)),
        (ComponentType::U32, _) => u32::from_le_bytes(first(bytes)) as f32,
        (ComponentType::U8, false) => f32::from(first::<1>(bytes)[0]),
        (ComponentType::U8, true) => f32::from(first::<1>(bytes)[0]) / 255.0,
        (ComponentType::I8, false) => f32::from(i8::from_le_bytes(first(bytes))),
        (ComponentType::I8, true) => (f32::from(i8::from_le_bytes(first(bytes))) / 127.0).max(-1.0),
        (ComponentType::U16, false) => f32::from(u16::from_le_bytes(first(bytes))),
        (ComponentType::U16, true) => f32::from(u16::from_le_bytes(first(bytes))) / 65535.0,
        (ComponentType::I16, false) => f32::from(i16::from_le_bytes(first(bytes))),
        (ComponentType::I16, true) => (f32::from(i16::from_le_bytes(first(bytes))) / 32767.0).max(-1.0),
    }
}

/// The number that the first bytes of `bytes` give, of an unsigned type.
pub(crate) fn unsigned(bytes: &[u8], component: ComponentType) -> u32 {
    match component {
        ComponentType::U8 | ComponentType::I8 => u32::from(first::<1>(bytes)[0]),
        ComponentType::U16 | ComponentType::I16 => u32::from(u16::from_le_bytes(first(bytes))),
        ComponentType::U32 | ComponentType::F32 => u32::from_le_bytes(first(bytes)),
    }
}

fn first<const N: usize>(bytes: &[u8]) -> [u8; N] {
    *bytes.first_chunk().expect("an element has the bytes of its components")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normalised_integers_reach_one_and_not_past_minus_one() {
        use ComponentType::{I8, I16, U8, U16};
        let number = |bytes: &[u8], component| float(bytes, component, true);
        assert_eq!([number(&[255], U8), number(&[0], U8)], [1.0, 0.0]);
        assert_eq!([number(&[127], I8), number(&[0x81], I8), number(&[0x80], I8)], [1.0, -1.0, -1.0]);
        assert_eq!([number(&[255, 255], U16), number(&[0, 0], U16)], [1.0, 0.0]);
        let shorts = [i16::MAX, -i16::MAX, i16::MIN].map(|v| number(&v.to_le_bytes(), I16));
        assert_eq!(shorts, [1.0, -1.0, -1.0]);
        assert_eq!(number(&[51], U8), 0.2);
        assert_eq!(number(&[26], I8), 26.0 / 127.0);
    }

    #[test]
    fn plain_integers_keep_their_numbers() {
        assert_eq!(float(&[0x80], ComponentType::I8, false), -128.0);
        assert_eq!(float(&[0xff, 0xff], ComponentType::I16, false), -1.0);
        assert_eq!(float(&[0xff, 0xff], ComponentType::U16, false), 65535.0);
        assert_eq!(unsigned(&[1, 2, 3, 4], ComponentType::U32), 0x0403_0201);
    }

    #[test]
    fn columns_of_matrices_begin_at_words() {
        assert_eq!(element_size(Type::Mat2, ComponentType::U8), 8);
        assert_eq!(element_size(Type::Mat3, ComponentType::U8), 12);
        assert_eq!(element_size(Type::Mat3, ComponentType::I16), 24);
        assert_eq!(element_size(Type::Mat4, ComponentType::F32), 64);
        assert_eq!(element_size(Type::Vec3, ComponentType::U8), 3);
    }
}
