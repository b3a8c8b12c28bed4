//! Materials.

use super::enum_value::{EnumValue, Named, Names};
use super::texture::TextureInfo;
use crate::error::BoxedError as Error;
use crate::json::Value;

pub(crate) struct Material<'a> {
    pub(crate) alpha_cutoff: Option<f32>,
    pub(crate) alpha_mode: EnumValue<AlphaMode>,
    pub(crate) double_sided: bool,
    pub(crate) name: String,
    pub(crate) pbr_metallic_roughness: PbrMetallicRoughness,
    pub(crate) normal_texture: Option<TextureInfo>,
    pub(crate) occlusion_texture: Option<TextureInfo>,
    pub(crate) emissive_texture: Option<TextureInfo>,
    pub(crate) emissive_factor: [f32; 3],
    pub(crate) extras: Option<Value<'a>>,
}

impl<'a> Material<'a> {
    pub(super) fn read(value: Value<'a>) -> Result<Self, Error> {
        let [cutoff, mode, double_sided, name, pbr, normal, occlusion, emissive, factor, extensions, extras] =
            value.fields(&[
                "alphaCutoff",
                "alphaMode",
                "doubleSided",
                "name",
                "pbrMetallicRoughness",
                "normalTexture",
                "occlusionTexture",
                "emissiveTexture",
                "emissiveFactor",
                "extensions",
                "extras",
            ])?;
        extensions.check_object()?;
        Ok(Self {
            alpha_cutoff: cutoff.f32()?,
            alpha_mode: EnumValue::read_or(mode, AlphaMode::Opaque)?,
            double_sided: double_sided.bool_or(false)?,
            name: name.string()?,
            pbr_metallic_roughness: match pbr.present() {
                Some(pbr) => PbrMetallicRoughness::read(pbr)?,
                None => PbrMetallicRoughness::default(),
            },
            normal_texture: TextureInfo::read_some(normal, Some("scale"))?,
            occlusion_texture: TextureInfo::read_some(occlusion, Some("strength"))?,
            emissive_texture: TextureInfo::read_some(emissive, None)?,
            emissive_factor: factor.present().map_or(Ok([0.0; 3]), Value::numbers)?,
            extras: extras.some(),
        })
    }
}

pub(crate) struct PbrMetallicRoughness {
    pub(crate) base_color_factor: [f32; 4],
    pub(crate) base_color_texture: Option<TextureInfo>,
    pub(crate) metallic_factor: f32,
    pub(crate) roughness_factor: f32,
    pub(crate) metallic_roughness_texture: Option<TextureInfo>,
}

impl PbrMetallicRoughness {
    fn read(value: Value<'_>) -> Result<Self, Error> {
        let [color, color_texture, metallic, roughness, metallic_roughness, extensions] = value.fields(&[
            "baseColorFactor",
            "baseColorTexture",
            "metallicFactor",
            "roughnessFactor",
            "metallicRoughnessTexture",
            "extensions",
        ])?;
        extensions.check_object()?;
        let default = Self::default();
        Ok(Self {
            base_color_factor: color.present().map_or(Ok(default.base_color_factor), Value::numbers)?,
            base_color_texture: TextureInfo::read_some(color_texture, None)?,
            metallic_factor: metallic.f32_or(default.metallic_factor)?,
            roughness_factor: roughness.f32_or(default.roughness_factor)?,
            metallic_roughness_texture: TextureInfo::read_some(metallic_roughness, None)?,
        })
    }
}

impl Default for PbrMetallicRoughness {
    fn default() -> Self {
        Self {
            base_color_factor: [1.0; 4],
            base_color_texture: None,
            metallic_factor: 1.0,
            roughness_factor: 1.0,
            metallic_roughness_texture: None,
        }
    }
}

#[derive(Clone, Copy)]
pub(crate) enum AlphaMode {
    Opaque,
    Mask,
    Blend,
}

impl Named for AlphaMode {
    const NAMES: Names = Names::Words(&["OPAQUE", "MASK", "BLEND"]);
    const VALUES: &'static [Self] = &[Self::Opaque, Self::Mask, Self::Blend];
}
