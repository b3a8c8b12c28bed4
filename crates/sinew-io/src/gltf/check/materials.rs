//! Checks the indices of materials, textures and images.

use super::super::schema::{Index, Material, Root};
use super::error_list::ErrorList;
use super::references::check_index;

pub(super) fn check(root: &Root<'_>, errors: &mut ErrorList) {
    for (i, material) in root.materials.iter().enumerate() {
        for (name, texture) in texture_indices(material) {
            errors.add(check_index(texture, root.textures.len(), "textures", || {
                format!("materials[{i}].{name}.index")
            }));
        }
    }
    for (i, texture) in root.textures.iter().enumerate() {
        errors.add(check_index(texture.sampler, root.samplers.len(), "samplers", || {
            format!("textures[{i}].sampler")
        }));
        errors.add(check_index(texture.source, root.images.len(), "images", || {
            format!("textures[{i}].source")
        }));
    }
    for (i, image) in root.images.iter().enumerate() {
        errors.add(check_index(image.buffer_view, root.buffer_views.len(), "views", || {
            format!("images[{i}].bufferView")
        }));
    }
}

fn texture_indices(material: &Material<'_>) -> [(&'static str, Option<Index>); 5] {
    let metal = &material.pbr_metallic_roughness;
    [
        ("pbrMetallicRoughness.baseColorTexture", metal.base_color_texture.as_ref().map(|info| info.index)),
        (
            "pbrMetallicRoughness.metallicRoughnessTexture",
            metal.metallic_roughness_texture.as_ref().map(|info| info.index),
        ),
        ("normalTexture", material.normal_texture.as_ref().map(|info| info.index)),
        ("occlusionTexture", material.occlusion_texture.as_ref().map(|info| info.index)),
        ("emissiveTexture", material.emissive_texture.as_ref().map(|info| info.index)),
    ]
}
