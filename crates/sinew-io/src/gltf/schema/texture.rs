//! Textures and their samplers.

use serde::Deserialize;

use super::enum_value::{EnumValue, Named, Names};
use super::extensions::Extensions;
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
    extensions: Option<Extensions<Texture>>,
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
    extensions: Option<Extensions<Info>>,
    #[serde(default)]
    extras: Option<Extras>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct Sampler {
    #[serde(rename = "magFilter")]
    mag_filter: Option<EnumValue<MagFilter>>,
    #[serde(rename = "minFilter")]
    min_filter: Option<EnumValue<MinFilter>>,
    name: Option<String>,
    #[serde(default, rename = "wrapS")]
    wrap_s: EnumValue<WrappingMode>,
    #[serde(default, rename = "wrapT")]
    wrap_t: EnumValue<WrappingMode>,
    #[serde(default)]
    extensions: Option<Extensions<Sampler>>,
    #[serde(default)]
    extras: Option<Extras>,
}

#[derive(Clone, Copy)]
enum MagFilter {
    Nearest,
    Linear,
}

impl Named for MagFilter {
    const NAMES: Names = Names::Numbers(&[9728, 9729]);
    const VALUES: &'static [Self] = &[Self::Nearest, Self::Linear];
}

#[derive(Clone, Copy)]
enum MinFilter {
    Nearest,
    Linear,
    NearestMipmapNearest,
    LinearMipmapNearest,
    NearestMipmapLinear,
    LinearMipmapLinear,
}

impl Named for MinFilter {
    const NAMES: Names = Names::Numbers(&[9728, 9729, 9984, 9985, 9986, 9987]);
    const VALUES: &'static [Self] = &[
        Self::Nearest,
        Self::Linear,
        Self::NearestMipmapNearest,
        Self::LinearMipmapNearest,
        Self::NearestMipmapLinear,
        Self::LinearMipmapLinear,
    ];
}

#[derive(Clone, Copy, Default)]
enum WrappingMode {
    ClampToEdge,
    MirroredRepeat,
    #[default]
    Repeat,
}

impl Named for WrappingMode {
    const NAMES: Names = Names::Numbers(&[33071, 33648, 10497]);
    const VALUES: &'static [Self] = &[Self::ClampToEdge, Self::MirroredRepeat, Self::Repeat];
}
