//! Exports materials and their textures, each on first use.

use std::collections::HashMap;

use sinew::Model;
use sinew::model::{AlphaMode, Sampler, Texture};

use super::document::Document;
use super::images::{export_image, media_type};
use super::material_schema::{self as schema, Material, PbrMetallicRoughness, TextureInfo};
use super::model::valid_json;
use crate::bake::clamp_color;

/// The materials and textures that have been written.
#[derive(Debug, Default)]
pub(super) struct MaterialWriter {
    /// By the model's material, and the written texture coordinate set of each of its textures.
    materials: HashMap<(usize, [Option<usize>; 5]), usize>,
    /// By the model's image and the sampler; `None` if GLB cannot hold the image.
    textures: HashMap<(usize, Sampler), Option<usize>>,
    /// By the model's image.
    images: HashMap<usize, Option<usize>>,
    samplers: HashMap<Sampler, usize>,
}

impl MaterialWriter {
    /// Returns the index of a material, which is written on first use. `sets` are the texture
    /// coordinate sets of the model that were written for the mesh; without the set of a texture,
    /// the material does not have the texture.
    pub(super) fn material(
        &mut self,
        model: &Model,
        index: usize,
        sets: &[usize],
        document: &mut Document,
    ) -> usize {
        let material = &model.materials()[index];
        let textures = material.textures().map(|texture| {
            let texture = texture?;
            let tex_coord = sets.iter().position(|&set| set == texture.set)?;
            Some(TextureInfo::new(self.texture(model, texture, document)?, tex_coord))
        });
        let key = (index, textures.each_ref().map(|texture| texture.as_ref().map(|info| info.tex_coord)));
        if let Some(&written) = self.materials.get(&key) {
            return written;
        }
        let [base_color_texture, metallic_roughness_texture, mut normal, mut occlusion, emissive] = textures;
        if let Some(normal) = &mut normal {
            normal.scale = Some(material.normal_scale).filter(|&scale| scale != 1.0);
        }
        if let Some(occlusion) = &mut occlusion {
            let strength = material.occlusion_strength.clamp(0.0, 1.0);
            occlusion.strength = Some(strength).filter(|&strength| strength != 1.0);
        }
        let (alpha_mode, alpha_cutoff) = match material.alpha_mode {
            AlphaMode::Opaque => (None, None),
            AlphaMode::Mask { cutoff } => {
                (Some("MASK"), Some(cutoff.max(0.0)).filter(|&cutoff| cutoff != 0.5))
            }
            AlphaMode::Blend => (Some("BLEND"), None),
        };
        document.root.materials.push(Material {
            name: material.name.clone(),
            pbr_metallic_roughness: PbrMetallicRoughness {
                base_color_factor: clamp_color(material.base_color),
                metallic_factor: material.metallic.clamp(0.0, 1.0),
                roughness_factor: Some(material.roughness.clamp(0.0, 1.0))
                    .filter(|&roughness| roughness != 1.0),
                base_color_texture,
                metallic_roughness_texture,
            },
            normal_texture: normal,
            occlusion_texture: occlusion,
            emissive_texture: emissive,
            emissive_factor: Some(material.emissive.map(|part| part.clamp(0.0, 1.0)))
                .filter(|&emissive| emissive != [0.0; 3]),
            alpha_mode,
            alpha_cutoff,
            double_sided: material.double_sided,
            extras: model
                .metadata()
                .material_extras
                .get(&index)
                .map_or_else(String::new, |text| valid_json(text)),
        });
        self.materials.insert(key, document.root.materials.len() - 1);
        document.root.materials.len() - 1
    }

    fn texture(&mut self, model: &Model, texture: Texture, document: &mut Document) -> Option<usize> {
        let key = (texture.image, texture.sampler);
        if let Some(written) = self.textures.get(&key) {
            return *written;
        }
        let written = self.image(model, texture.image, document).map(|image| {
            let sampler = self.sampler(texture.sampler, document);
            document.root.textures.push(schema::Texture::new(
                image,
                media_type(&model.images()[texture.image]),
                sampler,
            ));
            document.root.textures.len() - 1
        });
        self.textures.insert(key, written);
        written
    }

    fn image(&mut self, model: &Model, index: usize, document: &mut Document) -> Option<usize> {
        *self.images.entry(index).or_insert_with(|| {
            let image = export_image(&model.images()[index], document)?;
            document.root.images.push(image);
            Some(document.root.images.len() - 1)
        })
    }

    /// The index of a sampler; `None` for the default one.
    fn sampler(&mut self, sampler: Sampler, document: &mut Document) -> Option<usize> {
        if sampler == Sampler::default() {
            return None;
        }
        Some(*self.samplers.entry(sampler).or_insert_with(|| {
            let Sampler { mag_filter, min_filter, wrap_s, wrap_t } = sampler;
            document.root.samplers.push(schema::TextureSampler { mag_filter, min_filter, wrap_s, wrap_t });
            document.root.samplers.len() - 1
        }))
    }
}
