//! What nodes ask of all primitives of a mesh, found once however many nodes have the mesh.

use super::influences::has_joints;
use super::morphs;
use crate::gltf::document::Document;
use crate::gltf::schema::mesh::{Primitive, Semantic};
use crate::{Error, Report};

/// The primitives of a mesh.
pub(super) struct Drawn {
    /// Those with positions, by number: each makes a surface.
    pub(super) primitives: Vec<usize>,
    /// The first without joints.
    pub(super) bare: Option<usize>,
    /// Whether any has joints.
    pub(super) skinned: bool,
    /// The names of the mesh's morph targets, as far as it has them.
    pub(super) target_names: Vec<String>,
}

impl Drawn {
    /// Looks at all primitives, and notes those that are left out.
    pub(super) fn new(document: &Document<'_>, mesh: usize, report: &mut Report) -> Result<Self, Error> {
        let source = &document.root.meshes[mesh];
        let mut primitives = Vec::new();
        for (index, primitive) in source.primitives.iter().enumerate() {
            if has_positions(primitive) {
                primitives.push(index);
            } else {
                let place = format!("meshes[{mesh}].primitives[{index}]");
                report.note(place, "no positions", "it was left out")?;
            }
        }
        Ok(Self {
            primitives,
            bare: source.primitives.iter().position(|primitive| !has_joints(primitive)),
            skinned: source.primitives.iter().any(has_joints),
            target_names: morphs::names(document, source, &format!("meshes[{mesh}].extras"))?,
        })
    }
}

fn has_positions(primitive: &Primitive) -> bool {
    primitive.attributes.contains_key(&Semantic::Positions)
}
