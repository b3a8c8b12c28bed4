//! Morph targets: the weights of each node, and the deltas of each target.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use sinew::mesh::{Deltas, MorphSource};

use super::context::ImportContext;
use super::raw_scene::{RawMesh, RawMorphTarget, RawPrimitive, RawScene};
use super::warning_count::{WarningCount, replace_unusable, usable};
use crate::Report;
use crate::error::BoxedError as Error;

/// The morph weights of a pose: those of each node whose mesh has targets, one node after the
/// other.
pub(super) struct WeightLayout {
    pub(super) at_rest: Vec<f32>,
    /// The range of each node's weights.
    pub(super) by_node: Vec<Range<usize>>,
}

/// Lays out the weights of all nodes. Checks every mesh, even if no node uses it.
pub(super) fn layout(scene: &RawScene<'_>, context: &mut ImportContext<'_>) -> Result<WeightLayout, Error> {
    let mut targets = Vec::with_capacity(scene.meshes.len());
    for mesh in &scene.meshes {
        targets.push(target_count(mesh)?);
    }
    let mut layout = WeightLayout { at_rest: Vec::new(), by_node: Vec::with_capacity(scene.nodes.len()) };
    let mut not_finite = WarningCount::default();
    for (index, node) in scene.nodes.iter().enumerate() {
        let mesh = match node.mesh {
            Some(mesh) if mesh >= scene.meshes.len() => {
                let expected = format!("one of {} meshes", scene.meshes.len());
                return Err(Error::invalid(format!("nodes[{index}].mesh"), expected, mesh.to_string()));
            }
            mesh => mesh,
        };
        let count = mesh.map_or(0, |mesh| targets[mesh]);
        let mesh_weights = mesh.map_or(&[][..], |mesh| &scene.meshes[mesh].morph_weights);
        let weights = if node.morph_weights.is_empty() { mesh_weights } else { &node.morph_weights[..] };
        if !weights.is_empty() && weights.len() != count {
            return Err(Error::invalid(
                format!("nodes[{index}].weights"),
                format!("{count} weights, one for each morph target"),
                weights.len().to_string(),
            ));
        }
        // The skeleton and each pose have a list of this length.
        context.spend(count as u64 * 8, "nodes")?;
        let first = layout.at_rest.len();
        layout.at_rest.extend((0..count).map(|target| weights.get(target).copied().unwrap_or(0.0)));
        let mut broken = false;
        for weight in layout.at_rest[first..].iter_mut().filter(|weight| !usable(**weight)) {
            *weight = 0.0;
            broken = true;
        }
        if broken {
            not_finite.add(index);
        }
        layout.by_node.push(first..layout.at_rest.len());
    }
    not_finite.warn(
        context.report,
        "nodes",
        "the nodes with morph weights that are not finite",
        "they became zero",
    )?;
    Ok(layout)
}

/// The number of morph targets of a mesh, which all of its primitives must have.
fn target_count(mesh: &RawMesh<'_>) -> Result<usize, Error> {
    let count = mesh.primitives.first().map_or(0, |primitive| primitive.targets.len());
    for primitive in &mesh.primitives {
        if primitive.targets.len() != count {
            let expected = format!("{count} morph targets, as the first primitive has");
            return Err(Error::invalid(&primitive.location, expected, primitive.targets.len().to_string()));
        }
    }
    if mesh.morph_weights.is_empty() || mesh.morph_weights.len() == count {
        return Ok(count);
    }
    Err(Error::invalid(
        format!("{}.weights", mesh.location),
        format!("{count} weights, one for each morph target"),
        mesh.morph_weights.len().to_string(),
    ))
}

/// Checks the deltas of a primitive's targets and repairs them. `present` tells whether the
/// primitive has positions, normals and tangents.
pub(super) fn repair(
    primitive: &mut RawPrimitive<'_>,
    present: [bool; 3],
    context: &mut ImportContext<'_>,
) -> Result<(), Error> {
    let RawPrimitive { targets, positions, location, .. } = primitive;
    let mut missing = WarningCount::default();
    for (index, target) in targets.iter_mut().enumerate() {
        let location = || format!("{location}.targets[{index}]");
        let RawMorphTarget { positions: of_positions, normals, tangents } = target;
        for (deltas, present) in [of_positions, normals, tangents].into_iter().zip(present) {
            let Some(found) = deltas else { continue };
            if found.len() != positions.len() {
                let expected = format!("{} elements, one for each vertex", positions.len());
                return Err(Error::invalid(location(), expected, found.len().to_string()));
            }
            if present {
                repair_deltas(found, &location(), context.report)?;
            } else {
                *deltas = None;
                missing.add(index);
            }
        }
    }
    missing.warn(
        context.report,
        format_args!("{location}.targets"),
        "the targets of normals or tangents that the primitive does not have",
        "these were ignored",
    )
}

/// Copies an array only if it needs a repair, since targets may share it.
fn repair_deltas(
    deltas: &mut Arc<Cow<'_, [[f32; 3]]>>,
    location: &str,
    report: &mut Report,
) -> Result<(), Error> {
    if deltas.as_flattened().iter().all(|&number| usable(number)) {
        return Ok(());
    }
    let broken = replace_unusable(Arc::make_mut(deltas), 0.0);
    broken.warn(report, location, "the deltas with numbers that are not finite", "these became zero")
}

/// The targets in the form that a mesh is built from. Missing names are empty.
pub(super) fn sources<'a>(targets: &'a [RawMorphTarget<'_>], names: &'a [String]) -> Vec<MorphSource<'a>> {
    let source = |(index, target): (usize, &'a RawMorphTarget<'_>)| MorphSource {
        name: names.get(index).map_or("", String::as_str),
        positions: deltas(&target.positions),
        normals: deltas(&target.normals),
        tangents: deltas(&target.tangents),
    };
    targets.iter().enumerate().map(source).collect()
}

fn deltas<'a>(found: &'a Option<Arc<Cow<'_, [[f32; 3]]>>>) -> Deltas<'a> {
    match found {
        Some(deltas) => Deltas::Dense(deltas),
        None => Deltas::None,
    }
}
