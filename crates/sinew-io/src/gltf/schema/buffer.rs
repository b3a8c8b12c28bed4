//! Buffers, and views of their bytes.

use std::borrow::Cow;

use super::enum_value::{EnumValue, Named, Names};
use super::index::Index;
use crate::error::BoxedError as Error;
use crate::json::Value;

pub(crate) struct Buffer<'a> {
    pub(crate) byte_length: u64,
    pub(crate) uri: Option<Cow<'a, str>>,
}

impl<'a> Buffer<'a> {
    pub(super) fn read(value: Value<'a>) -> Result<Self, Error> {
        let [len, name, uri, extensions] = value.fields(&["byteLength", "name", "uri", "extensions"])?;
        name.check_string()?;
        extensions.check_object()?;
        Ok(Self { byte_length: len.u64_or(0)?, uri: uri.str()? })
    }
}

pub(crate) struct View<'a> {
    pub(crate) buffer: Index,
    pub(crate) byte_length: u64,
    pub(crate) byte_offset: u64,
    pub(crate) byte_stride: Option<u64>,
    pub(crate) extensions: Option<Value<'a>>,
}

impl<'a> View<'a> {
    pub(super) fn read(value: Value<'a>) -> Result<Self, Error> {
        let [buffer, len, offset, stride, extensions, name, target] = value.fields(&[
            "buffer",
            "byteLength",
            "byteOffset",
            "byteStride",
            "extensions",
            "name",
            "target",
        ])?;
        name.check_string()?;
        extensions.check_object()?;
        EnumValue::<Target>::read_some(target)?;
        Ok(Self {
            buffer: Index::read(buffer.required()?)?,
            byte_length: len.required()?.u64()?,
            byte_offset: offset.u64()?.unwrap_or_default(),
            byte_stride: stride.u64()?,
            extensions: extensions.some(),
        })
    }
}

#[derive(Clone, Copy)]
enum Target {
    ArrayBuffer,
    ElementArrayBuffer,
}

impl Named for Target {
    const NAMES: Names = Names::Numbers(&[34962, 34963]);
    const VALUES: &'static [Self] = &[Self::ArrayBuffer, Self::ElementArrayBuffer];
}
