//! A model as JSON. Keys are stable within a major version: new ones may be added.

use sinew::mesh::Grouping;
use sinew::model::{AlphaMode, Image, MeshInstance, UpAxis};
use sinew::{Aabb, Clip, JointId, Mesh, Model, Skin};

use super::bounds::{ModelBounds, to_json};
use super::vrm;
use crate::check::warnings_json;
use crate::json::{Value, json};
use crate::model_input::LoadedModel;

pub(super) fn model_json(name: &str, loaded: &LoadedModel, verbose: bool) -> Value {
    let LoadedModel { model, report, .. } = loaded;
    let meshes = || (0..model.mesh_instances().len()).map(|instance| &model.primitive(instance).mesh);
    let skeleton = model.skeleton();
    let bounds = ModelBounds::new(model);
    let clips = model.clips().iter().zip(&bounds.clips);
    let instances = model.mesh_instances().iter().enumerate();
    let instances = instances.map(|(index, instance)| mesh_instance_json(model, index, instance, verbose));
    let joint = |joint| {
        let parent = skeleton.parent(joint).map(JointId::index);
        json!({ "name": skeleton.name(joint), "parent": parent })
    };
    let skin_json = |skin: &Skin| {
        let numbers: Vec<usize> = skin.joints().map(JointId::index).collect();
        json!({ "joints": skin.len(), "joint_numbers": numbers })
    };
    let skins = model.skins().iter().map(skin_json);
    let mut value = json!({
        "file": name,
        "up": match model.up_axis() { UpAxis::Y => "y", UpAxis::Z => "z" },
        "vertices": meshes().map(Mesh::len).sum::<usize>(),
        "triangles": meshes().map(|mesh| mesh.triangles().len()).sum::<usize>(),
        "bounds": to_json(bounds.rest.as_ref()),
        "skeleton": json!({
            "joints": skeleton.len(),
            "roots": skeleton.roots().count(),
            "depth": depth(model),
            "morph_weights": skeleton.rest().morph_weights().len(),
        }),
        "joints": skeleton.joints().map(joint).collect::<Vec<_>>(),
        "skins": skins.collect::<Vec<_>>(),
        "mesh_instances": instances.collect::<Vec<_>>(),
        "clips": clips.map(|(clip, bounds)| clip_json(clip, bounds.as_ref())).collect::<Vec<_>>(),
        "materials": (0..model.materials().len()).map(|material| material_json(loaded, material)).collect::<Vec<_>>(),
        "images": model.images().iter().map(image_json).collect::<Vec<_>>(),
        "warnings": warnings_json(report),
    });
    if let Some(vrm) = &loaded.vrm {
        value.push_field("vrm", vrm::to_json(vrm));
    }
    value
}

fn mesh_instance_json(model: &Model, index: usize, instance: &MeshInstance, verbose: bool) -> Value {
    let primitive = model.primitive(index);
    let mesh = &primitive.mesh;
    let layout = mesh.layout();
    let mut value = json!({
        "name": instance.name,
        "joint": instance.joint.index(),
        "skin": instance.skin,
        "primitive": instance.primitive,
        "material": primitive.material,
        "vertices": mesh.len(),
        "triangles": mesh.triangles().len(),
        "max_influences": layout.max_influences,
        "average_influences": layout.average_influences,
        "morph_targets": mesh.morph_count(),
        "morph_target_names": mesh.morph_names().collect::<Vec<_>>(),
    });
    if verbose {
        value.push_field("runs", layout.runs);
        value.push_field("padding", layout.slots - mesh.len());
        value.push_field("layout", layout_name(layout.grouping));
        value.push_field("shared_joints_cost", layout.shared_joints_cost);
        value.push_field("per_vertex_joints_cost", layout.per_vertex_joints_cost);
        value.push_field("bytes", bytes(mesh));
    }
    value
}

fn clip_json(clip: &Clip, bounds: Option<&Aabb>) -> Value {
    json!({
        "name": clip.name(),
        "seconds": clip.end(),
        "first": clip.start(),
        "tracks": clip.track_count(),
        "keys": clip.key_count(),
        "bytes": clip.bytes(),
        "bounds": to_json(bounds),
    })
}

fn material_json(loaded: &LoadedModel, index: usize) -> Value {
    let material = &loaded.model.materials()[index];
    let image = material.base_texture.map(|texture| texture.image);
    json!({
        "name": material.name,
        "base_color": material.base_color,
        "image": image,
        "missing_picture": loaded.missing_picture(index),
        "alpha_mode": alpha_mode_name(material.alpha_mode),
        "double_sided": material.double_sided,
        "metallic": material.metallic,
        "roughness": material.roughness,
    })
}

/// The name of an alpha mode, as glTF has it.
pub(super) fn alpha_mode_name(mode: AlphaMode) -> &'static str {
    match mode {
        AlphaMode::Opaque => "OPAQUE",
        AlphaMode::Mask { .. } => "MASK",
        AlphaMode::Blend => "BLEND",
    }
}

fn image_json(image: &Image) -> Value {
    json!({
        "name": image.name,
        "media_type": image.media_type,
        "bytes": image.bytes.len(),
        "uri": image.uri,
    })
}

/// The most joints on a path from a root to a leaf.
pub(super) fn depth(model: &Model) -> usize {
    let skeleton = model.skeleton();
    let mut depths: Vec<usize> = Vec::with_capacity(skeleton.len());
    for joint in skeleton.joints() {
        depths.push(1 + skeleton.parent(joint).map_or(0, |parent| depths[parent.index()]));
    }
    depths.into_iter().max().unwrap_or(0)
}

/// The name of a vertex grouping, which decides the skinning kernel.
pub(super) fn layout_name(grouping: Grouping) -> &'static str {
    match grouping {
        Grouping::SharedJoints => "shared-joints",
        Grouping::PerVertexJoints => "per-vertex-joints",
        Grouping::PreWeighted => "pre-weighted",
        _ => "other",
    }
}

/// The bytes that skinning a mesh reads.
pub(super) fn bytes(mesh: &Mesh) -> usize {
    mesh.bytes() + mesh.joint_space_bytes()
}
