//! Buffers, decoded or opened when first used.

use std::borrow::Cow;
use std::cell::OnceCell;

use super::accessor::whole;
use super::budget::Budget;
use super::data_uri;
use super::schema::Buffer;
use crate::Error;
use crate::folder::{Beside, Folder};

pub(crate) struct Buffers<'a> {
    blob: Option<&'a [u8]>,
    folder: Option<&'a Folder>,
    loaded: Vec<OnceCell<Cow<'a, [u8]>>>,
}

impl<'a> Buffers<'a> {
    pub(crate) fn new(blob: Option<&'a [u8]>, folder: Option<&'a Folder>, count: usize) -> Self {
        let loaded = (0..count).map(|_| OnceCell::new()).collect();
        Self { blob, folder, loaded }
    }

    /// The bytes of a buffer, as many as it declares.
    pub(crate) fn get(&self, index: usize, buffer: &Buffer, budget: &Budget) -> Result<&[u8], Error> {
        let slot = &self.loaded[index];
        if let Some(bytes) = slot.get() {
            return Ok(bytes);
        }
        let bytes = self.load(index, buffer, budget)?;
        Ok(slot.get_or_init(|| bytes))
    }

    fn load(&self, index: usize, buffer: &Buffer, budget: &Budget) -> Result<Cow<'a, [u8]>, Error> {
        let len = whole(buffer.byte_length, &format!("buffers[{index}].byteLength"))?;
        let Some(uri) = &buffer.uri else { return self.own(index, len).map(Cow::Borrowed) };
        let place = format!("buffers[{index}].uri");
        match data_uri::payload(uri, &place)? {
            Some(text) => {
                data_uri::check_len(text, len, &place)?;
                budget.spend(len as u64, &place)?;
                data_uri::decode(text, len, &place).map(Cow::Owned)
            }
            None => self.beside(uri, len, budget, &place).map(Cow::Owned),
        }
    }

    /// The bytes of the GLB, which the first buffer alone may take.
    fn own(&self, index: usize, len: usize) -> Result<&'a [u8], Error> {
        let place = format!("buffers[{index}]");
        let Some(blob) = self.blob.filter(|_| index == 0) else {
            return Err(Error::fault(
                place,
                "a uri, or to be the first buffer of a GLB with a chunk BIN",
                "neither",
            ));
        };
        blob.get(..len).ok_or_else(|| {
            Error::fault(place, format!("{len} bytes in the chunk BIN"), format!("{} bytes", blob.len()))
        })
    }

    fn beside(&self, uri: &str, len: usize, budget: &Budget, place: &str) -> Result<Vec<u8>, Error> {
        let file = self.open(uri, place)?;
        if file.len < len as u64 {
            return Err(Error::fault(
                place,
                format!("a file of at least {len} bytes"),
                format!("{} bytes", file.len),
            ));
        }
        read(file, len, budget, place)
    }

    /// All of a picture that lies beside the asset.
    pub(crate) fn picture(&self, uri: &str, budget: &Budget, place: &str) -> Result<Vec<u8>, Error> {
        let file = self.open(uri, place)?;
        let len = whole(file.len, place)?;
        read(file, len, budget, place)
    }

    fn open(&self, uri: &str, place: &str) -> Result<Beside, Error> {
        let Some(folder) = self.folder else {
            let found = format!("{:?}", uri.chars().take(80).collect::<String>());
            return Err(Error::fault(place, "no file beside an asset that comes from memory", found));
        };
        folder.open(uri, place)
    }
}

fn read(file: Beside, len: usize, budget: &Budget, place: &str) -> Result<Vec<u8>, Error> {
    if file.is_new {
        budget.grow(len as u64);
    }
    budget.spend(len as u64, place)?;
    file.read(len, place)
}
