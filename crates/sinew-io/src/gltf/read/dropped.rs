//! What a document says about itself, and what of it is not kept.

use sinew::model::Metadata;

use crate::gltf::compressed;
use crate::gltf::schema::mesh::Semantic;
use crate::gltf::schema::{Asset, Root};

/// Extensions that say how data is stored, which the model need not keep.
const STORAGE: [&str; 5] = [
    "EXT_mesh_gpu_instancing",
    "EXT_texture_webp",
    "KHR_mesh_quantization",
    "KHR_node_visibility",
    "KHR_texture_basisu",
];

/// The copyright and the extras of the asset.
pub(super) fn metadata(asset: &Asset) -> Metadata {
    Metadata {
        copyright: asset.copyright.clone().unwrap_or_default(),
        extras: asset.extras.as_ref().map_or_else(String::new, |extras| extras.get().to_owned()),
    }
}

/// Everything that the scene does not have, in a few words each.
pub(super) fn dropped(root: &Root) -> Vec<String> {
    let kept = |name: &str| STORAGE.contains(&name) || compressed::NAMES.contains(&name);
    let mut dropped: Vec<String> = root.extensions_used.iter().filter(|name| !kept(name)).cloned().collect();
    let extras = root.nodes.iter().filter(|node| node.extras.is_some()).count();
    let primitives = || root.meshes.iter().flat_map(|mesh| &mesh.primitives);
    let is_custom = |semantic: &&Semantic| matches!(semantic, Semantic::Custom(_));
    let attributes =
        primitives().map(|primitive| primitive.attributes.keys().filter(is_custom).count()).sum();
    let scenes = root.scenes.len().saturating_sub(1);
    let counts = [
        (root.cameras.len(), "camera"),
        (extras, "extras of node"),
        (attributes, "custom attribute"),
        (scenes, "other scene"),
    ];
    for (count, what) in counts.into_iter().filter(|(count, _)| *count > 0) {
        dropped.push(format!("{count} {what}{}", if count == 1 { "" } else { "s" }));
    }
    dropped
}
