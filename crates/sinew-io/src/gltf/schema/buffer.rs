//! Buffers, and views of their bytes.

use serde::Deserialize;

use super::enum_value::{EnumValue, Named, Names};
use super::extensions::{Extensions, KeptExtensions};
use super::extras::Extras;
use super::index::Index;

#[derive(Deserialize)]
pub(crate) struct Buffer {
    #[serde(default, rename = "byteLength")]
    pub(crate) byte_length: u64,
    name: Option<String>,
    pub(crate) uri: Option<String>,
    #[serde(default)]
    extensions: Option<Extensions>,
    #[serde(default)]
    extras: Option<Extras>,
}

#[derive(Deserialize)]
pub(crate) struct View {
    pub(crate) buffer: Index,
    #[serde(rename = "byteLength")]
    pub(crate) byte_length: u64,
    #[serde(default, rename = "byteOffset")]
    pub(crate) byte_offset: Option<u64>,
    #[serde(rename = "byteStride")]
    pub(crate) byte_stride: Option<usize>,
    name: Option<String>,
    target: Option<EnumValue<Target>>,
    #[serde(default)]
    pub(crate) extensions: Option<KeptExtensions>,
    #[serde(default)]
    extras: Option<Extras>,
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
