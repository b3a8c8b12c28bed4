//! All of a model: joints, skins, meshes, morph targets and clips.

use std::collections::{BTreeMap, HashMap};
use std::io::Write;

use sinew::Model;

use super::attach::{Attached, attached};
use super::clips;
use super::deviation::{Deviation, deviation};
use super::document::{Document, Turn};
use super::hang::Hanging;
use super::look::Look;
use super::schema::{Mesh, MeshExtras, Primitive};
use super::surface::{Written, sets_of};
use crate::Error;

/// Writes all of a model as GLB: every joint as a node, skins, meshes with any number of influences, morph targets,
/// clips, materials and pictures. Gives how far a reader's vertices are from the model's, over all keys of all clips:
/// glTF has one position for each vertex and weights of a sum of one, a model from MD5 need not.
///
/// A mesh that a skin moves has a node of its own beside the joints, as the format advises, unless its joint is a root
/// that does nothing else. Surfaces that no part has are left out, as are pictures that are neither PNG nor JPEG.
///
/// # Errors
///
/// When a skin has more joints than the format can count, the file would be larger than it allows, or the system cannot
/// write.
pub fn write_model_glb(mut to: impl Write, model: &Model, turn: Turn) -> Result<Deviation, Error> {
    let groups = attached(model);
    let mut surfaces = BTreeMap::new();
    for surface in groups.iter().flat_map(|group| group.surfaces(model)) {
        surfaces.entry(surface).or_insert_with(|| Written::new(&model.surfaces()[surface].mesh));
    }
    let mut document = Document::default();
    let mut meshes = Meshes { model, surfaces: &surfaces, look: Look::default(), written: HashMap::new() };
    let mut hanging = Hanging::new(model, &groups);
    for group in &groups {
        let mesh = meshes.mesh(group, &mut document)?;
        hanging.attach(group, mesh, &mut document);
    }
    clips::write(model, &groups, hanging.nodes_of_groups(), &mut document)?;
    hanging.finish(turn.rotation(model), &mut document);
    document.write(&mut to)?;
    deviation(model, &surfaces)
}

/// The meshes that are written.
struct Meshes<'a> {
    model: &'a Model,
    surfaces: &'a BTreeMap<usize, Written>,
    look: Look,
    /// By surfaces, and whether a skin moves them.
    written: HashMap<(Vec<usize>, bool), usize>,
}

impl Meshes<'_> {
    /// The number of the mesh that parts have together.
    fn mesh(&mut self, group: &Attached, document: &mut Document) -> Result<usize, Error> {
        let key = (group.surfaces(self.model), group.skin.is_some());
        if let Some(&mesh) = self.written.get(&key) {
            return Ok(mesh);
        }
        let mut primitives = Vec::new();
        for &surface in &key.0 {
            primitives.push(self.primitive(surface, key.1, document)?);
        }
        let first = &self.model.surfaces()[key.0[0]];
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
        let surface = &self.model.surfaces()[index];
        let mut primitive = self.surfaces[&index].primitive(surface, skinned, document)?;
        let material = |material| self.look.material(self.model, material, &sets_of(surface), document);
        primitive.material = surface.material.map(material);
        Ok(primitive)
    }
}
