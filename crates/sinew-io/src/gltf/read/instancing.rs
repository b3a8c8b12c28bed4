//! `EXT_mesh_gpu_instancing`: a node for each instance of a node's mesh.

use std::borrow::Cow;

use crate::error::BoxedError as Error;
use crate::gltf::document::{AccessorUse, Document};
use crate::json::Value;
use crate::scene::WarningCount;
use crate::{RawNode, RawScene, RawTransform, Report};

const NAME: &str = "EXT_mesh_gpu_instancing";

/// Bytes of an instance: its node and its transform.
const INSTANCE_BYTES: u64 = 64 + size_of::<RawNode>() as u64;

/// Moves the meshes of instanced nodes to new children, one for each instance.
pub(super) fn add_instances(
    document: &Document<'_, '_>,
    scene: &mut RawScene<'_>,
    report: &mut Report,
) -> Result<(), Error> {
    let mut ignored = WarningCount::default();
    for (index, node) in document.root.nodes.iter().enumerate() {
        let extension = node.extensions.and_then(|extensions| extensions.get(NAME));
        let (Some(extension), Some(mesh)) = (extension, scene.nodes[index].mesh) else { continue };
        let location = format!("nodes[{index}].extensions.{NAME}");
        let transforms = transforms(document, extension, &location)?;
        let has_targets =
            scene.meshes[mesh].primitives.first().is_some_and(|primitive| !primitive.targets.is_empty());
        if scene.nodes[index].skin.is_some() || has_targets {
            ignored.add(index);
            continue;
        }
        let RawNode { name, .. } = &scene.nodes[index];
        let bytes = (transforms.len() as u64).saturating_mul(INSTANCE_BYTES + name.len() as u64);
        document.spend(bytes, &location)?;
        let name = name.clone();
        let instance = |transform| RawNode {
            name: name.clone(),
            parent: Some(index),
            transform,
            mesh: Some(mesh),
            ..RawNode::default()
        };
        scene.nodes.extend(transforms.into_iter().map(instance));
        scene.nodes[index].mesh = None;
    }
    ignored.warn(
        report,
        "nodes",
        "the nodes with instances of a mesh with a skin or morph targets",
        "the mesh is there once",
    )
}

fn transforms(
    document: &Document<'_, '_>,
    extension: Value<'_>,
    location: &str,
) -> Result<Vec<RawTransform>, Error> {
    let accessor = |name: &str| match extension.get("attributes").and_then(|all| all.get(name)) {
        None => Ok(None),
        Some(index) => match index.u64().ok().and_then(|index| usize::try_from(index).ok()) {
            Some(index) => Ok(Some((index, format!("{location}.attributes.{name}")))),
            None => Err(Error::invalid(
                format!("{location}.attributes.{name}"),
                "the index of an accessor",
                index.shown(),
            )),
        },
    };
    let found = [accessor("TRANSLATION")?, accessor("ROTATION")?, accessor("SCALE")?];
    let mut count = None;
    for (index, location) in found.iter().flatten() {
        let found = document.len(*index, location)?;
        if *count.get_or_insert(found) != found {
            let expected = format!("{} elements, as the first attribute has", count.unwrap_or_default());
            return Err(Error::invalid(location, expected, found.to_string()));
        }
    }
    let Some(count) = count else {
        return Err(Error::invalid(location, "attributes with translations, rotations or scales", "none"));
    };
    let [translations, rotations, scales] = found;
    let translations = match translations {
        Some((index, location)) => document.floats::<3>(index, AccessorUse::Translation, &location)?,
        None => Cow::default(),
    };
    let rotations = match rotations {
        Some((index, location)) => document.floats::<4>(index, AccessorUse::Rotation, &location)?,
        None => Cow::default(),
    };
    let scales = match scales {
        Some((index, location)) => document.floats::<3>(index, AccessorUse::Scale, &location)?,
        None => Cow::default(),
    };
    document.spend((count as u64).saturating_mul(size_of::<RawTransform>() as u64), location)?;
    let transform = |instance: usize| RawTransform::Trs {
        translation: translations.get(instance).copied().unwrap_or([0.0; 3]),
        rotation: rotations.get(instance).copied().unwrap_or([0.0, 0.0, 0.0, 1.0]),
        scale: scales.get(instance).copied().unwrap_or([1.0; 3]),
    };
    Ok((0..count).map(transform).collect())
}
