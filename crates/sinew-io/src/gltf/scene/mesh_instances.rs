//! Builds the mesh instances: the meshes of the nodes in the scene.

use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use sinew::model::{MeshInstance, ModelSource};
use sinew::{JointId, Matrix, Skin};

use super::graph::Graph;
use super::mesh_info::MeshInfo;
use super::morphs::WeightLayout;
use super::primitives::{PrimitiveId, SkinBinding, build_primitive};
use super::warning_count::WarningCount;
use crate::gltf::document::Document;
use crate::gltf::schema::Node;
use crate::{Error, Report};

/// Adds mesh instances in ascending order of node and primitive, with their primitives and skins.
pub(super) fn add(
    document: &Document<'_>,
    graph: &Graph,
    weights: &WeightLayout,
    source: &mut ModelSource,
    report: &mut Report,
) -> Result<(), Error> {
    let mut builder =
        MeshInstanceBuilder { document, source, mesh_info: BTreeMap::new(), primitives: BTreeMap::new() };
    let (mut no_skin, mut no_mesh) = (WarningCount::default(), WarningCount::default());
    for (index, node) in document.root.nodes.iter().enumerate() {
        if !graph.is_in_scene(index) {
            continue;
        }
        let Some(mesh) = node.mesh.map(|mesh| mesh.value()) else {
            if node.skin.is_some() {
                no_mesh.add(index);
            }
            continue;
        };
        let mesh_info = builder.mesh_info(mesh, report)?;
        if node.skin.is_none() && mesh_info.skinned {
            no_skin.add(index);
        }
        let (joint, weights) = (graph.joint(index), &weights.by_node[index]);
        builder.add_node(&NodeMesh { index, node, mesh, mesh_info: &mesh_info, joint, weights }, report)?;
    }
    no_skin.warn(
        report,
        "nodes",
        "the nodes with a skinned mesh and without a skin",
        "the mesh moves with its node",
    )?;
    no_mesh.warn(report, "nodes", "the nodes with a skin and without a mesh", "the skin moves nothing")
}

/// A node with a mesh.
struct NodeMesh<'a> {
    index: usize,
    node: &'a Node,
    mesh: usize,
    mesh_info: &'a MeshInfo,
    joint: JointId,
    weights: &'a Range<usize>,
}

/// What a primitive of the model is built for: a primitive of the document, and the length of its
/// skin if it has joints.
type PrimitiveKey = (PrimitiveId, Option<usize>);

struct MeshInstanceBuilder<'a, 'd> {
    document: &'a Document<'d>,
    source: &'a mut ModelSource,
    /// By mesh, for the meshes of the nodes so far.
    mesh_info: BTreeMap<usize, Rc<MeshInfo>>,
    /// The primitives that are built already.
    primitives: BTreeMap<PrimitiveKey, usize>,
}

impl MeshInstanceBuilder<'_, '_> {
    fn mesh_info(&mut self, mesh: usize, report: &mut Report) -> Result<Rc<MeshInfo>, Error> {
        if let Some(mesh_info) = self.mesh_info.get(&mesh) {
            return Ok(Rc::clone(mesh_info));
        }
        let mesh_info = Rc::new(MeshInfo::new(self.document, mesh, report)?);
        self.mesh_info.insert(mesh, Rc::clone(&mesh_info));
        Ok(mesh_info)
    }

    fn add_node(&mut self, node_mesh: &NodeMesh<'_>, report: &mut Report) -> Result<(), Error> {
        let name = node_mesh.node.name.as_deref().unwrap_or_default();
        let skin = match node_mesh.node.skin {
            Some(skin) => {
                if let Some(without_joints) = node_mesh.mesh_info.first_without_joints {
                    return Err(Error::invalid(
                        format!("nodes[{}].skin", node_mesh.index),
                        "joints in all primitives of the mesh",
                        format!("none in meshes[{}].primitives[{without_joints}]", node_mesh.mesh),
                    ));
                }
                skin.value()
            }
            None => self.rigid_skin(node_mesh)?,
        };
        for &primitive in &node_mesh.mesh_info.primitives {
            let primitive = self.primitive(node_mesh, primitive, skin, report)?;
            let bytes = (size_of::<MeshInstance>() + name.len()) as u64;
            self.document.spend(bytes, "nodes")?;
            self.source.mesh_instances.push(MeshInstance {
                name: name.to_owned(),
                joint: node_mesh.joint,
                primitive,
                skin,
                morph_weights: node_mesh.weights.clone(),
            });
        }
        Ok(())
    }

    /// Adds a skin with the node as its only joint, for a mesh without a skin.
    fn rigid_skin(&mut self, node_mesh: &NodeMesh<'_>) -> Result<usize, Error> {
        let skin = Skin::with_inverse_binds(&self.source.skeleton, &[node_mesh.joint], &[Matrix::IDENTITY]);
        self.source
            .skins
            .push(skin.map_err(|error| Error::model(format!("nodes[{}]", node_mesh.index), error))?);
        Ok(self.source.skins.len() - 1)
    }

    /// The primitive of the model, built on first use.
    fn primitive(
        &mut self,
        node_mesh: &NodeMesh<'_>,
        primitive: usize,
        skin: usize,
        report: &mut Report,
    ) -> Result<usize, Error> {
        let id = PrimitiveId { mesh: node_mesh.mesh, primitive };
        let skin = &self.source.skins[skin];
        let (key, binding) = match node_mesh.node.skin.is_some() {
            true => ((id, Some(skin.len())), SkinBinding::Skinned(skin)),
            false => ((id, None), SkinBinding::Rigid(skin)),
        };
        if let Some(&built) = self.primitives.get(&key) {
            return Ok(built);
        }
        let built = build_primitive(self.document, id, binding, &node_mesh.mesh_info.target_names, report)?;
        self.source.primitives.push(built);
        self.primitives.insert(key, self.source.primitives.len() - 1);
        Ok(self.source.primitives.len() - 1)
    }
}
