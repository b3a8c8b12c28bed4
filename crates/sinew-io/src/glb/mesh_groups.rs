//! Groups the parts of a model that become one mesh of one node.

use std::collections::HashMap;
use std::ops::Range;

use sinew::model::MeshInstance;
use sinew::{JointId, Matrix, Model};

/// Parts that become one mesh of one node.
#[derive(Debug)]
pub(super) struct MeshGroup {
    pub(super) joint: JointId,
    /// The model's skin; `None` if the parts move rigidly with the joint.
    pub(super) skin: Option<usize>,
    pub(super) morph_weights: Range<usize>,
    /// In the model's order.
    pub(super) parts: Vec<usize>,
}

/// Groups all parts that have vertices.
pub(super) fn mesh_groups(model: &Model) -> Vec<MeshGroup> {
    let mut all: Vec<MeshGroup> = Vec::new();
    let mut known = HashMap::new();
    for (index, part) in model.mesh_instances().iter().enumerate() {
        if model.primitive(index).mesh.is_empty() {
            continue;
        }
        let skin = (!is_rigid(model, part)).then_some(part.skin);
        let morph_weights = if part.morph_weights.is_empty() { 0..0 } else { part.morph_weights.clone() };
        let group = *known.entry((part.joint, skin, morph_weights.clone())).or_insert(all.len());
        if group == all.len() {
            all.push(MeshGroup { joint: part.joint, skin, morph_weights, parts: Vec::new() });
        }
        all[group].parts.push(index);
    }
    all
}

/// Whether the part moves rigidly with its joint, in that joint's space: a mesh without a skin in
/// glTF.
fn is_rigid(model: &Model, part: &MeshInstance) -> bool {
    let skin = &model.skins()[part.skin];
    skin.joints().eq([part.joint]) && skin.inverse_binds() == [Matrix::IDENTITY]
}

impl MeshGroup {
    /// The name of the first part, or of the joint if the part has none.
    pub(super) fn name<'a>(&self, model: &'a Model) -> &'a str {
        let part = &model.mesh_instances()[self.parts[0]];
        if part.name.is_empty() { model.skeleton().name(self.joint) } else { &part.name }
    }

    /// The surfaces of the parts, in order.
    pub(super) fn surfaces(&self, model: &Model) -> Vec<usize> {
        self.parts.iter().map(|&part| model.mesh_instances()[part].primitive).collect()
    }
}
