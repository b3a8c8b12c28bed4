//! What a document says about itself, and what of it is not kept.

use std::collections::BTreeMap;

use sinew::model::Metadata;

use crate::error::BoxedError as Error;
use crate::gltf::compressed;
use crate::gltf::document::Document;
use crate::gltf::schema::Root;
use crate::gltf::schema::mesh::Semantic;
use crate::json::Value;

/// Extensions that say how data is stored, which the model need not keep.
const STORAGE: [&str; 5] = [
    "EXT_mesh_gpu_instancing",
    "EXT_texture_webp",
    "KHR_mesh_quantization",
    "KHR_node_visibility",
    "KHR_texture_basisu",
];

/// The copyright of the asset, and all extras that are kept. Those of nodes are by node.
pub(super) fn metadata(document: &Document<'_, '_>) -> Result<Metadata, Error> {
    let root = &document.root;
    let text = |extras: Option<Value<'_>>| extras.map(|extras| extras.text().to_owned());
    let node_extras = root.nodes.iter().map(|node| node.extras);
    let material_extras = root.materials.iter().map(|material| material.extras);
    let bytes: usize = node_extras.clone().chain(material_extras.clone()).flatten().map(extras_bytes).sum();
    document.spend(bytes as u64, "extras")?;
    Ok(Metadata {
        copyright: root.asset.copyright.clone(),
        extras: text(root.asset.extras).unwrap_or_default(),
        joint_extras: by_index(node_extras),
        material_extras: by_index(material_extras),
    })
}

/// The extras that are there, by their index. Not collected into a map, which would sort them.
fn by_index<'a>(all: impl Iterator<Item = Option<Value<'a>>>) -> BTreeMap<usize, String> {
    let mut map = BTreeMap::new();
    for (index, extras) in all.enumerate() {
        if let Some(extras) = extras {
            map.insert(index, extras.text().to_owned());
        }
    }
    map
}

/// The memory of extras that are kept, with their entry in a map.
fn extras_bytes(extras: Value<'_>) -> usize {
    extras.text().len() + 64
}

/// Everything that the scene does not have, in a few words each.
pub(super) fn dropped(root: &Root<'_>) -> Vec<String> {
    let kept = |name: &str| {
        #[cfg(feature = "vrm")]
        if crate::vrm::EXTENSIONS.contains(&name) {
            return true;
        }
        STORAGE.contains(&name) || compressed::NAMES.contains(&name)
    };
    let mut dropped: Vec<String> = root
        .extensions_used
        .iter()
        .filter(|name| !kept(name))
        .map(|name| name.clone().into_owned())
        .collect();
    let primitives = || root.meshes.iter().flat_map(|mesh| &mesh.primitives);
    let is_custom = |semantic: &&Semantic| matches!(semantic, Semantic::Custom(_));
    let attributes =
        primitives().map(|primitive| primitive.attributes.keys().filter(is_custom).count()).sum();
    let scenes = root.scenes.len().saturating_sub(1);
    let counts = [(root.cameras.len(), "camera"), (attributes, "custom attribute"), (scenes, "other scene")];
    for (count, what) in counts.into_iter().filter(|(count, _)| *count > 0) {
        dropped.push(format!("{count} {what}{}", if count == 1 { "" } else { "s" }));
    }
    dropped
}
