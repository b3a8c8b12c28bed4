//! Morph targets: which weights of a pose move which node's mesh, and what each target adds.

use std::collections::BTreeMap;
use std::ops::Range;

use serde_json::Value;
use sinew::{Deltas, MorphSource};

use super::tally::{Tally, replace_unusable, usable};
use crate::gltf::document::{Document, Use};
use crate::gltf::schema::Node;
use crate::gltf::schema::mesh::{Mesh, Primitive};
use crate::gltf::tree;
use crate::{Error, Report};

/// The morph weights of a pose: those of each node that has a mesh with targets, one after the other.
pub(super) struct WeightLayout {
    pub(super) at_rest: Vec<f32>,
    /// For each node.
    pub(super) of_node: Vec<Range<usize>>,
}

/// Lays out the weights of all nodes. Checks every mesh on the way, whether a node has it or not.
pub(super) fn layout(document: &Document<'_>, report: &mut Report) -> Result<WeightLayout, Error> {
    let root = &document.root;
    let mut targets = Vec::with_capacity(root.meshes.len());
    for (index, mesh) in root.meshes.iter().enumerate() {
        targets.push(target_count(mesh, &format!("meshes[{index}]"))?);
    }
    let mut layout = WeightLayout { at_rest: Vec::new(), of_node: Vec::with_capacity(root.nodes.len()) };
    let mut not_finite = Tally::default();
    for (index, node) in root.nodes.iter().enumerate() {
        let count = node.mesh.map_or(0, |mesh| targets[mesh.value()]);
        let weights = weights_of(node, &root.meshes);
        if weights.is_some_and(|weights| weights.len() != count) {
            let found = weights.map_or(0, <[f32]>::len).to_string();
            return Err(Error::fault(
                format!("nodes[{index}].weights"),
                format!("{count} weights, one for each morph target"),
                found,
            ));
        }
        // A few lists of this length are made: the skeleton's, and a pose's.
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
        layout.of_node.push(first..layout.at_rest.len());
    }
    not_finite.note(
        report,
        "nodes",
        "the nodes with morph weights that are not finite",
        "they became zero",
    )?;
    Ok(layout)
}

/// The node's own, else its mesh's. An empty list is none.
fn weights_of<'a>(node: &'a Node, meshes: &'a [Mesh]) -> Option<&'a [f32]> {
    let of_mesh = || node.mesh.and_then(|mesh| meshes[mesh.value()].weights.as_deref());
    node.weights
        .as_deref()
        .filter(|weights| !weights.is_empty())
        .or_else(of_mesh)
        .filter(|weights| !weights.is_empty())
}

/// How many targets each of the mesh's primitives has.
fn target_count(mesh: &Mesh, place: &str) -> Result<usize, Error> {
    let Some(first) = mesh.primitives.first() else {
        return Err(Error::fault(format!("{place}.primitives"), "one primitive or more", "none"));
    };
    let count = targets_of(first);
    for (index, primitive) in mesh.primitives.iter().enumerate() {
        let found = targets_of(primitive);
        if found != count {
            let expected = format!("{count} morph targets, as the first primitive has");
            return Err(Error::fault(format!("{place}.primitives[{index}]"), expected, found.to_string()));
        }
    }
    match &mesh.weights {
        Some(weights) if !weights.is_empty() && weights.len() != count => Err(Error::fault(
            format!("{place}.weights"),
            format!("{count} weights, one for each morph target"),
            weights.len().to_string(),
        )),
        _ => Ok(count),
    }
}

fn targets_of(primitive: &Primitive) -> usize {
    primitive.targets.as_ref().map_or(0, Vec::len)
}

/// What a primitive's targets add, decoded: accessors that several share are there once.
pub(super) struct Targets {
    arrays: BTreeMap<usize, Vec<[f32; 3]>>,
    /// Accessors of positions, normals and tangents of each target.
    targets: Vec<[Option<usize>; 3]>,
}

impl Targets {
    /// Decodes the targets of a primitive. `there` says whether it has positions, normals and tangents.
    pub(super) fn new(
        document: &Document<'_>,
        primitive: &Primitive,
        (vertices, there): (usize, [bool; 3]),
        place: &str,
        report: &mut Report,
    ) -> Result<Self, Error> {
        let mut decoded =
            Self { arrays: BTreeMap::new(), targets: Vec::with_capacity(targets_of(primitive)) };
        let mut missing = Tally::default();
        for (index, target) in primitive.targets.iter().flatten().enumerate() {
            let accessors = [target.positions, target.normals, target.tangents];
            let mut kept = [None; 3];
            for (kind, accessor) in accessors.into_iter().enumerate() {
                let Some(accessor) = accessor.map(|accessor| accessor.value()) else { continue };
                decoded.decode(document, accessor, vertices, &format!("{place}.targets[{index}]"), report)?;
                kept[kind] = there[kind].then_some(accessor);
                if !there[kind] {
                    missing.add(index);
                }
            }
            decoded.targets.push(kept);
        }
        missing.note(
            report,
            &format!("{place}.targets"),
            "the targets of normals or tangents that the primitive does not have",
            "those were left out",
        )?;
        Ok(decoded)
    }

    fn decode(
        &mut self,
        document: &Document<'_>,
        accessor: usize,
        vertices: usize,
        place: &str,
        report: &mut Report,
    ) -> Result<(), Error> {
        if let Some(found) = self.arrays.get(&accessor) {
            // The mesh keeps deltas of its own for every target.
            return document.spend(size_of_val(&found[..]) as u64, place);
        }
        let mut deltas = document.floats::<3>(accessor, Use::MorphDelta, place)?;
        if deltas.len() != vertices {
            let expected = format!("{vertices} elements, one for each vertex");
            return Err(Error::fault(place, expected, deltas.len().to_string()));
        }
        let broken = replace_unusable(&mut deltas, 0.0);
        broken.note(report, place, "the deltas with numbers that are not finite", "these became zero")?;
        self.arrays.insert(accessor, deltas);
        Ok(())
    }

    /// The targets as a mesh takes them. Names that are not there are empty.
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

/// What exporters write as `targetNames` beside a mesh, for as many targets as it has; none where it is anything but a
/// list of words.
pub(super) fn names(document: &Document<'_>, mesh: &Mesh, place: &str) -> Result<Vec<String>, Error> {
    let targets = mesh.primitives.first().map_or(0, targets_of);
    let Some(extras) = mesh.extras.as_ref().filter(|_| targets > 0) else { return Ok(Vec::new()) };
    document.spend(tree::measure(extras.get().as_bytes())?.loose, place)?;
    let extras = serde_json::from_str::<Value>(extras.get()).ok();
    let list = extras.as_ref().and_then(|extras| extras.get("targetNames")).and_then(Value::as_array);
    let name = |name: &Value| name.as_str().unwrap_or_default().to_owned();
    Ok(list.into_iter().flatten().take(targets).map(name).collect())
}
