//! A document whose indices all lead somewhere, and the numbers of its accessors.

use std::borrow::Cow;

use gltf_json::Root;
use gltf_json::accessor::{ComponentType, Type};

use super::accessor::{self, Layout};
use super::budget::Budget;
use super::buffers::Buffers;
use super::{container, json};
use crate::folder::Folder;
use crate::{Error, Options, Report};

/// A document and its bytes.
pub(crate) struct Document<'a> {
    /// The JSON. Every index in it is in range.
    pub(crate) root: Root,
    buffers: Buffers<'a>,
    budget: Budget,
    options: Options,
}

/// What an accessor is used for, which decides the types it may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    Position,
    Normal,
    Tangent,
    TextureCoordinate,
    Colour,
    Weights,
    MorphDelta,
    Matrices,
    Times,
    Rotation,
    Translation,
    Scale,
    MorphWeights,
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
        let root = json::parse(parts.json, report)?;
        let buffers = Buffers::new(parts.blob, folder, root.buffers.len());
        Ok(Self { root, buffers, budget: Budget::new(options, bytes.len()), options: options.clone() })
    }

    /// All elements, each of `N` components.
    pub(crate) fn floats<const N: usize>(
        &self,
        accessor: usize,
        _of: Use,
        place: &str,
    ) -> Result<Vec<[f32; N]>, Error> {
        let layout = self.layout(accessor, place)?;
        if layout.shape.multiplicity() != N {
            return Err(Error::fault(place, format!("{N} components"), format!("{:?}", layout.shape)));
        }
        let size = layout.component.size();
        self.elements(accessor, &layout, place, |bytes| {
            std::array::from_fn(|c| accessor::float(&bytes[c * size..], layout.component, layout.normalized))
        })
    }

    /// Indices of vertices.
    pub(crate) fn indices(&self, accessor: usize, place: &str) -> Result<Vec<u32>, Error> {
        let layout = self.layout(accessor, place)?;
        let fits = matches!(layout.component, ComponentType::U8 | ComponentType::U16 | ComponentType::U32);
        if layout.shape != Type::Scalar || !fits {
            return Err(Error::fault(place, "SCALAR of unsigned integers", format!("{layout:?}")));
        }
        self.elements(accessor, &layout, place, |bytes| accessor::unsigned(bytes, layout.component))
    }

    /// Joints of vertices, as places in a skin.
    pub(crate) fn joints(&self, accessor: usize, place: &str) -> Result<Vec<[u16; 4]>, Error> {
        let layout = self.layout(accessor, place)?;
        if layout.shape != Type::Vec4 || !matches!(layout.component, ComponentType::U8 | ComponentType::U16) {
            return Err(Error::fault(place, "VEC4 of unsigned bytes or shorts", format!("{layout:?}")));
        }
        let size = layout.component.size();
        self.elements(accessor, &layout, place, |bytes| {
            std::array::from_fn(|c| accessor::unsigned(&bytes[c * size..], layout.component) as u16)
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

    /// The bytes of a view.
    pub(crate) fn view(&self, view: usize, place: &str) -> Result<Cow<'_, [u8]>, Error> {
        let Some(found) = self.root.buffer_views.get(view) else {
            return Err(Error::fault(
                place,
                format!("one of {} views", self.root.buffer_views.len()),
                view.to_string(),
            ));
        };
        let buffer = found.buffer.value();
        let Some(declared) = self.root.buffers.get(buffer) else {
            return Err(Error::fault(
                place,
                format!("one of {} buffers", self.root.buffers.len()),
                buffer.to_string(),
            ));
        };
        let bytes = self.buffers.get(buffer, declared, &self.budget, &self.options)?;
        let start = found.byte_offset.unwrap_or_default().0;
        let end = start.checked_add(found.byte_length.0);
        let range = usize::try_from(start).ok().zip(end.and_then(|end| usize::try_from(end).ok()));
        match range.and_then(|(start, end)| bytes.get(start..end)) {
            Some(bytes) => Ok(Cow::Borrowed(bytes)),
            None => Err(Error::fault(place, "a view within its buffer", format!("view {view} past its end"))),
        }
    }

    /// Counts bytes that are about to be asked for against the budget.
    pub(crate) fn spend(&self, bytes: u64, place: &str) -> Result<(), Error> {
        self.budget.spend(bytes, place)
    }

    fn layout(&self, accessor: usize, place: &str) -> Result<Layout, Error> {
        match self.root.accessors.get(accessor) {
            Some(found) => Layout::of(&self.root, found, &format!("accessors[{accessor}]")),
            None => Err(Error::fault(
                place,
                format!("one of {} accessors", self.root.accessors.len()),
                accessor.to_string(),
            )),
        }
    }

    fn elements<T>(
        &self,
        accessor: usize,
        layout: &Layout,
        place: &str,
        read: impl Fn(&[u8]) -> T,
    ) -> Result<Vec<T>, Error> {
        self.spend((layout.count as u64).saturating_mul(size_of::<T>() as u64), place)?;
        let Some(view) = self.root.accessors[accessor].buffer_view else {
            let zero = vec![0; layout.element()];
            return Ok((0..layout.count).map(|_| read(&zero)).collect());
        };
        let bytes = self.view(view.value(), place)?;
        let (offset, stride, element) = (layout.offset, layout.stride, layout.element());
        Ok((0..layout.count).map(|i| read(&bytes[offset + i * stride..][..element])).collect())
    }
}
