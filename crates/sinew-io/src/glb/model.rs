//! Exports a whole model: joints, skins, meshes, morph targets and clips.

use std::collections::{BTreeMap, HashMap};
use std::io::Write;

use sinew::model::Metadata;
use sinew::{JointId, Model};

use super::clips;
use super::deviation::{Deviation, deviation};
use super::document::{Document, GlbExtensions};
use super::export_mesh::{ExportMesh, texture_coordinate_sets};
use super::materials::MaterialWriter;
use super::mesh_groups::{MeshGroup, mesh_groups};
use super::node_builder::NodeBuilder;
use super::schema::{Mesh, Primitive};
use super::up_axis::UpAxisConversion;
use crate::error::BoxedError;
use crate::json::Json;
use crate::scene::Budget;
use crate::{Error, ImportOptions};

/// Writes a whole model as GLB: every joint as a node, skins, meshes with any number of influences,
/// morph targets, clips, materials and images. Returns how far the vertices of the exported model
/// differ over all keys of all clips: glTF stores one position per vertex and normalized weights,
/// which models from MD5 files need not have.
///
/// A skinned mesh gets a root node of its own, as the format recommends, unless its joint is a root
/// without another use. [`dropped_by_glb`](crate::dropped_by_glb) lists what is left out.
///
/// # Errors
///
/// When a skin has more joints than the format can count, when the file would be larger than the
/// format allows, or when the system cannot write.
pub fn write_model_glb(
    mut to: impl Write,
    model: &Model,
    up_axis: UpAxisConversion,
) -> Result<Deviation, Error> {
    Ok(write_model(&mut to, model, up_axis, &|_| GlbExtensions::default())?)
}

/// Writes a whole model with its VRM data as GLB, like [`write_model_glb`]: in the version of VRM
/// that the data was read from. Programs expect a name that ends with `.vrm`.
///
/// # Errors
///
/// As [`write_model_glb`].
#[cfg(feature = "vrm")]
pub fn write_vrm_glb(
    mut to: impl Write,
    model: &Model,
    vrm: &crate::Vrm,
    up_axis: UpAxisConversion,
) -> Result<Deviation, Error> {
    Ok(write_model(&mut to, model, up_axis, &|map| crate::vrm::extensions(vrm, map))?)
}

/// The nodes and meshes that were written for the mesh instances of each joint.
#[derive(Debug, Default)]
pub(crate) struct NodeMap {
    nodes: BTreeMap<usize, Vec<usize>>,
    meshes: BTreeMap<usize, Vec<usize>>,
}

impl NodeMap {
    /// The nodes with the meshes of a joint. Joints without meshes have none.
    pub(crate) fn mesh_nodes(&self, joint: JointId) -> &[usize] {
        self.nodes.get(&joint.index()).map_or(&[], |nodes| nodes)
    }

    /// The meshes of a joint.
    pub(crate) fn meshes(&self, joint: JointId) -> &[usize] {
        self.meshes.get(&joint.index()).map_or(&[], |meshes| meshes)
    }

    fn add(&mut self, joint: JointId, node: usize, mesh: usize) {
        self.nodes.entry(joint.index()).or_default().push(node);
        self.meshes.entry(joint.index()).or_default().push(mesh);
    }
}

/// The text, if it is valid JSON; an empty text otherwise.
pub(super) fn valid_json(text: &str) -> String {
    let budget = Budget::new(&ImportOptions::default(), text.len() as u64);
    if Json::parse(text.as_bytes(), &budget).is_ok() { text.to_owned() } else { String::new() }
}

fn write_model(
    to: &mut dyn Write,
    model: &Model,
    up_axis: UpAxisConversion,
    extensions: &dyn Fn(&NodeMap) -> GlbExtensions,
) -> Result<Deviation, BoxedError> {
    let groups = mesh_groups(model);
    let mut meshes = BTreeMap::new();
    for primitive in groups.iter().flat_map(|group| group.primitives(model)) {
        meshes.entry(primitive).or_insert_with(|| ExportMesh::new(&model.primitives()[primitive].mesh));
    }
    let mut document = Document::default();
    let Metadata { copyright, extras, joint_extras, .. } = model.metadata();
    document.root.asset.copyright.clone_from(copyright);
    document.root.asset.extras = valid_json(extras);
    let mut writer =
        MeshWriter { model, meshes: &meshes, materials: MaterialWriter::default(), written: HashMap::new() };
    let mut nodes = NodeBuilder::new(model, &groups);
    let mut map = NodeMap::default();
    for group in &groups {
        let mesh = writer.mesh(group, &mut document)?;
        let node = nodes.attach(group, mesh, &mut document);
        map.add(group.joint, node, mesh);
    }
    clips::write(model, &groups, nodes.group_nodes(), &mut document)?;
    nodes.finish(up_axis.rotation(model), &mut document);
    document.extensions = extensions(&map);
    // The first nodes are the joints.
    for (index, node) in document.root.nodes.iter_mut().enumerate() {
        node.extras = joint_extras.get(&index).map_or_else(String::new, |text| valid_json(text));
        node.extensions = document.extensions.nodes.remove(&index).unwrap_or_default();
    }
    document.write(to)?;
    deviation(model, &meshes)
}

/// Writes meshes, each once.
struct MeshWriter<'a> {
    model: &'a Model,
    /// The meshes of the model's primitives, by their index.
    meshes: &'a BTreeMap<usize, ExportMesh>,
    materials: MaterialWriter,
    /// The meshes that have been written, by their primitives and whether they are skinned.
    written: HashMap<(Vec<usize>, bool), usize>,
}

impl MeshWriter<'_> {
    /// Returns the index of a group's mesh, which is written on first use.
    fn mesh(&mut self, group: &MeshGroup, document: &mut Document) -> Result<usize, BoxedError> {
        let key = (group.primitives(self.model), group.skin.is_some());
        if let Some(&mesh) = self.written.get(&key) {
            return Ok(mesh);
        }
        let mut primitives = Vec::new();
        for &index in &key.0 {
            primitives.push(self.primitive(index, key.1, document)?);
        }
        let first = &self.model.primitives()[key.0[0]];
        let target_names: Vec<String> = first.mesh.morph_names().map(str::to_owned).collect();
        document.root.meshes.push(Mesh { name: first.name.clone(), primitives, target_names });
        self.written.insert(key, document.root.meshes.len() - 1);
        Ok(document.root.meshes.len() - 1)
    }

    fn primitive(
        &mut self,
        index: usize,
        skinned: bool,
        document: &mut Document,
    ) -> Result<Primitive, BoxedError> {
        let source = &self.model.primitives()[index];
        let mut primitive = self.meshes[&index].primitive(source, skinned, document)?;
        let material = |material| {
            self.materials.material(self.model, material, &texture_coordinate_sets(source), document)
        };
        primitive.material = source.material.map(material);
        Ok(primitive)
    }
}
