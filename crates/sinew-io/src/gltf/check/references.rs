//! Checks the indices of scenes, nodes, meshes, skins and animations.

use super::super::schema::mesh::{Primitive, Semantic};
use super::super::schema::{Animation, Index, Root};
use super::error_list::ErrorList;
use crate::error::BoxedError as Error;

pub(super) fn check(root: &Root<'_>, errors: &mut ErrorList) {
    scenes(root, errors);
    nodes(root, errors);
    meshes(root, errors);
    skins(root, errors);
    for (i, animation) in root.animations.iter().enumerate() {
        channels(root, i, animation, errors);
    }
}

/// Checks that an index is below `count`. Formats the location only for an error.
pub(super) fn check_index(
    index: impl Into<Option<Index>>,
    count: usize,
    array: &str,
    location: impl FnOnce() -> String,
) -> Result<(), Error> {
    match index.into() {
        Some(index) if index.value() >= count => Err(index_error(location(), index, count, array)),
        _ => Ok(()),
    }
}

fn index_error(location: String, index: Index, count: usize, array: &str) -> Error {
    Error::invalid(location, format!("one of {count} {array}"), index.value().to_string())
}

fn scenes(root: &Root<'_>, errors: &mut ErrorList) {
    errors.add(check_index(root.scene, root.scenes.len(), "scenes", || "scene".into()));
    for (i, scene) in root.scenes.iter().enumerate() {
        for (j, &node) in scene.nodes.iter().enumerate() {
            errors.add(check_index(node, root.nodes.len(), "nodes", || format!("scenes[{i}].nodes[{j}]")));
        }
    }
}

fn nodes(root: &Root<'_>, errors: &mut ErrorList) {
    for (i, node) in root.nodes.iter().enumerate() {
        errors.add(check_index(node.camera, root.cameras.len(), "cameras", || format!("nodes[{i}].camera")));
        errors.add(check_index(node.mesh, root.meshes.len(), "meshes", || format!("nodes[{i}].mesh")));
        errors.add(check_index(node.skin, root.skins.len(), "skins", || format!("nodes[{i}].skin")));
        for (j, &child) in node.children.iter().enumerate() {
            errors.add(check_index(child, root.nodes.len(), "nodes", || format!("nodes[{i}].children[{j}]")));
        }
    }
}

fn meshes(root: &Root<'_>, errors: &mut ErrorList) {
    for (i, mesh) in root.meshes.iter().enumerate() {
        for (j, primitive) in mesh.primitives.iter().enumerate() {
            attributes(root, i, j, primitive, errors);
        }
    }
}

fn attributes(root: &Root<'_>, mesh: usize, primitive: usize, found: &Primitive, errors: &mut ErrorList) {
    let location = |what: &str| format!("meshes[{mesh}].primitives[{primitive}].{what}");
    let accessors = root.accessors.len();
    for (semantic, &accessor) in &found.attributes {
        errors.add(check_index(accessor, accessors, "accessors", || match semantic {
            Semantic::Unknown => location("attributes"),
            semantic => location(&format!("attributes.{semantic}")),
        }));
    }
    errors.add(check_index(found.indices, accessors, "accessors", || location("indices")));
    errors.add(check_index(found.material, root.materials.len(), "materials", || location("material")));
    for (k, target) in found.targets.iter().enumerate() {
        let named =
            [("POSITION", target.positions), ("NORMAL", target.normals), ("TANGENT", target.tangents)];
        for (name, accessor) in named {
            errors.add(check_index(accessor, accessors, "accessors", || {
                location(&format!("targets[{k}].{name}"))
            }));
        }
    }
}

fn skins(root: &Root<'_>, errors: &mut ErrorList) {
    for (i, skin) in root.skins.iter().enumerate() {
        errors.add(check_index(skin.inverse_bind_matrices, root.accessors.len(), "accessors", || {
            format!("skins[{i}].inverseBindMatrices")
        }));
        errors.add(check_index(skin.skeleton, root.nodes.len(), "nodes", || format!("skins[{i}].skeleton")));
        for (j, &joint) in skin.joints.iter().enumerate() {
            errors.add(check_index(joint, root.nodes.len(), "nodes", || format!("skins[{i}].joints[{j}]")));
        }
    }
}

fn channels(root: &Root<'_>, i: usize, animation: &Animation<'_>, errors: &mut ErrorList) {
    let location = |what: &str, j: usize, field: &str| format!("animations[{i}].{what}[{j}].{field}");
    if animation.channels.is_empty() {
        let location = format!("animations[{i}].channels");
        errors.add(Err(Error::invalid(location, "one channel or more", "none")));
    }
    for (j, channel) in animation.channels.iter().enumerate() {
        // glTF ignores channels without a node.
        if channel.node.is_none() {
            continue;
        }
        errors.add(check_index(channel.sampler, animation.samplers.len(), "samplers", || {
            location("channels", j, "sampler")
        }));
        errors.add(check_index(channel.node, root.nodes.len(), "nodes", || {
            location("channels", j, "target.node")
        }));
    }
    for (j, sampler) in animation.samplers.iter().enumerate() {
        errors.add(check_index(sampler.input, root.accessors.len(), "accessors", || {
            location("samplers", j, "input")
        }));
        errors.add(check_index(sampler.output, root.accessors.len(), "accessors", || {
            location("samplers", j, "output")
        }));
    }
}
