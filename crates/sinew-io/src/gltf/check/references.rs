//! That every index leads somewhere.

use gltf_json::mesh::Primitive;
use gltf_json::{Animation, Index, Root};

use crate::Error;

pub(super) fn check(root: &Root) -> Result<(), Error> {
    scenes(root)?;
    nodes(root)?;
    meshes(root)?;
    skins(root)?;
    root.animations.iter().enumerate().try_for_each(|(i, animation)| channels(root, i, animation))
}

/// That an index is below a count. The place is put into words only when it is not.
pub(super) fn within<T>(
    index: impl Into<Option<Index<T>>>,
    count: usize,
    things: &str,
    place: impl FnOnce() -> String,
) -> Result<(), Error> {
    match index.into() {
        Some(index) if index.value() >= count => {
            Err(Error::fault(place(), format!("one of {count} {things}"), index.value().to_string()))
        }
        _ => Ok(()),
    }
}

fn scenes(root: &Root) -> Result<(), Error> {
    within(root.scene, root.scenes.len(), "scenes", || "scene".into())?;
    for (i, scene) in root.scenes.iter().enumerate() {
        for (j, &node) in scene.nodes.iter().enumerate() {
            within(node, root.nodes.len(), "nodes", || format!("scenes[{i}].nodes[{j}]"))?;
        }
    }
    Ok(())
}

fn nodes(root: &Root) -> Result<(), Error> {
    for (i, node) in root.nodes.iter().enumerate() {
        within(node.camera, root.cameras.len(), "cameras", || format!("nodes[{i}].camera"))?;
        within(node.mesh, root.meshes.len(), "meshes", || format!("nodes[{i}].mesh"))?;
        within(node.skin, root.skins.len(), "skins", || format!("nodes[{i}].skin"))?;
        for (j, &child) in node.children.iter().flatten().enumerate() {
            within(child, root.nodes.len(), "nodes", || format!("nodes[{i}].children[{j}]"))?;
        }
    }
    Ok(())
}

fn meshes(root: &Root) -> Result<(), Error> {
    for (i, mesh) in root.meshes.iter().enumerate() {
        for (j, primitive) in mesh.primitives.iter().enumerate() {
            attributes(root, i, j, primitive)?;
        }
    }
    Ok(())
}

fn attributes(root: &Root, mesh: usize, primitive: usize, found: &Primitive) -> Result<(), Error> {
    let place = |what: &str| format!("meshes[{mesh}].primitives[{primitive}].{what}");
    let accessors = root.accessors.len();
    for (semantic, &accessor) in &found.attributes {
        within(accessor, accessors, "accessors", || match semantic {
            gltf_json::validation::Checked::Valid(semantic) => {
                place(&format!("attributes.{}", semantic.to_string()))
            }
            gltf_json::validation::Checked::Invalid => place("attributes"),
        })?;
    }
    within(found.indices, accessors, "accessors", || place("indices"))?;
    within(found.material, root.materials.len(), "materials", || place("material"))?;
    for (k, target) in found.targets.iter().flatten().enumerate() {
        let named =
            [("POSITION", target.positions), ("NORMAL", target.normals), ("TANGENT", target.tangents)];
        for (name, accessor) in named {
            within(accessor, accessors, "accessors", || place(&format!("targets[{k}].{name}")))?;
        }
    }
    Ok(())
}

fn skins(root: &Root) -> Result<(), Error> {
    for (i, skin) in root.skins.iter().enumerate() {
        within(skin.inverse_bind_matrices, root.accessors.len(), "accessors", || {
            format!("skins[{i}].inverseBindMatrices")
        })?;
        within(skin.skeleton, root.nodes.len(), "nodes", || format!("skins[{i}].skeleton"))?;
        for (j, &joint) in skin.joints.iter().enumerate() {
            within(joint, root.nodes.len(), "nodes", || format!("skins[{i}].joints[{j}]"))?;
        }
    }
    Ok(())
}

fn channels(root: &Root, i: usize, animation: &Animation) -> Result<(), Error> {
    let place = |what: &str, j: usize, field: &str| format!("animations[{i}].{what}[{j}].{field}");
    for (j, channel) in animation.channels.iter().enumerate() {
        within(channel.sampler, animation.samplers.len(), "samplers", || place("channels", j, "sampler"))?;
        within(channel.target.node, root.nodes.len(), "nodes", || place("channels", j, "target.node"))?;
    }
    for (j, sampler) in animation.samplers.iter().enumerate() {
        within(sampler.input, root.accessors.len(), "accessors", || place("samplers", j, "input"))?;
        within(sampler.output, root.accessors.len(), "accessors", || place("samplers", j, "output"))?;
    }
    Ok(())
}
