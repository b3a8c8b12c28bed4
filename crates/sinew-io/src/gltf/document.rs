//! A document whose indices all lead somewhere, and the numbers of its accessors.

use std::cell::{Cell, OnceCell, RefCell};

use super::accessor::{Layout, float, unsigned};
use super::budget::Budget;
use super::buffers::Buffers;
use super::compressed::Compressed;
use super::schema::Root;
use super::schema::accessor::{ComponentType, Type};
use super::schema::buffer::View;
pub(crate) use super::usage::Use;
use super::usage::Verdict;
use super::{bounds, check, container, json};
use crate::folder::Folder;
use crate::{Error, Oddity, Options, Pictures, Report, Tangents, meshopt};

/// A document and its bytes.
pub(crate) struct Document<'a> {
    /// The JSON. Every index in it is in range, but those within extensions.
    pub(crate) root: Root,
    /// Levels of detail to prepare in every mesh.
    pub(crate) levels: Vec<usize>,
    pictures: Pictures,
    /// Whether tangents that are missing are made.
    pub(crate) tangents: Tangents,
    buffers: Buffers<'a>,
    /// The compressed views that have been decoded.
    decoded: Vec<OnceCell<Vec<u8>>>,
    budget: Budget,
    /// Whether it says that it has `KHR_mesh_quantization`.
    quantized: bool,
    /// The accessors whose numbers have been read, so that each is found odd once.
    read: Vec<Cell<bool>>,
    oddities: RefCell<Vec<Oddity>>,
}

impl<'a> Document<'a> {
    /// The document that bytes give, checked. No buffer is decoded yet.
    pub(crate) fn open(
        bytes: &'a [u8],
        folder: Option<&'a Folder>,
        options: &Options,
        report: &mut Report,
    ) -> Result<Self, Error> {
        let parts = container::split(bytes)?;
        let budget = Budget::new(options, bytes.len());
        let root = json::parse(parts.json, &budget, report)?;
        check::check(&root, report)?;
        Ok(Self {
            buffers: Buffers::new(parts.blob, folder, root.buffers.len()),
            decoded: root.buffer_views.iter().map(|_| OnceCell::new()).collect(),
            budget,
            quantized: quantized(&root),
            read: root.accessors.iter().map(|_| Cell::new(false)).collect(),
            oddities: RefCell::default(),
            levels: options.levels.clone(),
            pictures: options.pictures,
            tangents: options.tangents,
            root,
        })
    }

    /// All elements of an accessor, each of `N` components.
    pub(crate) fn floats<const N: usize>(
        &self,
        accessor: usize,
        of: Use,
        place: &str,
    ) -> Result<Vec<[f32; N]>, Error> {
        let layout = self.layout(accessor, place)?;
        let verdict = of.judge(&layout);
        if verdict == Verdict::Refused || layout.shape.multiplicity() != N {
            return Err(Error::fault(place, of.allowed(), layout.kind()));
        }
        let first = !self.read[accessor].replace(true);
        if first && verdict == Verdict::Quantized && !self.quantized {
            self.note(
                place,
                format!("{} without KHR_mesh_quantization", layout.kind()),
                "it was read as with it",
            );
        }
        if first && !of.is_attribute() {
            self.note_stride(&layout, place);
        }
        let size = layout.component.size();
        let numbers = self.elements(&layout, accessor, place, |bytes| {
            std::array::from_fn(|c| float(&bytes[c * size..], layout.component, layout.normalized))
        })?;
        // Bounds are those of the integers before they are normalised, which are not at hand.
        if first
            && !layout.normalized
            && let Some(fault) = bounds::fault(&self.root.accessors[accessor], &numbers)
        {
            self.note(&format!("accessors[{accessor}]"), fault, "they were not relied on");
        }
        Ok(numbers)
    }

    /// Indices of vertices.
    pub(crate) fn indices(&self, accessor: usize, place: &str) -> Result<Vec<u32>, Error> {
        let layout = self.layout(accessor, place)?;
        let fits = matches!(layout.component, ComponentType::U8 | ComponentType::U16 | ComponentType::U32);
        if layout.shape != Type::Scalar || !fits || layout.normalized {
            return Err(Error::fault(place, "SCALAR of u8, u16 or u32", layout.kind()));
        }
        if !self.read[accessor].replace(true) {
            self.note_stride(&layout, place);
        }
        self.elements(&layout, accessor, place, |bytes| unsigned(bytes, layout.component))
    }

    /// Joints of vertices, as places in a skin.
    pub(crate) fn joints(&self, accessor: usize, place: &str) -> Result<Vec<[u16; 4]>, Error> {
        let layout = self.layout(accessor, place)?;
        let fits = matches!(layout.component, ComponentType::U8 | ComponentType::U16);
        if layout.shape != Type::Vec4 || !fits || layout.normalized {
            return Err(Error::fault(place, "VEC4 of u8 or u16", layout.kind()));
        }
        let size = layout.component.size();
        self.elements(&layout, accessor, place, |bytes| {
            std::array::from_fn(|c| unsigned(&bytes[c * size..], layout.component) as u16)
        })
    }

    /// How many elements an accessor has. Nothing is decoded.
    pub(crate) fn len(&self, accessor: usize, place: &str) -> Result<usize, Error> {
        self.layout(accessor, place).map(|layout| layout.count)
    }

    /// How many components its elements have.
    pub(crate) fn components(&self, accessor: usize, place: &str) -> Result<usize, Error> {
        self.layout(accessor, place).map(|layout| layout.shape.multiplicity())
    }

    /// All of a picture that lies in a file, where pictures are to be read.
    pub(crate) fn picture(&self, uri: &str, place: &str) -> Option<Result<Vec<u8>, Error>> {
        (self.pictures == Pictures::Read).then(|| self.buffers.picture(uri, &self.budget, place))
    }

    /// Counts bytes that are about to be asked for against the budget.
    pub(crate) fn spend(&self, bytes: u64, place: &str) -> Result<(), Error> {
        self.budget.spend(bytes, place)
    }

    /// Gives what was odd about the accessors read so far.
    pub(crate) fn report(&self, report: &mut Report) -> Result<(), Error> {
        let oddities = self.oddities.take();
        oddities.into_iter().try_for_each(|Oddity { place, found, done }| report.note(place, found, done))
    }

    fn layout(&self, accessor: usize, place: &str) -> Result<Layout, Error> {
        match self.root.accessors.get(accessor) {
            Some(found) => Layout::of(&self.root, found, &format!("accessors[{accessor}]")),
            None => {
                let expected = format!("one of {} accessors", self.root.accessors.len());
                Err(Error::fault(place, expected, accessor.to_string()))
            }
        }
    }

    /// What `read` makes of the bytes of each element.
    fn elements<T: Copy>(
        &self,
        layout: &Layout,
        accessor: usize,
        place: &str,
        read: impl Fn(&[u8]) -> T,
    ) -> Result<Vec<T>, Error> {
        let size = layout.element();
        self.spend((layout.count as u64).saturating_mul(size_of::<T>() as u64), place)?;
        let mut elements = match layout.view {
            Some(view) => {
                let bytes = self.view(view, place)?.get(layout.offset..).unwrap_or_default();
                // The last one need not be followed by what is between.
                bytes.chunks(layout.stride).take(layout.count).map(|bytes| read(&bytes[..size])).collect()
            }
            None => zeros(layout.count, read(&[0; 64][..size]), place)?,
        };
        if let Some(substitutes) = &layout.substitutes {
            let indices = self.view(substitutes.index_view, place)?;
            let values = self.view(substitutes.value_view, place)?;
            substitutes.put(&mut elements, indices, values, size, &format!("accessors[{accessor}]"), read)?;
        }
        Ok(elements)
    }

    /// The bytes of a view, decompressed where it is compressed.
    pub(crate) fn view(&self, view: usize, place: &str) -> Result<&[u8], Error> {
        let Some(found) = self.root.buffer_views.get(view) else {
            let expected = format!("one of {} views", self.root.buffer_views.len());
            return Err(Error::fault(place, expected, view.to_string()));
        };
        match Compressed::of(&self.root, view)? {
            Some(compressed) => self.decompressed(view, &compressed),
            None => self.plain(found),
        }
    }

    fn plain(&self, view: &View) -> Result<&[u8], Error> {
        let start = view.byte_offset.unwrap_or_default();
        self.buffer_bytes(view.buffer.value(), start, view.byte_length)
    }

    fn decompressed(&self, view: usize, compressed: &Compressed) -> Result<&[u8], Error> {
        let slot = &self.decoded[view];
        if let Some(bytes) = slot.get() {
            return Ok(bytes);
        }
        let place = format!("bufferViews[{view}]");
        let data = self.buffer_bytes(compressed.buffer, compressed.offset, compressed.len)?;
        let bytes = self.root.buffer_views[view].byte_length;
        self.budget.grow_compressed(compressed.len, bytes);
        self.spend(bytes, &place)?;
        let Compressed { mode, filter, count, stride, .. } = *compressed;
        let bytes = meshopt::decode(data, mode, filter, count, stride).map_err(|broken| {
            Error::fault(place, broken.expected, format!("none at byte {} of the stream", broken.byte))
        })?;
        Ok(slot.get_or_init(|| bytes))
    }

    /// Bytes of a buffer within what it declares, as has been checked.
    fn buffer_bytes(&self, buffer: usize, start: u64, len: u64) -> Result<&[u8], Error> {
        let bytes = self.buffers.get(buffer, &self.root.buffers[buffer], &self.budget)?;
        let part = usize::try_from(start).ok().zip(usize::try_from(len).ok());
        let part = part.and_then(|(start, len)| bytes.get(start..)?.get(..len));
        part.ok_or_else(|| {
            let found = format!("{len} bytes at byte {start}");
            Error::fault(format!("buffers[{buffer}]"), format!("a view within {} bytes", bytes.len()), found)
        })
    }

    fn note_stride(&self, layout: &Layout, place: &str) {
        if layout.view.is_some_and(|view| self.root.buffer_views[view].byte_stride.is_some()) {
            self.note(place, "a byteStride, though these are no attributes".to_owned(), "it was followed");
        }
    }

    fn note(&self, place: &str, found: String, done: &str) {
        self.oddities.borrow_mut().push(Oddity { place: place.to_owned(), found, done: done.to_owned() });
    }
}

fn quantized(root: &Root) -> bool {
    let mut used = root.extensions_used.iter().chain(&root.extensions_required);
    used.any(|name| name == "KHR_mesh_quantization")
}

/// As many of what nought stands for as are asked for, if memory has them.
fn zeros<T: Copy>(count: usize, zero: T, place: &str) -> Result<Vec<T>, Error> {
    let mut zeros = Vec::new();
    match zeros.try_reserve_exact(count) {
        Ok(()) => zeros.resize(count, zero),
        Err(error) => {
            return Err(Error::fault(place, format!("memory for {count} elements"), error.to_string()));
        }
    }
    Ok(zeros)
}
