//! Reads the VRM extensions of a document.

use std::collections::BTreeMap;

use sinew::JointId;

use super::vrm::{Vrm, VrmVersion};
use crate::error::BoxedError as Error;
use crate::gltf::Root;
use crate::json::{Field, Json, Value};
use crate::scene::{Budget, WarningCount};
use crate::{ImportOptions, Report};

/// The extensions that are read.
pub(crate) const EXTENSIONS: [&str; 6] = [
    "VRM",
    "VRMC_vrm",
    "VRMC_springBone",
    "VRMC_springBone_extended_collider",
    "VRMC_node_constraint",
    "VRMC_vrm_animation",
];

/// The VRM data of a document; `None` if it has none. What is not kept is added to `dropped`.
pub(crate) fn read(
    root: &Root<'_>,
    dropped: &mut Vec<String>,
    report: &mut Report,
) -> Result<Option<Vrm>, Error> {
    let mut reader = VrmReader::new(root);
    let extension = |name: &str| root.extensions.and_then(|extensions| extensions.get(name));
    let mut vrm = Vrm::default();
    let mut found = false;
    // A file for both versions of VRM is read as the newer one.
    if let Some(avatar) = extension("VRMC_vrm") {
        reader.avatar_1(avatar, &mut vrm)?;
        found = true;
    } else if let Some(avatar) = extension("VRM") {
        reader.avatar_0(avatar, &mut vrm)?;
        found = true;
    }
    // Springs of VRM 0.x are in its own extension.
    if let Some(springs) = extension("VRMC_springBone").filter(|_| vrm.version != VrmVersion::V0) {
        reader.springs_1(springs, &mut vrm)?;
        found = true;
    }
    if let Some(animation) = extension("VRMC_vrm_animation") {
        vrm.animation = Some(reader.animation(animation)?);
        found = true;
    }
    for (node, source) in root.nodes.iter().enumerate() {
        let constraint = source.extensions.and_then(|extensions| extensions.get("VRMC_node_constraint"));
        if let Some(constraint) = constraint {
            vrm.constraints.extend(reader.constraint(JointId::new(node), constraint)?);
            found = true;
        }
    }
    dropped.append(&mut reader.dropped);
    reader.no_target.warn(report, "expressions", "the binds without a morph target", "they were ignored")?;
    Ok(found.then_some(vrm))
}

/// What the readers of both versions share.
pub(super) struct VrmReader<'a, 'd> {
    pub(super) root: &'a Root<'d>,
    /// The binds that name no morph target.
    pub(super) no_target: WarningCount,
    /// The number of binds so far.
    pub(super) binds: usize,
    pub(super) dropped: Vec<String>,
    /// The nodes of each mesh, for VRM 0.x.
    pub(super) nodes_of_mesh: Vec<Vec<usize>>,
}

impl<'a, 'd> VrmReader<'a, 'd> {
    fn new(root: &'a Root<'d>) -> Self {
        Self {
            root,
            no_target: WarningCount::default(),
            binds: 0,
            dropped: Vec::new(),
            nodes_of_mesh: Vec::new(),
        }
    }

    /// The index of a node.
    pub(super) fn node(&self, value: Value<'_>) -> Result<JointId, Error> {
        let nodes = self.root.nodes.len();
        index_below(value, nodes, "nodes").map(JointId::new)
    }

    /// The number of morph targets of a node's mesh.
    pub(super) fn targets(&self, node: usize) -> usize {
        let mesh = self.root.nodes[node].mesh.map(|mesh| &self.root.meshes[mesh.value()]);
        mesh.and_then(|mesh| mesh.primitives.first()).map_or(0, |primitive| primitive.targets.len())
    }

    /// Notes what a field has that is not kept.
    pub(super) fn drop_field(&mut self, field: Field<'_>, what: &str) {
        let is_empty = |value: Value<'_>| value.items().is_ok_and(|mut items| items.next().is_none());
        if field.some().is_some_and(|value| !is_empty(value))
            && !self.dropped.iter().any(|known| known == what)
        {
            self.dropped.push(what.to_owned());
        }
    }
}

/// An index of an array.
pub(super) fn index_below(value: Value<'_>, len: usize, array: &str) -> Result<usize, Error> {
    let index = value.u64().ok().and_then(|index| usize::try_from(index).ok());
    index.filter(|&index| index < len).ok_or_else(|| value.error(&format!("one of {len} {array}")))
}

/// A finite number.
pub(super) fn number_or(field: Field<'_>, default: f32) -> Result<f32, Error> {
    let number = field.some().map_or(Ok(default), Value::f32)?;
    finite(field, number)
}

/// Finite numbers.
pub(super) fn vector_or(field: Field<'_>, default: [f32; 3]) -> Result<[f32; 3], Error> {
    let vector = field.some().map_or(Ok(default), Value::numbers)?;
    vector.iter().try_for_each(|&number| finite(field, number).map(drop))?;
    Ok(vector)
}

fn finite(field: Field<'_>, number: f32) -> Result<f32, Error> {
    match field.some() {
        Some(value) if !number.is_finite() => Err(value.error("numbers of 32 bits")),
        _ => Ok(number),
    }
}

/// The JSON of each field of an object but one, which is an index of an image.
pub(super) fn meta(value: Value<'_>, thumbnail: &str) -> Result<BTreeMap<String, String>, Error> {
    let mut meta = BTreeMap::new();
    for (name, value) in value.entries()? {
        let name = name.string()?;
        if name != thumbnail {
            meta.insert(name, value.text().to_owned());
        }
    }
    Ok(meta)
}

/// The value of JSON text that is a string.
pub(super) fn text_of_json(text: &str) -> Option<String> {
    let budget = Budget::new(&ImportOptions::default(), text.len() as u64);
    let json = Json::parse(text.as_bytes(), &budget).ok()?;
    json.root().string().ok()
}
