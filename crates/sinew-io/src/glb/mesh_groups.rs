//! Groups the mesh instances of a model that become one mesh of one node.

use std::collections::HashMap;
use std::ops::Range;

use sinew::model::MeshInstance;
use sinew::{JointId, Matrix, Model};

/// Mesh instances that become one mesh of one node.
#[derive(Debug)]
pub(super) struct MeshGroup {
    pub(super) joint: JointId,
    /// The model's skin; `None` if the mesh instances move rigidly with the joint.
    pub(super) skin: Option<usize>,
    pub(super) morph_weights: Range<usize>,
    /// In the model's order.
    pub(super) mesh_instances: Vec<usize>,
}

/// Groups all mesh instances that have vertices.
pub(super) fn mesh_groups(model: &Model) -> Vec<MeshGroup> {
    let mut all: Vec<MeshGroup> = Vec::new();
    let mut known = HashMap::new();
    for (index, mesh_instance) in model.mesh_instances().iter().enumerate() {
        if model.primitive(index).mesh.is_empty() {
            continue;
        }
        let skin = (!is_rigid(model, mesh_instance)).then_some(mesh_instance.skin);
        let morph_weights =
            if mesh_instance.morph_weights.is_empty() { 0..0 } else { mesh_instance.morph_weights.clone() };
        let group = *known.entry((mesh_instance.joint, skin, morph_weights.clone())).or_insert(all.len());
        if group == all.len() {
            all.push(MeshGroup {
                joint: mesh_instance.joint,
                skin,
                morph_weights,
                mesh_instances: Vec::new(),
            });
        }
        all[group].mesh_instances.push(index);
    }
    all
}

/// Whether the mesh instance moves rigidly with its joint, in that joint's space: a mesh without a
/// skin in glTF.
fn is_rigid(model: &Model, mesh_instance: &MeshInstance) -> bool {
    let skin = &model.skins()[mesh_instance.skin];
    skin.joints().eq([mesh_instance.joint]) && skin.inverse_binds() == [Matrix::IDENTITY]
}

impl MeshGroup {
    /// The name of the first mesh instance, or of the joint if the mesh instance has none.
    pub(super) fn name<'a>(&self, model: &'a Model) -> &'a str {
        let mesh_instance = &model.mesh_instances()[self.mesh_instances[0]];
        if mesh_instance.name.is_empty() { model.skeleton().name(self.joint) } else { &mesh_instance.name }
    }

    /// The primitives of the mesh instances, in order.
    pub(super) fn primitives(&self, model: &Model) -> Vec<usize> {
        self.mesh_instances
            .iter()
            .map(|&mesh_instance| model.mesh_instances()[mesh_instance].primitive)
            .collect()
    }
}
