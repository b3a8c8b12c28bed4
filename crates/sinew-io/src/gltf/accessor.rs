//! Where an accessor's elements lie, and their numbers.

use gltf_json::accessor::{ComponentType, Type};
use gltf_json::validation::Checked;
use gltf_json::{Accessor, Root};

use crate::Error;

/// Where elements lie in a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) count: usize,
    pub(crate) shape: Type,
    pub(crate) component: ComponentType,
    pub(crate) normalized: bool,
    /// Bytes before the first.
    pub(crate) offset: usize,
    /// Bytes from one to the next.
    pub(crate) stride: usize,
}

impl Layout {
    /// The layout of an accessor, checked against the length that its view declares.
    pub(crate) fn of(root: &Root, accessor: &Accessor, place: &str) -> Result<Self, Error> {
        let Checked::Valid(component) = accessor.component_type else {
            return Err(Error::fault(
                format!("{place}.componentType"),
                "a component type of glTF",
                "another number",
            ));
        };
        let Checked::Valid(shape) = accessor.type_ else {
            return Err(Error::fault(
                format!("{place}.type"),
                "SCALAR, VEC2 to VEC4 or MAT2 to MAT4",
                "another word",
            ));
        };
        let component = component.0;
        let element = element_size(shape, component);
        let view = accessor.buffer_view.map(|view| view.value());
        let stride = match view.and_then(|view| root.buffer_views.get(view)).and_then(|view| view.byte_stride)
        {
            Some(stride) => stride.0,
            None => element,
        };
        let count = whole(accessor.count.0, &format!("{place}.count"))?;
        let offset = whole(accessor.byte_offset.unwrap_or_default().0, &format!("{place}.byteOffset"))?;
        let layout = Self { count, shape, component, normalized: accessor.normalized, offset, stride };
        if let Some(view) = view {
            let Some(view) = root.buffer_views.get(view) else {
                return Err(Error::fault(
                    format!("{place}.bufferView"),
                    format!("one of {} views", root.buffer_views.len()),
                    view.to_string(),
                ));
            };
            layout.fits(view.byte_length.0, place)?;
        }
        Ok(layout)
    }

    pub(crate) fn element(&self) -> usize {
        element_size(self.shape, self.component)
    }

    /// That the last element ends within `len` bytes.
    fn fits(&self, len: u64, place: &str) -> Result<(), Error> {
        match self.end() {
            Some(end) if end <= len => Ok(()),
            Some(end) => Err(Error::fault(
                place,
                format!("elements within the view's {len} bytes"),
                format!("{end} bytes"),
            )),
            None => Err(Error::fault(
                place,
                format!("elements within the view's {len} bytes"),
                "an end past 2^64",
            )),
        }
    }

    fn end(&self) -> Option<u64> {
        let Some(last) = (self.count as u64).checked_sub(1) else { return Some(0) };
        last.checked_mul(self.stride as u64)?
            .checked_add(self.offset as u64)?
            .checked_add(self.element() as u64)
    }
}

pub(crate) fn whole(number: u64, place: &str) -> Result<usize, Error> {
    usize::try_from(number)
        .map_err(|_| Error::fault(place, "a number that memory can hold", number.to_string()))
}

/// The bytes of an element. Columns of a matrix begin at multiples of four bytes.
pub(crate) fn element_size(shape: Type, component: ComponentType) -> usize {
    let size = component.size();
    let column = |rows: usize| (rows * size).next_multiple_of(4);
    match shape {
        Type::Mat2 => 2 * column(2),
        Type::Mat3 => 3 * column(3),
        Type::Mat4 => 4 * column(4),
        _ => shape.multiplicity() * size,
    }
}

/// The number of a component, as an `f32`.
pub(crate) fn float(bytes: &[u8], component: ComponentType, normalized: bool) -> f32 {
    let half = || [bytes[0], bytes[1]];
    let word = || [bytes[0], bytes[1], bytes[2], bytes[3]];
    match (component, normalized) {
        (ComponentType::F32, _) => f32::from_le_bytes(word()),
        (ComponentType::U32, _) => u32::from_le_bytes(word()) as f32,
        (ComponentType::U8, false) => f32::from(bytes[0]),
        (ComponentType::U8, true) => f32::from(bytes[0]) / 255.0,
        (ComponentType::I8, false) => f32::from(bytes[0] as i8),
        (ComponentType::I8, true) => (f32::from(bytes[0] as i8) / 127.0).max(-1.0),
        (ComponentType::U16, false) => f32::from(u16::from_le_bytes(half())),
        (ComponentType::U16, true) => f32::from(u16::from_le_bytes(half())) / 65535.0,
        (ComponentType::I16, false) => f32::from(i16::from_le_bytes(half())),
        (ComponentType::I16, true) => (f32::from(i16::from_le_bytes(half())) / 32767.0).max(-1.0),
    }
}

/// The number of a component of an unsigned type.
pub(crate) fn unsigned(bytes: &[u8], component: ComponentType) -> u32 {
    match component {
        ComponentType::U8 | ComponentType::I8 => u32::from(bytes[0]),
        ComponentType::U16 | ComponentType::I16 => u32::from(u16::from_le_bytes([bytes[0], bytes[1]])),
        ComponentType::U32 | ComponentType::F32 => {
            u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
        }
    }
}
