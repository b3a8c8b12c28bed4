//! The layout of an accessor's elements in a buffer view, and the decoding of components.

use super::schema::accessor::{ComponentType, Type};
use super::schema::{Accessor, EnumValue, Root};
use super::sparse::SparseLayout;
use crate::error::BoxedError as Error;

/// Where the elements of an accessor are in a buffer view, and what they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) count: usize,
    pub(crate) shape: Type,
    pub(crate) component: ComponentType,
    pub(crate) normalized: bool,
    /// `None`: all elements are zero.
    pub(crate) view: Option<usize>,
    /// Bytes before the first element.
    pub(crate) offset: usize,
    /// Bytes from one element to the next.
    pub(crate) stride: usize,
    pub(crate) sparse_layout: Option<SparseLayout>,
}

impl Layout {
    /// Returns the layout of the accessor with this index. Checks it against the declared lengths
    /// of the buffer views. Locations are formatted only for errors: documents have many accessors.
    pub(crate) fn new(root: &Root<'_>, index: usize) -> Result<Self, Error> {
        let accessor: &Accessor<'_> = &root.accessors[index];
        let location = |field: &str| format!("accessors[{index}]{field}");
        let EnumValue(Some(component)) = accessor.component_type else {
            let expected = "a component type of glTF";
            return Err(Error::invalid(location(".componentType"), expected, "an unknown number"));
        };
        let EnumValue(Some(shape)) = accessor.type_ else {
            let expected = "SCALAR, VEC2 to VEC4 or MAT2 to MAT4";
            return Err(Error::invalid(location(".type"), expected, "an unknown string"));
        };
        let offset = accessor.byte_offset;
        let mut layout = Self {
            count: usize::try_from(accessor.count)
                .map_err(|_| memory_error(accessor.count, location(".count")))?,
            shape,
            component,
            normalized: accessor.normalized,
            view: accessor.buffer_view.map(|view| view.value()),
            offset: usize::try_from(offset).map_err(|_| memory_error(offset, location(".byteOffset")))?,
            stride: element_size(shape, component),
            sparse_layout: None,
        };
        if layout.count == 0 {
            return Err(Error::invalid(location(".count"), "at least 1", "0"));
        }
        layout.check_view(root, &location)?;
        if let Some(sparse) = &accessor.sparse {
            layout.sparse_layout = Some(SparseLayout::new(root, sparse, &layout, &location(""))?);
        }
        Ok(layout)
    }

    /// Sets the stride from the buffer view, and checks that the last element ends within the view.
    fn check_view(&mut self, root: &Root<'_>, location: &dyn Fn(&str) -> String) -> Result<(), Error> {
        let Some(view) = self.view else { return Ok(()) };
        let Some(found) = root.buffer_views.get(view) else {
            let expected = format!("one of {} views", root.buffer_views.len());
            return Err(Error::invalid(location(".bufferView"), expected, view.to_string()));
        };
        if let Some(stride) = found.byte_stride {
            self.stride = to_usize(stride, "byteStride")?;
        }
        if self.stride < self.element_size() {
            let expected = format!("a stride of at least {}, the size of an element", self.element_size());
            return Err(Error::invalid(
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
        let expected = format!("elements within the {len} bytes of bufferViews[{view}]");
        Err(Error::invalid(location(""), expected, found))
    }

    /// Bytes of one element.
    pub(crate) fn element_size(&self) -> usize {
        element_size(self.shape, self.component)
    }

    /// Whether the elements lie side by side, and nothing replaces any.
    pub(crate) fn is_packed(&self) -> bool {
        self.stride == self.element_size() && self.sparse_layout.is_none()
    }

    /// The offset in the view at which the last element ends. There is at least one element.
    fn end(&self) -> Option<u64> {
        let last = (self.count as u64).checked_sub(1)?;
        last.checked_mul(self.stride as u64)?
            .checked_add(self.offset as u64)?
            .checked_add(self.element_size() as u64)
    }

    /// The element and component type, for messages.
    pub(crate) fn type_name(&self) -> String {
        let normalized = if self.normalized { "normalized " } else { "" };
        format!("{} of {normalized}{}", shape_name(self.shape), component_name(self.component))
    }
}

/// Converts a number of the document to a length in memory.
pub(crate) fn to_usize(number: u64, location: &str) -> Result<usize, Error> {
    usize::try_from(number).map_err(|_| memory_error(number, location.to_owned()))
}

fn memory_error(number: u64, location: String) -> Error {
    Error::invalid(location, "a number that fits in memory", number.to_string())
}

/// Bytes of an element. Each column of a matrix starts at a multiple of four bytes.
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

/// Decodes the component at the start of `bytes` with glTF's formulas.
pub(crate) fn read_float(bytes: &[u8], component: ComponentType, normalized: bool) -> f32 {
    match (component, normalized) {
        (ComponentType::F32, _) => f32::from_le_bytes(first_bytes(bytes)),
        (ComponentType::U32, _) => u32::from_le_bytes(first_bytes(bytes)) as f32,
        (ComponentType::U8, false) => f32::from(first_bytes::<1>(bytes)[0]),
        (ComponentType::U8, true) => f32::from(first_bytes::<1>(bytes)[0]) / 255.0,
        (ComponentType::I8, false) => f32::from(i8::from_le_bytes(first_bytes(bytes))),
        (ComponentType::I8, true) => (f32::from(i8::from_le_bytes(first_bytes(bytes))) / 127.0).max(-1.0),
        (ComponentType::U16, false) => f32::from(u16::from_le_bytes(first_bytes(bytes))),
        (ComponentType::U16, true) => f32::from(u16::from_le_bytes(first_bytes(bytes))) / 65535.0,
        (ComponentType::I16, false) => f32::from(i16::from_le_bytes(first_bytes(bytes))),
        (ComponentType::I16, true) => (f32::from(i16::from_le_bytes(first_bytes(bytes))) / 32767.0).max(-1.0),
    }
}

/// Decodes the component of unsigned type at the start of `bytes`.
pub(crate) fn read_unsigned(bytes: &[u8], component: ComponentType) -> u32 {
    match component {
        ComponentType::U8 | ComponentType::I8 => u32::from(first_bytes::<1>(bytes)[0]),
        ComponentType::U16 | ComponentType::I16 => u32::from(u16::from_le_bytes(first_bytes(bytes))),
        ComponentType::U32 | ComponentType::F32 => u32::from_le_bytes(first_bytes(bytes)),
    }
}

fn first_bytes<const N: usize>(bytes: &[u8]) -> [u8; N] {
    *bytes.first_chunk().expect("an element has the bytes of its components")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normalized_integers_are_within_minus_one_and_one() {
        use ComponentType::{I8, I16, U8, U16};
        let number = |bytes: &[u8], component| read_float(bytes, component, true);
        assert_eq!([number(&[255], U8), number(&[0], U8)], [1.0, 0.0]);
        assert_eq!([number(&[127], I8), number(&[0x81], I8), number(&[0x80], I8)], [1.0, -1.0, -1.0]);
        assert_eq!([number(&[255, 255], U16), number(&[0, 0], U16)], [1.0, 0.0]);
        let shorts = [i16::MAX, -i16::MAX, i16::MIN].map(|v| number(&v.to_le_bytes(), I16));
        assert_eq!(shorts, [1.0, -1.0, -1.0]);
        assert_eq!(number(&[51], U8), 0.2);
        assert_eq!(number(&[26], I8), 26.0 / 127.0);
    }

    #[test]
    fn integers_that_are_not_normalized_keep_their_values() {
        assert_eq!(read_float(&[0x80], ComponentType::I8, false), -128.0);
        assert_eq!(read_float(&[0xff, 0xff], ComponentType::I16, false), -1.0);
        assert_eq!(read_float(&[0xff, 0xff], ComponentType::U16, false), 65535.0);
        assert_eq!(read_unsigned(&[1, 2, 3, 4], ComponentType::U32), 0x0403_0201);
    }

    #[test]
    fn matrix_columns_are_aligned_to_four_bytes() {
        assert_eq!(element_size(Type::Mat2, ComponentType::U8), 8);
        assert_eq!(element_size(Type::Mat3, ComponentType::U8), 12);
        assert_eq!(element_size(Type::Mat3, ComponentType::I16), 24);
        assert_eq!(element_size(Type::Mat4, ComponentType::F32), 64);
        assert_eq!(element_size(Type::Vec3, ComponentType::U8), 3);
    }
}
