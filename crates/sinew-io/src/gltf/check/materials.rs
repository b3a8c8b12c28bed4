//! That the indices of materials, textures and images lead somewhere.

use super::super::schema::{Index, Material, Root};
use super::faults::Faults;
use super::references::within;

pub(super) fn check(root: &Root, faults: &mut Faults) {
    for (i, material) in root.materials.iter().enumerate() {
        for (name, texture) in textures(material) {
            faults.add(within(texture, root.textures.len(), "textures", || {
                format!("materials[{i}].{name}.index")
            }));
        }
    }
    for (i, texture) in root.textures.iter().enumerate() {
        faults.add(within(texture.sampler, root.samplers.len(), "samplers", || {
            format!("textures[{i}].sampler")
        }));
        faults.add(within(texture.source, root.images.len(), "images", || format!("textures[{i}].source")));
    }
    for (i, image) in root.images.iter().enumerate() {
        faults.add(within(image.buffer_view, root.buffer_views.len(), "views", || {
            format!("images[{i}].bufferView")
        }));
    }
}

fn textures(material: &Material) -> [(&'static str, Option<Index>); 5] {
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
