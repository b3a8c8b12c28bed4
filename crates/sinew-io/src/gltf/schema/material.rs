//! Materials.

use serde::Deserialize;

use super::enum_value::{EnumValue, Named, Names};
use super::extensions::Extensions;
use super::extras::Extras;
use super::index::Index;
use super::texture::Info;

#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct Material {
    #[serde(rename = "alphaCutoff")]
    pub(crate) alpha_cutoff: Option<f32>,
    #[serde(rename = "alphaMode")]
    pub(crate) alpha_mode: EnumValue<AlphaMode>,
    #[serde(rename = "doubleSided")]
    pub(crate) double_sided: bool,
    pub(crate) name: Option<String>,
    #[serde(rename = "pbrMetallicRoughness")]
    pub(crate) pbr_metallic_roughness: PbrMetallicRoughness,
    #[serde(rename = "normalTexture")]
    pub(crate) normal_texture: Option<NormalTexture>,
    #[serde(rename = "occlusionTexture")]
    pub(crate) occlusion_texture: Option<OcclusionTexture>,
    #[serde(rename = "emissiveTexture")]
    pub(crate) emissive_texture: Option<Info>,
    #[serde(rename = "emissiveFactor")]
    pub(crate) emissive_factor: [f32; 3],
    extensions: Option<Extensions>,
    extras: Option<Extras>,
}

#[derive(Deserialize)]
#[serde(default)]
pub(crate) struct PbrMetallicRoughness {
    #[serde(rename = "baseColorFactor")]
    pub(crate) base_color_factor: [f32; 4],
    #[serde(rename = "baseColorTexture")]
    pub(crate) base_color_texture: Option<Info>,
    #[serde(rename = "metallicFactor")]
    pub(crate) metallic_factor: f32,
    #[serde(rename = "roughnessFactor")]
    pub(crate) roughness_factor: f32,
    #[serde(rename = "metallicRoughnessTexture")]
    pub(crate) metallic_roughness_texture: Option<Info>,
    extensions: Option<Extensions>,
    extras: Option<Extras>,
}

impl Default for PbrMetallicRoughness {
    fn default() -> Self {
        Self {
            base_color_factor: [1.0; 4],
            base_color_texture: None,
            metallic_factor: 1.0,
            roughness_factor: 1.0,
            metallic_roughness_texture: None,
            extensions: None,
            extras: None,
        }
    }
}

#[derive(Deserialize)]
pub(crate) struct NormalTexture {
    pub(crate) index: Index,
    #[serde(default = "one")]
    pub(crate) scale: f32,
    #[serde(default, rename = "texCoord")]
    pub(crate) tex_coord: u32,
    #[serde(default)]
    extensions: Option<Extensions>,
    #[serde(default)]
    extras: Option<Extras>,
}

#[derive(Deserialize)]
pub(crate) struct OcclusionTexture {
    pub(crate) index: Index,
    #[serde(default = "one")]
    pub(crate) strength: f32,
    #[serde(default, rename = "texCoord")]
    pub(crate) tex_coord: u32,
    #[serde(default)]
    extensions: Option<Extensions>,
    #[serde(default)]
    extras: Option<Extras>,
}

/// The default of a texture's scale and strength.
fn one() -> f32 {
    1.0
}

#[derive(Clone, Copy, Default)]
pub(crate) enum AlphaMode {
    #[default]
    Opaque,
    Mask,
    Blend,
}

impl Named for AlphaMode {
    const NAMES: Names = Names::Words(&["OPAQUE", "MASK", "BLEND"]);
    const VALUES: &'static [Self] = &[Self::Opaque, Self::Mask, Self::Blend];
}
