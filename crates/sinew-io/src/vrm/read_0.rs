//! Reads VRM 0.x. Names become those of VRM 1.0, and vectors those of glTF.

use sinew::JointId;

use super::human_bone::HumanBone;
use super::read::{VrmReader, index_below, meta, number_or};
use super::vrm::{
    ColliderShape, MorphBind, Vrm, VrmCollider, VrmColliderGroup, VrmExpression, VrmSpring, VrmSpringJoint,
    VrmVersion,
};
use crate::error::BoxedError as Error;
use crate::json::{Field, Value};

/// The presets of VRM 0.x, with the names of VRM 1.0.
pub(super) const PRESETS: [(&str, &str); 17] = [
    ("neutral", "neutral"),
    ("a", "aa"),
    ("i", "ih"),
    ("u", "ou"),
    ("e", "ee"),
    ("o", "oh"),
    ("blink", "blink"),
    ("joy", "happy"),
    ("angry", "angry"),
    ("sorrow", "sad"),
    ("fun", "relaxed"),
    ("lookup", "lookUp"),
    ("lookdown", "lookDown"),
    ("lookleft", "lookLeft"),
    ("lookright", "lookRight"),
    ("blink_l", "blinkLeft"),
    ("blink_r", "blinkRight"),
];

impl VrmReader<'_, '_> {
    /// Reads the extension `VRM`.
    pub(super) fn avatar_0(&mut self, value: Value<'_>, vrm: &mut Vrm) -> Result<(), Error> {
        vrm.version = VrmVersion::V0;
        self.nodes_of_mesh = vec![Vec::new(); self.root.meshes.len()];
        for (node, found) in self.root.nodes.iter().enumerate() {
            if let Some(mesh) = found.mesh {
                self.nodes_of_mesh[mesh.value()].push(node);
            }
        }
        let [meta_field, humanoid, first_person, expressions, springs] =
            value.fields(&["meta", "humanoid", "firstPerson", "blendShapeMaster", "secondaryAnimation"])?;
        if let Some(found) = meta_field.some() {
            vrm.meta = meta(found, "texture")?;
            let [thumbnail] = found.fields(&["texture"])?;
            if thumbnail.some().is_some_and(|index| index.u64().is_ok()) {
                self.drop_field(thumbnail, "the VRM thumbnail");
            }
        }
        self.drop_field(first_person, "first person and look at of VRM 0.x");
        if let Some(humanoid) = humanoid.some() {
            let [bones] = humanoid.fields(&["humanBones"])?;
            for bone in bones.some_array(Ok)? {
                let [name, node] = bone.fields(&["bone", "node"])?;
                let name = name.required()?;
                let Some(known) = HumanBone::from_name_0(&name.str()?) else { continue };
                let Some(node) = self.node_0(node)? else { continue };
                if vrm.humanoid.insert(known, node).is_some() {
                    return Err(name.error("each bone once"));
                }
            }
        }
        if let Some(expressions) = expressions.some() {
            let [groups] = expressions.fields(&["blendShapeGroups"])?;
            for group in groups.some_array(Ok)? {
                let expression = self.expression_0(group)?;
                vrm.expressions.push(expression);
            }
        }
        match springs.some() {
            Some(springs) => self.springs_0(springs, vrm),
            None => Ok(()),
        }
    }

    /// A node; `None` for a missing or negative index.
    fn node_0(&self, field: Field<'_>) -> Result<Option<JointId>, Error> {
        match field.some() {
            Some(node) if node.f64()? >= 0.0 => self.node(node).map(Some),
            _ => Ok(None),
        }
    }

    fn expression_0(&mut self, value: Value<'_>) -> Result<VrmExpression, Error> {
        let [name, preset, binds, materials, binary] =
            value.fields(&["name", "presetName", "binds", "materialValues", "isBinary"])?;
        self.drop_field(materials, "materials of VRM expressions");
        let preset = preset.string()?.to_ascii_lowercase();
        let known = PRESETS.iter().find(|(old, _)| *old == preset);
        let mut expression = VrmExpression {
            name: known.map_or_else(|| name.string(), |(_, new)| Ok((*new).to_owned()))?,
            is_preset: known.is_some(),
            is_binary: binary.some().map_or(Ok(false), Value::bool)?,
            ..VrmExpression::default()
        };
        for bind in binds.some_array(Ok)? {
            let [mesh, index, weight] = bind.fields(&["mesh", "index", "weight"])?;
            let mesh = index_below(mesh.required()?, self.root.meshes.len(), "meshes")?;
            let target = usize::try_from(index.required()?.u64()?).unwrap_or(usize::MAX);
            // In percent.
            let weight = number_or(weight, 100.0)? / 100.0;
            let nodes = &self.nodes_of_mesh[mesh];
            if nodes.first().is_none_or(|&node| target >= self.targets(node)) {
                self.no_target.add(self.binds);
            } else {
                bind.spend(nodes.len() * size_of::<MorphBind>())?;
                let joints = nodes.iter().map(|&node| JointId::new(node));
                expression.binds.extend(joints.map(|joint| MorphBind { joint, target, weight }));
            }
            self.binds += 1;
        }
        Ok(expression)
    }

    fn springs_0(&self, value: Value<'_>, vrm: &mut Vrm) -> Result<(), Error> {
        let [groups, springs] = value.fields(&["colliderGroups", "boneGroups"])?;
        for group in groups.some_array(Ok)? {
            let [node, colliders] = group.fields(&["node", "colliders"])?;
            let node = self.node_0(node)?;
            let mut own = VrmColliderGroup::default();
            for collider in colliders.some_array(Ok)? {
                let [offset, radius] = collider.fields(&["offset", "radius"])?;
                // In VRM 0.x, the Z axis of offsets points the other way.
                let [x, y, z] = vector_0(offset, [0.0; 3])?;
                let shape = ColliderShape::Sphere {
                    offset: [x, y, 0.0 - z],
                    radius: number_or(radius, 0.0)?,
                    inside: false,
                };
                if let Some(joint) = node {
                    own.colliders.push(vrm.colliders.len());
                    vrm.colliders.push(VrmCollider { joint, shape });
                }
            }
            vrm.collider_groups.push(own);
        }
        let groups = vrm.collider_groups.len();
        vrm.springs = springs.some_array(|spring| {
            let [comment, center, bones, own] =
                spring.fields(&["comment", "center", "bones", "colliderGroups"])?;
            Ok(VrmSpring {
                name: comment.string()?,
                joints: bones.some_array(|bone| self.spring_joint_0(spring, bone))?,
                collider_groups: own.some_array(|group| index_below(group, groups, "collider groups"))?,
                center: self.node_0(center)?,
            })
        })?;
        Ok(())
    }

    fn spring_joint_0(&self, spring: Value<'_>, bone: Value<'_>) -> Result<VrmSpringJoint, Error> {
        let [stiffness, gravity_power, gravity_direction, drag, hit_radius] =
            // The file format has this spelling.
            spring.fields(&["stiffiness", "gravityPower", "gravityDir", "dragForce", "hitRadius"])?;
        Ok(VrmSpringJoint {
            joint: self.node(bone)?,
            hit_radius: number_or(hit_radius, 0.0)?,
            stiffness: number_or(stiffness, 1.0)?,
            gravity_power: number_or(gravity_power, 0.0)?,
            gravity_direction: vector_0(gravity_direction, [0.0, -1.0, 0.0])?,
            drag: number_or(drag, 0.5)?,
        })
    }
}

/// A vector with fields for its parts.
fn vector_0(field: Field<'_>, default: [f32; 3]) -> Result<[f32; 3], Error> {
    let Some(value) = field.some() else { return Ok(default) };
    let [x, y, z] = value.fields(&["x", "y", "z"])?;
    Ok([number_or(x, 0.0)?, number_or(y, 0.0)?, number_or(z, 0.0)?])
}
