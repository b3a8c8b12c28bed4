//! Buffers, decoded or opened when first used.

use std::borrow::Cow;
use std::cell::OnceCell;

use gltf_json::Buffer;

use super::budget::Budget;
use super::data_uri;
use crate::folder::Folder;
use crate::{Error, Options};

pub(crate) struct Buffers<'a> {
    blob: Option<&'a [u8]>,
    folder: Option<&'a Folder>,
    loaded: Vec<OnceCell<Cow<'a, [u8]>>>,
}

impl<'a> Buffers<'a> {
    pub(crate) fn new(blob: Option<&'a [u8]>, folder: Option<&'a Folder>, count: usize) -> Self {
        Self { blob, folder, loaded: (0..count).map(|_| OnceCell::new()).collect() }
    }

    /// The bytes of a buffer, as many as it declares.
    pub(crate) fn get(
        &self,
        index: usize,
        buffer: &Buffer,
        budget: &Budget,
        options: &Options,
    ) -> Result<&[u8], Error> {
        let place = format!("buffers[{index}]");
        let Some(slot) = self.loaded.get(index) else {
            return Err(Error::fault(place, format!("one of {} buffers", self.loaded.len()), "none"));
        };
        if let Some(bytes) = slot.get() {
            return Ok(bytes);
        }
        let bytes = self.load(index, buffer, budget, options, &place)?;
        Ok(slot.get_or_init(|| bytes))
    }

    fn load(
        &self,
        index: usize,
        buffer: &Buffer,
        budget: &Budget,
        options: &Options,
        place: &str,
    ) -> Result<Cow<'a, [u8]>, Error> {
        let Some(uri) = &buffer.uri else { return self.own(index, buffer, place).map(Cow::Borrowed) };
        let len = buffer.byte_length.0;
        let place = format!("{place}.uri");
        if let Some(text) = data_uri::payload(uri, &place)? {
            budget.spend(len, &place)?;
            let len = usize::try_from(len)
                .map_err(|_| Error::fault(&place, "a buffer that memory holds", format!("{len} bytes")))?;
            return data_uri::decode(text, len, &place).map(Cow::Owned);
        }
        let Some(folder) = self.folder else {
            return Err(Error::fault(place, "no file beside an asset that comes from memory", uri.as_str()));
        };
        let bytes = folder.read(uri, len, &place)?;
        budget.grow(options, bytes.len() as u64);
        budget.spend(bytes.len() as u64, &place)?;
        Ok(Cow::Owned(bytes))
    }

    /// The bytes of the GLB, which the first buffer alone may take.
    fn own(&self, index: usize, buffer: &Buffer, place: &str) -> Result<&'a [u8], Error> {
        let len = buffer.byte_length.0;
        let Some(blob) = self.blob.filter(|_| index == 0) else {
            return Err(Error::fault(place, "a uri, or the bytes of a GLB for the first buffer", "neither"));
        };
        let whole = blob.len() as u64;
        match usize::try_from(len).ok().and_then(|len| blob.get(..len)) {
            Some(bytes) => Ok(bytes),
            None => Err(Error::fault(place, format!("{len} bytes in the GLB"), format!("{whole} bytes"))),
        }
    }
}
