//! Exports a whole model: joints, skins, meshes, morph targets and clips.

use std::collections::{BTreeMap, HashMap};
use std::io::Write;

use serde_json::value::RawValue;
use sinew::Model;
use sinew::model::Metadata;

use super::clips;
use super::deviation::{Deviation, deviation};
use super::document::Document;
use super::export_mesh::{ExportMesh, texture_coordinate_sets};
use super::materials::MaterialWriter;
use super::mesh_groups::{MeshGroup, mesh_groups};
use super::node_builder::NodeBuilder;
use super::schema::{Mesh, MeshExtras, Primitive};
use super::up_axis::UpAxisConversion;
use crate::Error;

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
    write_model(&mut to, model, up_axis)
}

fn write_model(to: &mut dyn Write, model: &Model, up_axis: UpAxisConversion) -> Result<Deviation, Error> {
    let groups = mesh_groups(model);
    let mut meshes = BTreeMap::new();
    for primitive in groups.iter().flat_map(|group| group.primitives(model)) {
        meshes.entry(primitive).or_insert_with(|| ExportMesh::new(&model.primitives()[primitive].mesh));
    }
    let mut document = Document::default();
    let Metadata { copyright, extras } = model.metadata();
    document.asset.copyright.clone_from(copyright);
    document.asset.extras = RawValue::from_string(extras.clone()).ok();
    let mut writer =
        MeshWriter { model, meshes: &meshes, materials: MaterialWriter::default(), written: HashMap::new() };
    let mut nodes = NodeBuilder::new(model, &groups);
    for group in &groups {
        let mesh = writer.mesh(group, &mut document)?;
        nodes.attach(group, mesh, &mut document);
    }
    clips::write(model, &groups, nodes.group_nodes(), &mut document)?;
    nodes.finish(up_axis.rotation(model), &mut document);
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
    fn mesh(&mut self, group: &MeshGroup, document: &mut Document) -> Result<usize, Error> {
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
        let extras = (!target_names.is_empty()).then_some(MeshExtras { target_names });
        document.meshes.push(Mesh { name: first.name.clone(), primitives, extras });
        self.written.insert(key, document.meshes.len() - 1);
        Ok(document.meshes.len() - 1)
    }

    fn primitive(
        &mut self,
        index: usize,
        skinned: bool,
        document: &mut Document,
    ) -> Result<Primitive, Error> {
        let source = &self.model.primitives()[index];
        let mut primitive = self.meshes[&index].primitive(source, skinned, document)?;
        let material = |material| {
            self.materials.material(self.model, material, &texture_coordinate_sets(source), document)
        };
        primitive.material = source.material.map(material);
        Ok(primitive)
    }
}
