//! The JSON of materials, textures and images, as far as sinew writes it.

use super::images::{KTX2, WEBP};
use crate::json::JsonWriter;

/// Fields that are `None` have the default of the format.
#[derive(Debug)]
pub(super) struct Material {
    pub(super) name: String,
    pub(super) pbr_metallic_roughness: PbrMetallicRoughness,
    pub(super) normal_texture: Option<TextureInfo>,
    pub(super) occlusion_texture: Option<TextureInfo>,
    pub(super) emissive_texture: Option<TextureInfo>,
    pub(super) emissive_factor: Option<[f32; 3]>,
    pub(super) alpha_mode: Option<&'static str>,
    pub(super) alpha_cutoff: Option<f32>,
    pub(super) double_sided: bool,
    /// JSON text.
    pub(super) extras: String,
}

impl Material {
    pub(super) fn write(&self, json: &mut JsonWriter) {
        json.begin_object();
        json.str("name", &self.name);
        self.pbr_metallic_roughness.write(json);
        TextureInfo::write("normalTexture", self.normal_texture.as_ref(), json);
        TextureInfo::write("occlusionTexture", self.occlusion_texture.as_ref(), json);
        TextureInfo::write("emissiveTexture", self.emissive_texture.as_ref(), json);
        json.floats("emissiveFactor", self.emissive_factor.as_ref().map_or(&[], |parts| parts));
        json.str("alphaMode", self.alpha_mode.unwrap_or_default());
        json.some_f32("alphaCutoff", self.alpha_cutoff);
        if self.double_sided {
            json.raw("doubleSided", "true");
        }
        json.raw("extras", &self.extras);
        json.end_object();
    }
}

#[derive(Debug)]
pub(super) struct PbrMetallicRoughness {
    pub(super) base_color_factor: [f32; 4],
    pub(super) metallic_factor: f32,
    pub(super) roughness_factor: Option<f32>,
    pub(super) base_color_texture: Option<TextureInfo>,
    pub(super) metallic_roughness_texture: Option<TextureInfo>,
}

impl PbrMetallicRoughness {
    fn write(&self, json: &mut JsonWriter) {
        json.name("pbrMetallicRoughness");
        json.begin_object();
        json.floats("baseColorFactor", &self.base_color_factor);
        json.f32("metallicFactor", self.metallic_factor);
        json.some_f32("roughnessFactor", self.roughness_factor);
        TextureInfo::write("baseColorTexture", self.base_color_texture.as_ref(), json);
        TextureInfo::write("metallicRoughnessTexture", self.metallic_roughness_texture.as_ref(), json);
        json.end_object();
    }
}

#[derive(Debug)]
pub(super) struct TextureInfo {
    pub(super) index: usize,
    pub(super) tex_coord: usize,
    /// Of a normal texture.
    pub(super) scale: Option<f32>,
    /// Of an occlusion texture.
    pub(super) strength: Option<f32>,
}

impl TextureInfo {
    pub(super) fn new(index: usize, tex_coord: usize) -> Self {
        Self { index, tex_coord, scale: None, strength: None }
    }

    fn write(name: &str, info: Option<&Self>, json: &mut JsonWriter) {
        let Some(info) = info else { return };
        json.name(name);
        json.begin_object();
        json.usize("index", info.index);
        json.usize("texCoord", info.tex_coord);
        json.some_f32("scale", info.scale);
        json.some_f32("strength", info.strength);
        json.end_object();
    }
}

/// A texture has its image as source, or in an extension.
#[derive(Debug)]
pub(super) struct Texture {
    sampler: Option<usize>,
    image: usize,
    /// The extension that the image needs.
    pub(super) extension: Option<&'static str>,
}

impl Texture {
    /// A texture with an image of this media type, or with one that is external.
    pub(super) fn new(image: usize, media_type: Option<&str>, sampler: Option<usize>) -> Self {
        let extension = match media_type {
            Some(WEBP) => Some("EXT_texture_webp"),
            Some(KTX2) => Some("KHR_texture_basisu"),
            _ => None,
        };
        Self { sampler, image, extension }
    }

    pub(super) fn write(&self, json: &mut JsonWriter) {
        json.begin_object();
        json.some_usize("sampler", self.sampler);
        match self.extension {
            None => json.usize("source", self.image),
            Some(extension) => {
                json.name("extensions");
                json.begin_object();
                json.name(extension);
                json.begin_object();
                json.usize("source", self.image);
                json.end_object();
                json.end_object();
            }
        }
        json.end_object();
    }
}

#[derive(Debug)]
pub(super) struct TextureSampler {
    pub(super) mag_filter: Option<u32>,
    pub(super) min_filter: Option<u32>,
    pub(super) wrap_s: Option<u32>,
    pub(super) wrap_t: Option<u32>,
}

impl TextureSampler {
    pub(super) fn write(&self, json: &mut JsonWriter) {
        json.begin_object();
        let Self { mag_filter, min_filter, wrap_s, wrap_t } = self;
        let fields =
            [("magFilter", mag_filter), ("minFilter", min_filter), ("wrapS", wrap_s), ("wrapT", wrap_t)];
        for (name, number) in fields {
            json.some_usize(name, number.map(|number| number as usize));
        }
        json.end_object();
    }
}

/// An image has either a URI, or a buffer view with a media type.
#[derive(Debug, Default)]
pub(super) struct Image {
    pub(super) name: String,
    pub(super) uri: Option<String>,
    pub(super) buffer_view: Option<usize>,
    pub(super) mime_type: Option<&'static str>,
}

impl Image {
    pub(super) fn write(&self, json: &mut JsonWriter) {
        json.begin_object();
        json.str("name", &self.name);
        json.str("uri", self.uri.as_deref().unwrap_or_default());
        json.some_usize("bufferView", self.buffer_view);
        json.str("mimeType", self.mime_type.unwrap_or_default());
        json.end_object();
    }
}
