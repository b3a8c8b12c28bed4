//! Facts about all primitives of a mesh, found once for all nodes with the mesh.

use super::influences::has_joints;
use super::morphs;
use crate::gltf::document::Document;
use crate::gltf::schema::mesh::{Primitive, Semantic};
use crate::{Error, Report};

/// Facts about the primitives of a mesh.
pub(super) struct MeshInfo {
    /// The indices of primitives with positions. Each becomes a primitive of the model.
    pub(super) primitives: Vec<usize>,
    /// The first primitive without joints.
    pub(super) first_without_joints: Option<usize>,
    /// Whether any primitive has joints.
    pub(super) skinned: bool,
    /// The names of the mesh's morph targets, as far as the document has them.
    pub(super) target_names: Vec<String>,
}

impl MeshInfo {
    /// Inspects all primitives, and warns of those that are ignored.
    pub(super) fn new(document: &Document<'_>, mesh: usize, report: &mut Report) -> Result<Self, Error> {
        let source = &document.root.meshes[mesh];
        let mut primitives = Vec::new();
        for (index, primitive) in source.primitives.iter().enumerate() {
            if has_positions(primitive) {
                primitives.push(index);
            } else {
                let location = format!("meshes[{mesh}].primitives[{index}]");
                report.warn(location, "no positions", "it was ignored")?;
            }
        }
        Ok(Self {
            primitives,
            first_without_joints: source.primitives.iter().position(|primitive| !has_joints(primitive)),
            skinned: source.primitives.iter().any(has_joints),
            target_names: morphs::target_names(document, source, &format!("meshes[{mesh}].extras"))?,
        })
    }
}

fn has_positions(primitive: &Primitive) -> bool {
    primitive.attributes.contains_key(&Semantic::Positions)
}
