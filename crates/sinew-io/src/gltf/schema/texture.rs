//! Textures and their samplers.

use super::enum_value::{EnumValue, Named, Names};
use super::index::Index;
use crate::error::BoxedError as Error;
use crate::json::{Field, Value};

pub(crate) struct Texture<'a> {
    pub(crate) sampler: Option<Index>,
    /// `None` where an extension names an image of another format.
    pub(crate) source: Option<Index>,
    pub(crate) extensions: Option<Value<'a>>,
}

impl<'a> Texture<'a> {
    pub(super) fn read(value: Value<'a>) -> Result<Self, Error> {
        let [name, sampler, source, extensions] =
            value.fields(&["name", "sampler", "source", "extensions"])?;
        name.check_string()?;
        extensions.check_object()?;
        Ok(Self {
            sampler: Index::read_some(sampler)?,
            source: Index::read_below_max(source)?,
            extensions: extensions.some(),
        })
    }
}

/// The texture of a material.
pub(crate) struct TextureInfo {
    pub(crate) index: Index,
    pub(crate) tex_coord: usize,
    /// The scale of a normal texture, or the strength of an occlusion texture; one for others.
    pub(crate) factor: f32,
}

impl TextureInfo {
    /// The texture in a field, with the factor of this name.
    pub(super) fn read_some(field: Field<'_>, factor: Option<&'static str>) -> Result<Option<Self>, Error> {
        let Some(value) = field.some() else { return Ok(None) };
        let [index, tex_coord, extensions] = value.fields(&["index", "texCoord", "extensions"])?;
        extensions.check_object()?;
        let factor = match factor {
            Some(name) => {
                let [factor] = value.fields(&[name])?;
                factor.f32_or(1.0)?
            }
            None => 1.0,
        };
        let set = match tex_coord.present() {
            Some(set) => u32::try_from(set.u64()?).map_err(|_| set.error("a number of 32 bits"))?,
            None => 0,
        };
        Ok(Some(Self { index: Index::read(index.required()?)?, tex_coord: set as usize, factor }))
    }
}

#[derive(Default)]
pub(crate) struct Sampler {
    pub(crate) mag_filter: Option<EnumValue<MagFilter>>,
    pub(crate) min_filter: Option<EnumValue<MinFilter>>,
    pub(crate) wrap_s: Option<EnumValue<WrappingMode>>,
    pub(crate) wrap_t: Option<EnumValue<WrappingMode>>,
}

impl Sampler {
    pub(super) fn read(value: Value<'_>) -> Result<Self, Error> {
        let [mag_filter, min_filter, name, wrap_s, wrap_t, extensions] =
            value.fields(&["magFilter", "minFilter", "name", "wrapS", "wrapT", "extensions"])?;
        name.check_string()?;
        extensions.check_object()?;
        Ok(Self {
            mag_filter: EnumValue::read_some(mag_filter)?,
            min_filter: EnumValue::read_some(min_filter)?,
            wrap_s: EnumValue::read_some(wrap_s)?,
            wrap_t: EnumValue::read_some(wrap_t)?,
        })
    }
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
