//! Builds the mesh instances: the meshes of the nodes that are shown.

use std::collections::BTreeMap;

use sinew::model::{MeshInstance, ModelSource};
use sinew::{Matrix, Skin};

use super::context::ImportContext;
use super::graph::Graph;
use super::morphs::WeightLayout;
use super::primitives::{self, SkinBinding};
use super::raw_scene::{RawInfluences, RawMesh, RawNode, RawPrimitive};
use super::warning_count::WarningCount;
use crate::error::BoxedError as Error;

/// Adds mesh instances in ascending order of node and primitive, with their primitives and skins.
/// The data of a mesh is dropped when its last primitive is built.
pub(super) fn add(
    nodes: &[RawNode],
    meshes: Vec<RawMesh<'_>>,
    (graph, weights): (&Graph, &WeightLayout),
    source: &mut ModelSource,
    context: &mut ImportContext<'_>,
) -> Result<(), Error> {
    let shown = || nodes.iter().enumerate().filter(|&(index, _)| graph.is_shown(index));
    let mut uses = vec![0_usize; meshes.len()];
    for mesh in shown().filter_map(|(_, node)| node.mesh) {
        uses[mesh] += 1;
    }
    let repaired = meshes.iter().map(|mesh| vec![false; mesh.primitives.len()]).collect();
    let mut builder = MeshInstanceBuilder { meshes, uses, repaired, source, primitives: BTreeMap::new() };
    let (mut no_skin, mut no_mesh) = (WarningCount::default(), WarningCount::default());
    for (index, node) in shown() {
        let Some(mesh) = node.mesh else {
            if node.skin.is_some() {
                no_mesh.add(index);
            }
            continue;
        };
        let is_skinned = |primitive: &RawPrimitive<'_>| !matches!(primitive.influences, RawInfluences::None);
        if node.skin.is_none() && builder.meshes[mesh].primitives.iter().any(is_skinned) {
            no_skin.add(index);
        }
        let instance = MeshInstance {
            name: node.name.clone(),
            joint: graph.joint(index),
            primitive: 0,
            skin: builder.skin(index, node, mesh, graph)?,
            morph_weights: weights.by_node[index].clone(),
        };
        builder.add_node(mesh, node.skin.is_some(), &instance, context)?;
    }
    no_skin.warn(
        context.report,
        "nodes",
        "the nodes with a skinned mesh and without a skin",
        "the mesh moves with its node",
    )?;
    no_mesh.warn(
        context.report,
        "nodes",
        "the nodes with a skin and without a mesh",
        "the skin moves nothing",
    )
}

/// What a primitive of the model is built for: a mesh, a primitive of it, and the length of its
/// skin if it has joints.
type PrimitiveKey = (usize, usize, Option<usize>);

struct MeshInstanceBuilder<'a, 'b> {
    meshes: Vec<RawMesh<'b>>,
    /// The number of nodes with each mesh that are still to be added.
    uses: Vec<usize>,
    /// Whether each primitive of each mesh is repaired.
    repaired: Vec<Vec<bool>>,
    source: &'a mut ModelSource,
    /// The primitives that are built already.
    primitives: BTreeMap<PrimitiveKey, usize>,
}

impl MeshInstanceBuilder<'_, '_> {
    /// The skin of a node's mesh. A mesh without one gets a skin with the node as its only joint.
    fn skin(&mut self, index: usize, node: &RawNode, mesh: usize, graph: &Graph) -> Result<usize, Error> {
        if let Some(skin) = node.skin {
            let mut primitives = self.meshes[mesh].primitives.iter();
            return match primitives.find(|found| matches!(found.influences, RawInfluences::None)) {
                Some(without) => Err(Error::invalid(
                    format!("nodes[{index}].skin"),
                    "joints in all primitives of the mesh",
                    format!("none in {}", without.location),
                )),
                None => Ok(skin),
            };
        }
        let skeleton = &self.source.skeleton;
        let skin = Skin::with_inverse_binds(skeleton, &[graph.joint(index)], &[Matrix::IDENTITY]);
        self.source.skins.push(skin.map_err(|error| Error::model(format!("nodes[{index}]"), error))?);
        Ok(self.source.skins.len() - 1)
    }

    /// Adds an instance for each primitive of a node's mesh.
    fn add_node(
        &mut self,
        mesh: usize,
        skinned: bool,
        instance: &MeshInstance,
        context: &mut ImportContext<'_>,
    ) -> Result<(), Error> {
        self.uses[mesh] -= 1;
        for primitive in 0..self.meshes[mesh].primitives.len() {
            let own_name = &self.meshes[mesh].primitives[primitive].name;
            let name = if own_name.is_empty() { &instance.name } else { own_name }.clone();
            let skin_len = self.source.skins[instance.skin].len();
            let key = (mesh, primitive, skinned.then_some(skin_len));
            let built = match self.primitives.get(&key) {
                Some(&built) => built,
                None => self.build(key, instance.skin, context)?,
            };
            context.spend((size_of::<MeshInstance>() + name.len()) as u64, "nodes")?;
            let morph_weights = instance.morph_weights.clone();
            let instance = MeshInstance { name, primitive: built, morph_weights, ..*instance };
            self.source.mesh_instances.push(instance);
        }
        if self.uses[mesh] == 0 {
            self.meshes[mesh].primitives = Vec::new();
        }
        Ok(())
    }

    fn build(
        &mut self,
        key: PrimitiveKey,
        skin: usize,
        context: &mut ImportContext<'_>,
    ) -> Result<usize, Error> {
        let (mesh, primitive, skin_len) = key;
        let found = &mut self.meshes[mesh];
        let raw = &mut found.primitives[primitive];
        if !std::mem::replace(&mut self.repaired[mesh][primitive], true) {
            primitives::repair(raw, context)?;
        }
        let skin = &self.source.skins[skin];
        let binding = match skin_len {
            Some(_) => SkinBinding::Skinned(skin),
            None => SkinBinding::Rigid(skin),
        };
        // Another node may need the data for a skin of another length.
        let mut raw = if self.uses[mesh] == 0 { std::mem::take(raw) } else { raw.clone() };
        let names = (&*found.name, &found.target_names[..]);
        let built = primitives::build(&mut raw, binding, names, context)?;
        self.source.primitives.push(built);
        self.primitives.insert(key, self.source.primitives.len() - 1);
        Ok(self.source.primitives.len() - 1)
    }
}
