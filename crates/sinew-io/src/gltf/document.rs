//! A checked document, and the elements of its accessors.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell, RefCell};
use std::fmt::Display;

use super::accessor::{Layout, read_float, read_unsigned};
pub(crate) use super::accessor_use::AccessorUse;
use super::accessor_use::TypeSupport;
use super::buffers::Buffers;
use super::compressed::Compressed;
use super::elements::{borrow_packed, read_elements, read_f32s, read_packed, widen, zeros};
use super::schema::Root;
use super::schema::accessor::{ComponentType, Type};
use super::schema::buffer::View;
use super::source::GltfSource;
use super::{check, min_max};
use crate::error::BoxedError as Error;
use crate::sandbox::SandboxedFolder;
use crate::scene::Budget;
use crate::{Report, Warning, meshopt};

/// A checked document with its buffers.
pub(crate) struct Document<'a, 'b> {
    /// The parsed JSON. Every index in it is in range, except indices within extensions.
    pub(crate) root: Root<'a>,
    buffers: Buffers<'a, 'b>,
    /// The decoded bytes of compressed views, by view.
    decoded: Vec<OnceCell<Vec<u8>>>,
    budget: &'a Budget,
    /// Whether the document uses `KHR_mesh_quantization`.
    quantized: bool,
    /// Whether each accessor was read, so that its warnings are given once.
    read: Vec<Cell<bool>>,
    warnings: RefCell<Vec<Warning>>,
}

impl<'a, 'b> Document<'a, 'b> {
    /// Reads and checks a document. Decodes no buffer yet.
    pub(crate) fn open(
        source: &'a GltfSource<'_, 'b>,
        folder: Option<&'a SandboxedFolder>,
        budget: &'a Budget,
        report: &mut Report,
    ) -> Result<Self, Error> {
        let root = source.root(report)?;
        check::check(&root, report)?;
        Ok(Self {
            buffers: Buffers::new(source.blob, folder, root.buffers.len()),
            decoded: root.buffer_views.iter().map(|_| OnceCell::new()).collect(),
            budget,
            quantized: uses_quantization(&root),
            read: root.accessors.iter().map(|_| Cell::new(false)).collect(),
            warnings: RefCell::default(),
            root,
        })
    }

    /// All elements of an accessor, with `N` components each. They are borrowed from the file if it
    /// has them as they are in memory.
    pub(crate) fn floats<const N: usize>(
        &self,
        accessor: usize,
        usage: AccessorUse,
        location: &dyn Display,
    ) -> Result<Cow<'b, [[f32; N]]>, Error> {
        let layout = self.layout(accessor, location)?;
        let support = usage.type_support(&layout);
        if support == TypeSupport::Refused || layout.shape.multiplicity() != N {
            return Err(Error::invalid(location.to_string(), usage.allowed_types(), layout.type_name()));
        }
        let first = !self.read[accessor].replace(true);
        if first && support == TypeSupport::Quantized && !self.quantized {
            self.warn(
                location,
                format!("{} without KHR_mesh_quantization", layout.type_name()),
                "it was read as if it were used",
            );
        }
        if first && !usage.is_attribute() {
            self.warn_of_stride(&layout, location);
        }
        let size = layout.component.size();
        let numbers = match layout.component {
            // By far the most numbers, and as fast as they can be copied.
            ComponentType::F32 => match self.packed_floats(&layout, location)? {
                Some(packed) => packed,
                None => self.elements(&layout, accessor, location, read_f32s)?.into(),
            },
            _ => {
                let read = |bytes: &[u8]| {
                    std::array::from_fn(|c| {
                        read_float(&bytes[c * size..], layout.component, layout.normalized)
                    })
                };
                self.elements(&layout, accessor, location, read)?.into()
            }
        };
        // `min` and `max` of normalized accessors are integers, and `numbers` are floats.
        if first
            && !layout.normalized
            && let Some(error) = min_max::find_error(&self.root.accessors[accessor], &numbers)
        {
            self.warn(&format_args!("accessors[{accessor}]"), error, "min and max were ignored");
        }
        Ok(numbers)
    }

    /// Vertex indices.
    pub(crate) fn indices(&self, accessor: usize, location: &dyn Display) -> Result<Cow<'b, [u32]>, Error> {
        let layout = self.layout(accessor, location)?;
        let fits = matches!(layout.component, ComponentType::U8 | ComponentType::U16 | ComponentType::U32);
        if layout.shape != Type::Scalar || !fits || layout.normalized {
            return Err(Error::invalid(location.to_string(), "SCALAR of u8, u16 or u32", layout.type_name()));
        }
        if !self.read[accessor].replace(true) {
            self.warn_of_stride(&layout, location);
        }
        let in_file = self.file_bytes(&layout).filter(|_| layout.component == ComponentType::U32);
        let indices = if let Some(borrowed) = in_file.and_then(borrow_packed::<u32, 1>) {
            self.spend(size_of_val(borrowed) as u64, location)?;
            Cow::Borrowed(borrowed.as_flattened())
        } else if let Some(bytes) = self.packed_bytes(&layout, location)? {
            self.spend((layout.count as u64).saturating_mul(4), location)?;
            widen(bytes, layout.component, layout.count).into()
        } else {
            let read = |bytes: &[u8]| read_unsigned(bytes, layout.component);
            self.elements(&layout, accessor, location, read)?.into()
        };
        // The largest value of the type would restart the primitive in graphics APIs.
        let restart = u32::MAX >> (32 - 8 * layout.component.size());
        // Looked for in a loop without an exit, which compiles to SIMD instructions.
        if !indices.iter().fold(false, |found, &index| found | (index == restart)) {
            return Ok(indices);
        }
        let corner = indices.iter().position(|&index| index == restart).unwrap_or_default();
        let expected = format!("vertices below {restart}, the primitive restart value");
        Err(Error::invalid(location.to_string(), expected, format!("{restart} at corner {corner}")))
    }

    /// Joint indices of vertices, into the joints of a skin.
    pub(crate) fn joints(
        &self,
        accessor: usize,
        location: &dyn Display,
    ) -> Result<Cow<'b, [[u16; 4]]>, Error> {
        let layout = self.layout(accessor, location)?;
        let fits = matches!(layout.component, ComponentType::U8 | ComponentType::U16);
        if layout.shape != Type::Vec4 || !fits || layout.normalized {
            return Err(Error::invalid(location.to_string(), "VEC4 of u8 or u16", layout.type_name()));
        }
        let in_file = self.file_bytes(&layout).filter(|_| layout.component == ComponentType::U16);
        if let Some(borrowed) = in_file.and_then(borrow_packed) {
            self.spend(size_of_val(borrowed) as u64, location)?;
            return Ok(Cow::Borrowed(borrowed));
        }
        let joints = match layout.component {
            ComponentType::U8 => self.elements(&layout, accessor, location, |bytes| match bytes {
                &[a, b, c, d] => [a.into(), b.into(), c.into(), d.into()],
                _ => [0; 4],
            }),
            _ => self.elements(&layout, accessor, location, |bytes| match bytes.as_chunks().0 {
                &[a, b, c, d] => [
                    u16::from_le_bytes(a),
                    u16::from_le_bytes(b),
                    u16::from_le_bytes(c),
                    u16::from_le_bytes(d),
                ],
                _ => [0; 4],
            }),
        };
        joints.map(Cow::Owned)
    }

    /// The number of elements of an accessor. Decodes nothing.
    pub(crate) fn len(&self, accessor: usize, location: &dyn Display) -> Result<usize, Error> {
        self.layout(accessor, location).map(|layout| layout.count)
    }

    /// The number of components of each element of an accessor.
    pub(crate) fn components(&self, accessor: usize, location: &dyn Display) -> Result<usize, Error> {
        self.layout(accessor, location).map(|layout| layout.shape.multiplicity())
    }

    /// Subtracts bytes that are about to be allocated from the memory budget.
    pub(crate) fn spend(&self, bytes: u64, location: impl Display) -> Result<(), Error> {
        self.budget.spend(bytes, location)
    }

    /// Moves the warnings about accessors to the report.
    pub(crate) fn take_warnings(&self, report: &mut Report) -> Result<(), Error> {
        let warnings = self.warnings.take();
        warnings
            .into_iter()
            .try_for_each(|Warning { location, found, action }| report.warn(location, found, action))
    }

    fn layout(&self, accessor: usize, location: &dyn Display) -> Result<Layout, Error> {
        if accessor < self.root.accessors.len() {
            return Layout::new(&self.root, accessor);
        }
        let expected = format!("one of {} accessors", self.root.accessors.len());
        Err(Error::invalid(location.to_string(), expected, accessor.to_string()))
    }

    /// The elements of an accessor of floats that lie side by side; `None` for any other.
    fn packed_floats<const N: usize>(
        &self,
        layout: &Layout,
        location: &dyn Display,
    ) -> Result<Option<Cow<'b, [[f32; N]]>>, Error> {
        let bytes = (layout.count as u64).saturating_mul(4 * N as u64);
        // What is borrowed counts, too: the model has a copy of it.
        if let Some(borrowed) = self.file_bytes(layout).and_then(borrow_packed) {
            return self.spend(bytes, location).map(|()| Some(Cow::Borrowed(borrowed)));
        }
        let Some(packed) = self.packed_bytes(layout, location)? else { return Ok(None) };
        self.spend(bytes, location)?;
        Ok(Some(read_packed(packed, layout.count).into()))
    }

    /// The bytes of elements that lie side by side in the BIN chunk; `None` for any others.
    fn file_bytes(&self, layout: &Layout) -> Option<&'b [u8]> {
        let index = layout.view.filter(|_| layout.is_packed())?;
        let view = self.root.buffer_views.get(index)?;
        let buffer = view.buffer.value();
        let bytes = self.buffers.in_file(buffer, self.root.buffers.get(buffer)?)?;
        let view_bytes = range(bytes, view.byte_offset, view.byte_length)?;
        let len = layout.count.checked_mul(layout.element_size())?;
        let own = view_bytes.get(layout.offset..)?.get(..len)?;
        matches!(Compressed::for_view(&self.root, index), Ok(None)).then_some(own)
    }

    /// The bytes of elements that lie side by side; `None` for any others.
    fn packed_bytes(&self, layout: &Layout, location: &dyn Display) -> Result<Option<&[u8]>, Error> {
        let Some(view) = layout.view.filter(|_| layout.is_packed()) else { return Ok(None) };
        self.view(view, location).map(|bytes| bytes.get(layout.offset..))
    }

    /// Applies `read` to the bytes of each element.
    fn elements<T: Copy>(
        &self,
        layout: &Layout,
        accessor: usize,
        location: &dyn Display,
        read: impl Fn(&[u8]) -> T,
    ) -> Result<Vec<T>, Error> {
        let size = layout.element_size();
        self.spend((layout.count as u64).saturating_mul(size_of::<T>() as u64), location)?;
        let mut elements = match layout.view {
            Some(view) => {
                let bytes = self.view(view, location)?.get(layout.offset..).unwrap_or_default();
                read_elements(bytes, (size, layout.stride), layout.count, &read)
            }
            None => zeros(layout.count, read(&[0; 64][..size]), location)?,
        };
        if let Some(sparse_layout) = &layout.sparse_layout {
            let indices = self.view(sparse_layout.index_view, location)?;
            let values = self.view(sparse_layout.value_view, location)?;
            sparse_layout.apply(
                &mut elements,
                indices,
                values,
                size,
                &format!("accessors[{accessor}]"),
                read,
            )?;
        }
        Ok(elements)
    }

    /// The bytes of a buffer view, decompressed if it is compressed.
    pub(crate) fn view(&self, view: usize, location: &dyn Display) -> Result<&[u8], Error> {
        let Some(found) = self.root.buffer_views.get(view) else {
            let expected = format!("one of {} views", self.root.buffer_views.len());
            return Err(Error::invalid(location.to_string(), expected, view.to_string()));
        };
        match Compressed::for_view(&self.root, view)? {
            Some(compressed) => self.decompressed_view(view, &compressed),
            None => self.plain_view(found),
        }
    }

    fn plain_view(&self, view: &View<'_>) -> Result<&[u8], Error> {
        self.buffer_bytes(view.buffer.value(), view.byte_offset, view.byte_length)
    }

    fn decompressed_view(&self, view: usize, compressed: &Compressed) -> Result<&[u8], Error> {
        let slot = &self.decoded[view];
        if let Some(bytes) = slot.get() {
            return Ok(bytes);
        }
        let location = format!("bufferViews[{view}]");
        let data = self.buffer_bytes(compressed.buffer, compressed.offset, compressed.len)?;
        let bytes = self.root.buffer_views[view].byte_length;
        self.budget.grow_compressed(compressed.len, bytes);
        self.spend(bytes, &location)?;
        let Compressed { mode, filter, count, stride, .. } = *compressed;
        let bytes = meshopt::decode(data, mode, filter, count, stride).map_err(|error| {
            Error::invalid(location, error.expected, format!("none at byte {} of the stream", error.byte))
        })?;
        Ok(slot.get_or_init(|| bytes))
    }

    /// A range of a buffer. The checks made sure that it is within the declared length.
    fn buffer_bytes(&self, buffer: usize, start: u64, len: u64) -> Result<&[u8], Error> {
        let bytes = self.buffers.get(buffer, &self.root.buffers[buffer], self.budget)?;
        range(bytes, start, len).ok_or_else(|| {
            let found = format!("{len} bytes at byte {start}");
            Error::invalid(
                format!("buffers[{buffer}]"),
                format!("a view within {} bytes", bytes.len()),
                found,
            )
        })
    }

    fn warn_of_stride(&self, layout: &Layout, location: &dyn Display) {
        if layout.view.is_some_and(|view| self.root.buffer_views[view].byte_stride.is_some()) {
            self.warn(location, "a byteStride on data that is no vertex attribute".to_owned(), "it was used");
        }
    }

    fn warn(&self, location: &dyn Display, found: String, action: &str) {
        self.warnings.borrow_mut().push(Warning {
            location: location.to_string(),
            found,
            action: action.to_owned(),
        });
    }
}

/// A range of bytes, if they are there.
fn range(bytes: &[u8], start: u64, len: u64) -> Option<&[u8]> {
    let (start, len) = (usize::try_from(start).ok()?, usize::try_from(len).ok()?);
    bytes.get(start..)?.get(..len)
}

fn uses_quantization(root: &Root<'_>) -> bool {
    let mut used = root.extensions_used.iter().chain(&root.extensions_required);
    used.any(|name| name == "KHR_mesh_quantization")
}
