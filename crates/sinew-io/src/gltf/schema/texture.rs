//! Textures and their samplers.

use serde::Deserialize;

use super::enum_value::{EnumValue, Named, Names};
use super::extensions::{Extensions, KeptExtensions};
use super::extras::Extras;
use super::index::Index;

#[derive(Deserialize)]
pub(crate) struct Texture {
    name: Option<String>,
    pub(crate) sampler: Option<Index>,
    /// `None` where an extension names an image of another format.
    #[serde(default, deserialize_with = "Index::deserialize_below_max")]
    pub(crate) source: Option<Index>,
    #[serde(default)]
    pub(crate) extensions: Option<KeptExtensions>,
    #[serde(default)]
    extras: Option<Extras>,
}

/// The texture of a material.
#[derive(Deserialize)]
pub(crate) struct Info {
    pub(crate) index: Index,
    #[serde(default, rename = "texCoord")]
    pub(crate) tex_coord: u32,
    #[serde(default)]
    extensions: Option<Extensions>,
    #[serde(default)]
    extras: Option<Extras>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct Sampler {
    #[serde(rename = "magFilter")]
    pub(crate) mag_filter: Option<EnumValue<MagFilter>>,
    #[serde(rename = "minFilter")]
    pub(crate) min_filter: Option<EnumValue<MinFilter>>,
    name: Option<String>,
    #[serde(rename = "wrapS")]
    pub(crate) wrap_s: Option<EnumValue<WrappingMode>>,
    #[serde(rename = "wrapT")]
    pub(crate) wrap_t: Option<EnumValue<WrappingMode>>,
    #[serde(default)]
    extensions: Option<Extensions>,
    #[serde(default)]
    extras: Option<Extras>,
}

/// The number of a filter.
#[derive(Clone, Copy)]
pub(crate) struct MagFilter(pub(crate) u32);

impl Named for MagFilter {
    const NAMES: Names = Names::Numbers(&[9728, 9729]);
    const VALUES: &'static [Self] = &[Self(9728), Self(9729)];
}

/// The number of a filter, with or without mipmaps.
#[derive(Clone, Copy)]
pub(crate) struct MinFilter(pub(crate) u32);

impl Named for MinFilter {
    const NAMES: Names = Names::Numbers(&[9728, 9729, 9984, 9985, 9986, 9987]);
    const VALUES: &'static [Self] = &[Self(9728), Self(9729), Self(9984), Self(9985), Self(9986), Self(9987)];
}

/// The number of a wrapping mode.
#[derive(Clone, Copy)]
pub(crate) struct WrappingMode(pub(crate) u32);

impl Named for WrappingMode {
    const NAMES: Names = Names::Numbers(&[33071, 33648, 10497]);
    const VALUES: &'static [Self] = &[Self(33071), Self(33648), Self(10497)];
}
