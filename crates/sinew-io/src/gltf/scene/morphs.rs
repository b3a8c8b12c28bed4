//! Morph targets: the weights of each node, and the deltas of each target.

use std::collections::BTreeMap;
use std::ops::Range;

use serde_json::Value;
use sinew::mesh::{Deltas, MorphSource};

use super::warning_count::{WarningCount, replace_unusable, usable};
use crate::gltf::document::{AccessorUse, Document};
use crate::gltf::json_memory;
use crate::gltf::schema::Node;
use crate::gltf::schema::mesh::{Mesh, Primitive};
use crate::{Error, Report};

/// The morph weights of a pose: those of each node whose mesh has targets, one node after the
/// other.
pub(super) struct WeightLayout {
    pub(super) at_rest: Vec<f32>,
    /// The range of each node's weights.
    pub(super) by_node: Vec<Range<usize>>,
}

/// Lays out the weights of all nodes. Checks every mesh, even if no node uses it.
pub(super) fn layout(document: &Document<'_>, report: &mut Report) -> Result<WeightLayout, Error> {
    let root = &document.root;
    let mut targets = Vec::with_capacity(root.meshes.len());
    for (index, mesh) in root.meshes.iter().enumerate() {
        targets.push(target_count(mesh, &format!("meshes[{index}]"))?);
    }
    let mut layout = WeightLayout { at_rest: Vec::new(), by_node: Vec::with_capacity(root.nodes.len()) };
    let mut not_finite = WarningCount::default();
    for (index, node) in root.nodes.iter().enumerate() {
        let count = node.mesh.map_or(0, |mesh| targets[mesh.value()]);
        let weights = node_weights(node, &root.meshes);
        if weights.is_some_and(|weights| weights.len() != count) {
            let found = weights.map_or(0, <[f32]>::len).to_string();
            return Err(Error::invalid(
                format!("nodes[{index}].weights"),
                format!("{count} weights, one for each morph target"),
                found,
            ));
        }
        // The skeleton and each pose have a list of this length.
        document.spend(count as u64 * 8, "nodes")?;
        let first = layout.at_rest.len();
        layout.at_rest.extend((0..count).map(|target| weights.map_or(0.0, |weights| weights[target])));
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
        report,
        "nodes",
        "the nodes with morph weights that are not finite",
        "they became zero",
    )?;
    Ok(layout)
}

/// The weights of the node, or else of its mesh; `None` for an empty list.
fn node_weights<'a>(node: &'a Node, meshes: &'a [Mesh]) -> Option<&'a [f32]> {
    let mesh_weights = || node.mesh.and_then(|mesh| meshes[mesh.value()].weights.as_deref());
    node.weights
        .as_deref()
        .filter(|weights| !weights.is_empty())
        .or_else(mesh_weights)
        .filter(|weights| !weights.is_empty())
}

/// The number of morph targets of a mesh, which all of its primitives must have.
fn target_count(mesh: &Mesh, location: &str) -> Result<usize, Error> {
    let Some(first) = mesh.primitives.first() else {
        return Err(Error::invalid(format!("{location}.primitives"), "one primitive or more", "none"));
    };
    let count = target_len(first);
    for (index, primitive) in mesh.primitives.iter().enumerate() {
        let found = target_len(primitive);
        if found != count {
            let expected = format!("{count} morph targets, as the first primitive has");
            return Err(Error::invalid(
                format!("{location}.primitives[{index}]"),
                expected,
                found.to_string(),
            ));
        }
    }
    match &mesh.weights {
        Some(weights) if !weights.is_empty() && weights.len() != count => Err(Error::invalid(
            format!("{location}.weights"),
            format!("{count} weights, one for each morph target"),
            weights.len().to_string(),
        )),
        _ => Ok(count),
    }
}

fn target_len(primitive: &Primitive) -> usize {
    primitive.targets.as_ref().map_or(0, Vec::len)
}

/// The deltas of a primitive's morph targets. Accessors that targets share are decoded once.
pub(super) struct Targets {
    arrays: BTreeMap<usize, Vec<[f32; 3]>>,
    /// The accessors of positions, normals and tangents of each target.
    targets: Vec<[Option<usize>; 3]>,
}

impl Targets {
    /// Decodes the targets of a primitive. `present` tells whether the primitive has positions,
    /// normals and tangents.
    pub(super) fn new(
        document: &Document<'_>,
        primitive: &Primitive,
        (vertices, present): (usize, [bool; 3]),
        location: &str,
        report: &mut Report,
    ) -> Result<Self, Error> {
        let mut decoded =
            Self { arrays: BTreeMap::new(), targets: Vec::with_capacity(target_len(primitive)) };
        let mut missing = WarningCount::default();
        for (index, target) in primitive.targets.iter().flatten().enumerate() {
            let accessors = [target.positions, target.normals, target.tangents];
            let mut kept = [None; 3];
            for (kind, accessor) in accessors.into_iter().enumerate() {
                let Some(accessor) = accessor.map(|accessor| accessor.value()) else { continue };
                decoded.decode(
                    document,
                    accessor,
                    vertices,
                    &format!("{location}.targets[{index}]"),
                    report,
                )?;
                kept[kind] = present[kind].then_some(accessor);
                if !present[kind] {
                    missing.add(index);
                }
            }
            decoded.targets.push(kept);
        }
        missing.warn(
            report,
            &format!("{location}.targets"),
            "the targets of normals or tangents that the primitive does not have",
            "these were ignored",
        )?;
        Ok(decoded)
    }

    fn decode(
        &mut self,
        document: &Document<'_>,
        accessor: usize,
        vertices: usize,
        location: &str,
        report: &mut Report,
    ) -> Result<(), Error> {
        if let Some(found) = self.arrays.get(&accessor) {
            // The mesh copies the deltas for each target.
            return document.spend(size_of_val(&found[..]) as u64, location);
        }
        let mut deltas = document.floats::<3>(accessor, AccessorUse::MorphDelta, location)?;
        if deltas.len() != vertices {
            let expected = format!("{vertices} elements, one for each vertex");
            return Err(Error::invalid(location, expected, deltas.len().to_string()));
        }
        let broken = replace_unusable(&mut deltas, 0.0);
        broken.warn(report, location, "the deltas with numbers that are not finite", "these became zero")?;
        self.arrays.insert(accessor, deltas);
        Ok(())
    }

    /// The targets in the form that a mesh is built from. Missing names are empty.
    pub(super) fn sources<'a>(&'a self, names: &'a [String]) -> Vec<MorphSource<'a>> {
        let deltas = |accessor: Option<usize>| match accessor.and_then(|accessor| self.arrays.get(&accessor))
        {
            Some(deltas) => Deltas::Dense(deltas),
            None => Deltas::None,
        };
        let source = |(index, target): (usize, &[Option<usize>; 3])| MorphSource {
            name: names.get(index).map_or("", String::as_str),
            positions: deltas(target[0]),
            normals: deltas(target[1]),
            tangents: deltas(target[2]),
        };
        self.targets.iter().enumerate().map(source).collect()
    }
}

/// The `targetNames` that exporters write to a mesh's extras, for as many targets as it has. Empty
/// if it is not a list.
pub(super) fn target_names(
    document: &Document<'_>,
    mesh: &Mesh,
    location: &str,
) -> Result<Vec<String>, Error> {
    let targets = mesh.primitives.first().map_or(0, target_len);
    let Some(extras) = mesh.extras.as_ref().filter(|_| targets > 0) else { return Ok(Vec::new()) };
    document.spend(json_memory::estimate(extras.get().as_bytes())?.values, location)?;
    let extras = serde_json::from_str::<Value>(extras.get()).ok();
    let list = extras.as_ref().and_then(|extras| extras.get("targetNames")).and_then(Value::as_array);
    let name = |name: &Value| name.as_str().unwrap_or_default().to_owned();
    Ok(list.into_iter().flatten().take(targets).map(name).collect())
}
