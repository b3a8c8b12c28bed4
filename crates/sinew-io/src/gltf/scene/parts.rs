//! What is there of the geometry: the meshes of the nodes in the scene.

use std::collections::BTreeMap;
use std::ops::Range;

use gltf_json::Node;
use sinew::{Matrix, ModelSource, Part, Skin};

use super::graph::Graph;
use super::influences::has_joints;
use super::meshes::{Hung, Which, surface};
use super::morphs::WeightLayout;
use super::tally::Tally;
use crate::gltf::document::Document;
use crate::{Error, Report};

/// Adds parts, by rising node and primitive, with the surfaces and skins they need.
pub(super) fn add(
    document: &Document<'_>,
    graph: &Graph,
    weights: &WeightLayout,
    source: &mut ModelSource,
    report: &mut Report,
) -> Result<(), Error> {
    let mut parts = Parts { document, source, surfaces: BTreeMap::new() };
    let (mut no_skin, mut no_mesh) = (Tally::default(), Tally::default());
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
        if node.skin.is_none() && document.root.meshes[mesh].primitives.iter().any(has_joints) {
            no_skin.add(index);
        }
        let shown = Shown { index, node, mesh, joint: graph.joint(index), weights: &weights.of_node[index] };
        parts.add_node(&shown, report)?;
    }
    no_skin.note(
        report,
        "nodes",
        "the nodes with a skinned mesh and without a skin",
        "the mesh moves with its node",
    )?;
    no_mesh.note(report, "nodes", "the nodes with a skin and without a mesh", "the skin moves nothing")
}

/// A node with a mesh.
struct Shown<'a> {
    index: usize,
    node: &'a Node,
    mesh: usize,
    joint: usize,
    weights: &'a Range<usize>,
}

/// What a surface is made for: a primitive, and the number of joints that its skin has, if it hangs on one.
type Made = (Which, Option<usize>);

struct Parts<'a, 'd> {
    document: &'a Document<'d>,
    source: &'a mut ModelSource,
    /// Surfaces that are there already; `None` for primitives that make none.
    surfaces: BTreeMap<Made, Option<usize>>,
}

impl Parts<'_, '_> {
    fn add_node(&mut self, shown: &Shown<'_>, report: &mut Report) -> Result<(), Error> {
        let primitives = &self.document.root.meshes[shown.mesh].primitives;
        let name = shown.node.name.as_deref().unwrap_or_default();
        let skin = match shown.node.skin {
            Some(skin) => {
                if let Some(bare) = primitives.iter().position(|primitive| !has_joints(primitive)) {
                    return Err(Error::fault(
                        format!("nodes[{}].skin", shown.index),
                        "joints in all primitives of the mesh",
                        format!("none in meshes[{}].primitives[{bare}]", shown.mesh),
                    ));
                }
                skin.value()
            }
            None => self.own_skin(shown)?,
        };
        for primitive in 0..primitives.len() {
            let which = Which { mesh: shown.mesh, primitive };
            let skinned = shown.node.skin.is_some();
            let Some(surface) = self.surface(which, skin, skinned, report)? else { continue };
            let bytes = (size_of::<Part>() + name.len()) as u64;
            self.document.spend(bytes, "nodes")?;
            self.source.parts.push(Part {
                name: name.to_owned(),
                joint: shown.joint,
                surface,
                skin,
                morph_weights: shown.weights.clone(),
            });
        }
        Ok(())
    }

    /// A skin of one joint, the node's, for a mesh that no skin of the document moves.
    fn own_skin(&mut self, shown: &Shown<'_>) -> Result<usize, Error> {
        let skin = Skin::with_inverse_binds(&self.source.skeleton, &[shown.joint], &[Matrix::IDENTITY]);
        self.source.skins.push(skin.map_err(|error| Error::model(format!("nodes[{}]", shown.index), error))?);
        Ok(self.source.skins.len() - 1)
    }

    /// The surface of a primitive, made when it is first asked for.
    fn surface(
        &mut self,
        which: Which,
        skin: usize,
        skinned: bool,
        report: &mut Report,
    ) -> Result<Option<usize>, Error> {
        let skin = &self.source.skins[skin];
        let (made, hung) = match skinned {
            true => ((which, Some(skin.len())), Hung::OnSkin(skin)),
            false => ((which, None), Hung::OnNode(skin)),
        };
        if let Some(&surface) = self.surfaces.get(&made) {
            return Ok(surface);
        }
        let found = surface(self.document, which, hung, report)?;
        let index = found.map(|surface| {
            self.source.surfaces.push(surface);
            self.source.surfaces.len() - 1
        });
        self.surfaces.insert(made, index);
        Ok(index)
    }
}
