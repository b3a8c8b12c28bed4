//! What is there of the geometry: the meshes of the nodes in the scene.

use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use sinew::{Matrix, ModelSource, Part, Skin};

use super::drawn::Drawn;
use super::graph::Graph;
use super::meshes::{Hung, Which, surface};
use super::morphs::WeightLayout;
use super::tally::Tally;
use crate::gltf::document::Document;
use crate::gltf::schema::Node;
use crate::{Error, Report};

/// Adds parts, by rising node and primitive, with the surfaces and skins they need.
pub(super) fn add(
    document: &Document<'_>,
    graph: &Graph,
    weights: &WeightLayout,
    source: &mut ModelSource,
    report: &mut Report,
) -> Result<(), Error> {
    let mut parts = Parts { document, source, drawn: BTreeMap::new(), surfaces: BTreeMap::new() };
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
        let drawn = parts.drawn(mesh, report)?;
        if node.skin.is_none() && drawn.skinned {
            no_skin.add(index);
        }
        let (joint, weights) = (graph.joint(index), &weights.of_node[index]);
        parts.add_node(&Shown { index, node, mesh, drawn: &drawn, joint, weights }, report)?;
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
    drawn: &'a Drawn,
    joint: usize,
    weights: &'a Range<usize>,
}

/// What a surface is made for: a primitive, and the number of joints that its skin has, if it hangs on one.
type Made = (Which, Option<usize>);

struct Parts<'a, 'd> {
    document: &'a Document<'d>,
    source: &'a mut ModelSource,
    /// By mesh, for those that nodes so far have.
    drawn: BTreeMap<usize, Rc<Drawn>>,
    /// Surfaces that are there already.
    surfaces: BTreeMap<Made, usize>,
}

impl Parts<'_, '_> {
    fn drawn(&mut self, mesh: usize, report: &mut Report) -> Result<Rc<Drawn>, Error> {
        if let Some(drawn) = self.drawn.get(&mesh) {
            return Ok(Rc::clone(drawn));
        }
        let drawn = Rc::new(Drawn::new(self.document, mesh, report)?);
        self.drawn.insert(mesh, Rc::clone(&drawn));
        Ok(drawn)
    }

    fn add_node(&mut self, shown: &Shown<'_>, report: &mut Report) -> Result<(), Error> {
        let name = shown.node.name.as_deref().unwrap_or_default();
        let skin = match shown.node.skin {
            Some(skin) => {
                if let Some(bare) = shown.drawn.bare {
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
        for &primitive in &shown.drawn.primitives {
            let surface = self.surface(shown, primitive, skin, report)?;
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
        shown: &Shown<'_>,
        primitive: usize,
        skin: usize,
        report: &mut Report,
    ) -> Result<usize, Error> {
        let which = Which { mesh: shown.mesh, primitive };
        let skin = &self.source.skins[skin];
        let (made, hung) = match shown.node.skin.is_some() {
            true => ((which, Some(skin.len())), Hung::OnSkin(skin)),
            false => ((which, None), Hung::OnNode(skin)),
        };
        if let Some(&surface) = self.surfaces.get(&made) {
            return Ok(surface);
        }
        let surface = surface(self.document, which, hung, &shown.drawn.target_names, report)?;
        self.source.surfaces.push(surface);
        self.surfaces.insert(made, self.source.surfaces.len() - 1);
        Ok(self.source.surfaces.len() - 1)
    }
}
