//! The bytes of buffers, decoded or read from files on first use.

use std::borrow::Cow;
use std::cell::OnceCell;

use super::accessor::to_usize;
use super::data_uri;
use super::schema::Buffer;
use crate::error::BoxedError as Error;
use crate::sandbox::{ExternalFile, SandboxedFolder};
use crate::scene::Budget;

pub(crate) struct Buffers<'a, 'b> {
    blob: Option<&'b [u8]>,
    folder: Option<&'a SandboxedFolder>,
    loaded: Vec<OnceCell<Cow<'b, [u8]>>>,
}

impl<'a, 'b> Buffers<'a, 'b> {
    pub(crate) fn new(blob: Option<&'b [u8]>, folder: Option<&'a SandboxedFolder>, count: usize) -> Self {
        let loaded = (0..count).map(|_| OnceCell::new()).collect();
        Self { blob, folder, loaded }
    }

    /// The bytes of a buffer: as many as it declares.
    pub(crate) fn get(&self, index: usize, buffer: &Buffer<'_>, budget: &Budget) -> Result<&[u8], Error> {
        let slot = &self.loaded[index];
        if let Some(bytes) = slot.get() {
            return Ok(bytes);
        }
        let bytes = self.load(index, buffer, budget)?;
        Ok(slot.get_or_init(|| bytes))
    }

    /// The bytes of a buffer that is in the BIN chunk; `None` for any other.
    pub(crate) fn in_file(&self, index: usize, buffer: &Buffer<'_>) -> Option<&'b [u8]> {
        let blob = self.blob.filter(|_| index == 0 && buffer.uri.is_none())?;
        blob.get(..usize::try_from(buffer.byte_length).ok()?)
    }

    fn load(&self, index: usize, buffer: &Buffer<'_>, budget: &Budget) -> Result<Cow<'b, [u8]>, Error> {
        let len = to_usize(buffer.byte_length, &format!("buffers[{index}].byteLength"))?;
        let Some(uri) = &buffer.uri else { return self.bin_chunk(index, len).map(Cow::Borrowed) };
        let location = format!("buffers[{index}].uri");
        match data_uri::base64_text(uri, &location)? {
            Some(text) => {
                data_uri::check_len(text, len, &location)?;
                budget.spend(len as u64, &location)?;
                data_uri::decode(text, len, &location).map(Cow::Owned)
            }
            None => self.external(uri, len, budget, &location).map(Cow::Owned),
        }
    }

    /// The bytes of the GLB's BIN chunk, which belong to the first buffer.
    fn bin_chunk(&self, index: usize, len: usize) -> Result<&'b [u8], Error> {
        let location = format!("buffers[{index}]");
        let Some(blob) = self.blob.filter(|_| index == 0) else {
            return Err(Error::invalid(
                location,
                "a uri, unless it is the first buffer of a GLB with a BIN chunk",
                "neither",
            ));
        };
        blob.get(..len).ok_or_else(|| {
            Error::invalid(location, format!("{len} bytes in the BIN chunk"), format!("{} bytes", blob.len()))
        })
    }

    fn external(&self, uri: &str, len: usize, budget: &Budget, location: &str) -> Result<Vec<u8>, Error> {
        let file = self.open(uri, location)?;
        if file.len < len as u64 {
            return Err(Error::invalid(
                location,
                format!("a file of at least {len} bytes"),
                format!("{} bytes", file.len),
            ));
        }
        budget.read_file(file, len, location)
    }

    fn open(&self, uri: &str, location: &str) -> Result<ExternalFile, Error> {
        let Some(folder) = self.folder else {
            let found = format!("{:?}", uri.chars().take(80).collect::<String>());
            return Err(Error::invalid(location, "no external files in a document from memory", found));
        };
        Ok(folder.open(uri, location)?)
    }
}
