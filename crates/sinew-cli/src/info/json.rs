//! A model in JSON. Keys are stable: they are added to, never changed.

use serde_json::{Value, json};
use sinew::{Aabb, Clip, Grouping, Image, Material, Mesh, Model, Part, Up};

use super::bounds::{Boxes, to_json};
use crate::check::oddities_json;
use crate::source::Loaded;

pub(super) fn describe(name: &str, loaded: &Loaded) -> Value {
    let Loaded { model, report, .. } = loaded;
    let meshes = || (0..model.parts().len()).map(|part| &model.surface(part).mesh);
    let skeleton = model.skeleton();
    let boxes = Boxes::new(model);
    let clips = model.clips().iter().zip(&boxes.clips);
    let skins = model.skins().iter().map(|skin| json!({ "joints": skin.len() }));
    json!({
        "file": name,
        "up": match model.up() { Up::Y => "y", Up::Z => "z" },
        "vertices": meshes().map(Mesh::len).sum::<usize>(),
        "triangles": meshes().map(|mesh| mesh.triangles().len()).sum::<usize>(),
        "bounds": to_json(boxes.rest.as_ref()),
        "skeleton": {
            "joints": skeleton.len(),
            "roots": skeleton.roots().count(),
            "depth": depth(model),
            "morph_weights": skeleton.rest().morph_weights().len(),
        },
        "skins": skins.collect::<Vec<_>>(),
        "parts": model.parts().iter().enumerate().map(|(i, part)| of_part(model, i, part)).collect::<Vec<_>>(),
        "clips": clips.map(|(one, bounds)| clip(one, bounds.as_ref())).collect::<Vec<_>>(),
        "materials": model.materials().iter().map(material).collect::<Vec<_>>(),
        "images": model.images().iter().map(image).collect::<Vec<_>>(),
        "oddities": oddities_json(report),
    })
}

fn of_part(model: &Model, index: usize, part: &Part) -> Value {
    let mesh = &model.surface(index).mesh;
    let layout = mesh.layout();
    json!({
        "name": part.name,
        "joint": part.joint,
        "skin": part.skin,
        "surface": part.surface,
        "vertices": mesh.len(),
        "triangles": mesh.triangles().len(),
        "most_influences": layout.most_influences,
        "average_influences": layout.average_influences,
        "morph_targets": mesh.morph_count(),
        "runs": layout.runs,
        "padding": layout.places - mesh.len(),
        "path": path(layout.form),
        "cost_of_runs": layout.cost_of_runs,
        "cost_of_counts": layout.cost_of_counts,
        "bytes": bytes(mesh),
    })
}

fn clip(clip: &Clip, bounds: Option<&Aabb>) -> Value {
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

fn material(material: &Material) -> Value {
    let image = material.base_texture.map(|texture| texture.image);
    json!({ "name": material.name, "base_colour": material.base_colour, "image": image })
}

fn image(image: &Image) -> Value {
    json!({
        "name": image.name,
        "media_type": image.media_type,
        "bytes": image.bytes.len(),
        "uri": image.uri,
    })
}

/// The most joints from a root down.
pub(super) fn depth(model: &Model) -> usize {
    let skeleton = model.skeleton();
    let mut depths: Vec<usize> = Vec::with_capacity(skeleton.len());
    for joint in 0..skeleton.len() {
        depths.push(1 + skeleton.parent(joint).map_or(0, |parent| depths[parent]));
    }
    depths.into_iter().max().unwrap_or(0)
}

/// The way in which a mesh is skinned.
pub(super) fn path(form: Grouping) -> &'static str {
    match form {
        Grouping::Runs => "runs",
        Grouping::Counts => "counts",
        Grouping::Weighted => "weighted",
    }
}

/// All that skinning a mesh reads.
pub(super) fn bytes(mesh: &Mesh) -> usize {
    mesh.bytes() + mesh.joint_space_bytes()
}
