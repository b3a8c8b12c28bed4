//! That every index leads somewhere.

use super::super::schema::mesh::{Primitive, Semantic};
use super::super::schema::{Animation, Index, Root};
use super::faults::Faults;
use crate::Error;

pub(super) fn check(root: &Root, faults: &mut Faults) {
    scenes(root, faults);
    nodes(root, faults);
    meshes(root, faults);
    skins(root, faults);
    for (i, animation) in root.animations.iter().enumerate() {
        channels(root, i, animation, faults);
    }
}

/// That an index is below a count. The place is put into words only when it is not.
pub(super) fn within(
    index: impl Into<Option<Index>>,
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

fn scenes(root: &Root, faults: &mut Faults) {
    faults.add(within(root.scene, root.scenes.len(), "scenes", || "scene".into()));
    for (i, scene) in root.scenes.iter().enumerate() {
        for (j, &node) in scene.nodes.iter().enumerate() {
            faults.add(within(node, root.nodes.len(), "nodes", || format!("scenes[{i}].nodes[{j}]")));
        }
    }
}

fn nodes(root: &Root, faults: &mut Faults) {
    for (i, node) in root.nodes.iter().enumerate() {
        faults.add(within(node.camera, root.cameras.len(), "cameras", || format!("nodes[{i}].camera")));
        faults.add(within(node.mesh, root.meshes.len(), "meshes", || format!("nodes[{i}].mesh")));
        faults.add(within(node.skin, root.skins.len(), "skins", || format!("nodes[{i}].skin")));
        for (j, &child) in node.children.iter().flatten().enumerate() {
            faults.add(within(child, root.nodes.len(), "nodes", || format!("nodes[{i}].children[{j}]")));
        }
    }
}

fn meshes(root: &Root, faults: &mut Faults) {
    for (i, mesh) in root.meshes.iter().enumerate() {
        for (j, primitive) in mesh.primitives.iter().enumerate() {
            attributes(root, i, j, primitive, faults);
        }
    }
}

fn attributes(root: &Root, mesh: usize, primitive: usize, found: &Primitive, faults: &mut Faults) {
    let place = |what: &str| format!("meshes[{mesh}].primitives[{primitive}].{what}");
    let accessors = root.accessors.len();
    for (semantic, &accessor) in &found.attributes {
        faults.add(within(accessor, accessors, "accessors", || match semantic {
            Semantic::Unknown => place("attributes"),
            semantic => place(&format!("attributes.{semantic}")),
        }));
    }
    faults.add(within(found.indices, accessors, "accessors", || place("indices")));
    faults.add(within(found.material, root.materials.len(), "materials", || place("material")));
    for (k, target) in found.targets.iter().flatten().enumerate() {
        let named =
            [("POSITION", target.positions), ("NORMAL", target.normals), ("TANGENT", target.tangents)];
        for (name, accessor) in named {
            faults.add(within(accessor, accessors, "accessors", || place(&format!("targets[{k}].{name}"))));
        }
    }
}

fn skins(root: &Root, faults: &mut Faults) {
    for (i, skin) in root.skins.iter().enumerate() {
        faults.add(within(skin.inverse_bind_matrices, root.accessors.len(), "accessors", || {
            format!("skins[{i}].inverseBindMatrices")
        }));
        faults.add(within(skin.skeleton, root.nodes.len(), "nodes", || format!("skins[{i}].skeleton")));
        for (j, &joint) in skin.joints.iter().enumerate() {
            faults.add(within(joint, root.nodes.len(), "nodes", || format!("skins[{i}].joints[{j}]")));
        }
    }
}

fn channels(root: &Root, i: usize, animation: &Animation, faults: &mut Faults) {
    let place = |what: &str, j: usize, field: &str| format!("animations[{i}].{what}[{j}].{field}");
    for (j, channel) in animation.channels.iter().enumerate() {
        // glTF ignores channels without a node.
        if channel.target.node.is_none() {
            continue;
        }
        faults.add(within(channel.sampler, animation.samplers.len(), "samplers", || {
            place("channels", j, "sampler")
        }));
        faults.add(within(channel.target.node, root.nodes.len(), "nodes", || {
            place("channels", j, "target.node")
        }));
    }
    for (j, sampler) in animation.samplers.iter().enumerate() {
        faults
            .add(within(sampler.input, root.accessors.len(), "accessors", || place("samplers", j, "input")));
        faults.add(within(sampler.output, root.accessors.len(), "accessors", || {
            place("samplers", j, "output")
        }));
    }
}
