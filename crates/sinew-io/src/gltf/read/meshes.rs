//! Reads meshes. Those that no shown node has are checked, but not decoded.

use super::primitives;
use crate::error::BoxedError as Error;
use crate::gltf::document::Document;
use crate::gltf::schema::mesh::{Mesh, Primitive, Semantic};
use crate::scene::Graph;
use crate::{RawMesh, RawMorphTarget, RawNode, RawPrimitive, Report};

/// All meshes without their vertices, with as many targets as they have.
pub(super) fn outlines<'b>(document: &Document<'_, 'b>) -> Result<Vec<RawMesh<'b>>, Error> {
    let mut meshes = Vec::with_capacity(document.root.meshes.len());
    for (index, mesh) in document.root.meshes.iter().enumerate() {
        let location = format!("meshes[{index}]");
        if mesh.primitives.is_empty() {
            return Err(Error::invalid(format!("{location}.primitives"), "one primitive or more", "none"));
        }
        let targets = mesh.primitives.iter().map(target_len).sum::<usize>();
        document.spend((targets * size_of::<RawMorphTarget>()) as u64, &location)?;
        let primitive = |(index, primitive): (usize, &Primitive)| RawPrimitive {
            location: format!("{location}.primitives[{index}]"),
            targets: vec![RawMorphTarget::default(); target_len(primitive)],
            ..RawPrimitive::default()
        };
        meshes.push(RawMesh {
            name: mesh.name.clone(),
            primitives: mesh.primitives.iter().enumerate().map(primitive).collect(),
            morph_weights: mesh.weights.clone(),
            location,
            ..RawMesh::default()
        });
    }
    Ok(meshes)
}

/// Decodes the meshes of the nodes that are shown, and drops primitives without positions.
pub(super) fn decode<'b>(
    document: &Document<'_, 'b>,
    (graph, nodes): (&Graph, &[RawNode]),
    meshes: &mut [RawMesh<'b>],
    report: &mut Report,
) -> Result<(), Error> {
    let shown = || {
        let shown = nodes.iter().enumerate().filter(|&(index, _)| graph.is_shown(index));
        shown.filter_map(|(_, node)| node.mesh.map(|mesh| (node, mesh)))
    };
    let mut skinned = vec![false; meshes.len()];
    for (node, mesh) in shown() {
        skinned[mesh] |= node.skin.is_some();
    }
    let mut decoded = vec![false; meshes.len()];
    for (_, mesh) in shown() {
        if std::mem::replace(&mut decoded[mesh], true) {
            continue;
        }
        let source = &document.root.meshes[mesh];
        let raw = &mut meshes[mesh];
        raw.target_names = target_names(document, source, &raw.location)?;
        let mut primitives = Vec::with_capacity(source.primitives.len());
        for (source, outline) in source.primitives.iter().zip(&raw.primitives) {
            if source.attributes.contains_key(&Semantic::Positions) {
                let location = &outline.location;
                primitives.push(primitives::primitive(document, source, skinned[mesh], location, report)?);
            } else {
                report.warn(&outline.location, "no positions", "it was ignored")?;
            }
        }
        raw.primitives = primitives;
    }
    Ok(())
}

fn target_len(primitive: &Primitive) -> usize {
    primitive.targets.len()
}

/// The `targetNames` that exporters write to a mesh's extras, for as many targets as it has. Empty
/// if it is not a list.
fn target_names(document: &Document<'_, '_>, mesh: &Mesh<'_>, location: &str) -> Result<Vec<String>, Error> {
    let targets = mesh.primitives.first().map_or(0, target_len);
    let list = mesh.extras.and_then(|extras| extras.get("targetNames")?.items().ok());
    let Some(list) = list.filter(|_| targets > 0) else { return Ok(Vec::new()) };
    document.spend((targets * size_of::<String>()) as u64, location)?;
    Ok(list.take(targets).map(|name| name.string().unwrap_or_default()).collect())
}
