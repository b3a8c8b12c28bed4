//! Writes VRM data as extensions of a GLB, in the version that it was read from.

use std::collections::BTreeMap;

use sinew::JointId;

use super::vrm::{
    ColliderShape, ConstraintAxis, ConstraintKind, ExpressionOverride, FirstPerson, Vrm, VrmAnimation,
    VrmCollider, VrmConstraint, VrmExpression, VrmVersion,
};
use super::write_0::avatar_0;
use crate::glb::{GlbExtensions, NodeMap};
use crate::json::JsonWriter;

/// The extensions of a GLB with this data.
pub(crate) fn extensions(vrm: &Vrm, map: &NodeMap) -> GlbExtensions {
    let mut used = Vec::new();
    let json = &mut JsonWriter::default();
    json.begin_object();
    let has_avatar = !vrm.humanoid.is_empty()
        || !vrm.meta.is_empty()
        || !vrm.expressions.is_empty()
        || !vrm.first_person.is_empty()
        || !vrm.look_at.is_empty();
    if vrm.version == VrmVersion::V0 {
        used.push("VRM");
        json.name("VRM");
        avatar_0(vrm, map, json);
    } else {
        if has_avatar {
            used.push("VRMC_vrm");
            json.name("VRMC_vrm");
            avatar_1(vrm, map, json);
        }
        if !vrm.colliders.is_empty() || !vrm.springs.is_empty() || !vrm.collider_groups.is_empty() {
            used.push("VRMC_springBone");
            json.name("VRMC_springBone");
            springs_1(vrm, json);
        }
    }
    if vrm.colliders.iter().any(is_extended) {
        used.push("VRMC_springBone_extended_collider");
    }
    if let Some(found) = &vrm.animation {
        used.push("VRMC_vrm_animation");
        json.name("VRMC_vrm_animation");
        animation(found, json);
    }
    json.end_object();
    let mut nodes = BTreeMap::new();
    for constraint in &vrm.constraints {
        nodes.insert(constraint.joint.index(), constraint_json(constraint));
    }
    if !nodes.is_empty() {
        used.push("VRMC_node_constraint");
    }
    let text = std::mem::take(json).into_text();
    GlbExtensions { used, root: if text == "{}" { String::new() } else { text }, nodes }
}

pub(super) fn meta(vrm: &Vrm, json: &mut JsonWriter) {
    json.name("meta");
    json.begin_object();
    for (name, value) in &vrm.meta {
        json.raw(name, value);
    }
    json.end_object();
}

pub(super) fn node(joint: JointId, json: &mut JsonWriter) {
    json.usize("node", joint.index());
}

fn avatar_1(vrm: &Vrm, map: &NodeMap, json: &mut JsonWriter) {
    json.begin_object();
    json.str("specVersion", "1.0");
    meta(vrm, json);
    json.name("humanoid");
    json.begin_object();
    humanoid_1(&vrm.humanoid, json);
    json.end_object();
    if !vrm.first_person.is_empty() {
        json.name("firstPerson");
        json.begin_object();
        json.name("meshAnnotations");
        json.begin_array();
        for &(joint, kind) in &vrm.first_person {
            for &mesh_node in map.mesh_nodes(joint) {
                json.begin_object();
                json.usize("node", mesh_node);
                json.str("type", first_person_name(kind));
                json.end_object();
            }
        }
        json.end_array();
        json.end_object();
    }
    json.raw("lookAt", &vrm.look_at);
    if !vrm.expressions.is_empty() {
        json.name("expressions");
        json.begin_object();
        for (name, is_preset) in [("preset", true), ("custom", false)] {
            json.name(name);
            json.begin_object();
            for expression in vrm.expressions.iter().filter(|expression| expression.is_preset == is_preset) {
                expression_1(expression, map, json);
            }
            json.end_object();
        }
        json.end_object();
    }
    json.end_object();
}

fn humanoid_1(humanoid: &BTreeMap<super::HumanBone, JointId>, json: &mut JsonWriter) {
    json.name("humanBones");
    json.begin_object();
    for (bone, &joint) in humanoid {
        json.name(bone.name());
        json.begin_object();
        node(joint, json);
        json.end_object();
    }
    json.end_object();
}

fn first_person_name(kind: FirstPerson) -> &'static str {
    match kind {
        FirstPerson::Auto => "auto",
        FirstPerson::Both => "both",
        FirstPerson::ThirdPersonOnly => "thirdPersonOnly",
        FirstPerson::FirstPersonOnly => "firstPersonOnly",
    }
}

fn expression_1(expression: &VrmExpression, map: &NodeMap, json: &mut JsonWriter) {
    json.name(&expression.name);
    json.begin_object();
    if !expression.binds.is_empty() {
        json.name("morphTargetBinds");
        json.begin_array();
        for bind in &expression.binds {
            for &mesh_node in map.mesh_nodes(bind.joint) {
                json.begin_object();
                json.usize("node", mesh_node);
                json.usize("index", bind.target);
                json.f32("weight", bind.weight);
                json.end_object();
            }
        }
        json.end_array();
    }
    if expression.is_binary {
        json.raw("isBinary", "true");
    }
    let overrides = [
        ("overrideBlink", expression.override_blink),
        ("overrideLookAt", expression.override_look_at),
        ("overrideMouth", expression.override_mouth),
    ];
    for (name, found) in overrides {
        match found {
            ExpressionOverride::None => {}
            ExpressionOverride::Block => json.str(name, "block"),
            ExpressionOverride::Blend => json.str(name, "blend"),
        }
    }
    json.end_object();
}

fn springs_1(vrm: &Vrm, json: &mut JsonWriter) {
    json.begin_object();
    json.str("specVersion", "1.0");
    json.array("colliders", &vrm.colliders, collider_1);
    json.array("colliderGroups", &vrm.collider_groups, |group, json| {
        json.begin_object();
        json.str("name", &group.name);
        json.usizes("colliders", &group.colliders);
        json.end_object();
    });
    json.array("springs", &vrm.springs, |spring, json| {
        json.begin_object();
        json.str("name", &spring.name);
        json.array("joints", &spring.joints, |joint, json| {
            json.begin_object();
            node(joint.joint, json);
            json.f32("hitRadius", joint.hit_radius);
            json.f32("stiffness", joint.stiffness);
            json.f32("gravityPower", joint.gravity_power);
            json.floats("gravityDir", &joint.gravity_direction);
            json.f32("dragForce", joint.drag);
            json.end_object();
        });
        json.usizes("colliderGroups", &spring.collider_groups);
        json.some_usize("center", spring.center.map(JointId::index));
        json.end_object();
    });
    json.end_object();
}

/// Whether a collider needs the extension for more shapes.
fn is_extended(collider: &VrmCollider) -> bool {
    match collider.shape {
        ColliderShape::Sphere { inside, .. } | ColliderShape::Capsule { inside, .. } => inside,
        ColliderShape::Plane { .. } => true,
    }
}

fn collider_1(collider: &VrmCollider, json: &mut JsonWriter) {
    json.begin_object();
    node(collider.joint, json);
    json.name("shape");
    if is_extended(collider) {
        // A shape that stops nothing, for programs that do not know the extension.
        json.value_raw(r#"{"sphere":{"offset":[0,-10000,0],"radius":0}}"#);
        json.name("extensions");
        json.begin_object();
        json.name("VRMC_springBone_extended_collider");
        json.begin_object();
        json.str("specVersion", "1.0");
        json.name("shape");
        shape(&collider.shape, json);
        json.end_object();
        json.end_object();
    } else {
        shape(&collider.shape, json);
    }
    json.end_object();
}

fn shape(shape: &ColliderShape, json: &mut JsonWriter) {
    json.begin_object();
    let is_inside = match *shape {
        ColliderShape::Sphere { offset, radius, inside } => {
            json.name("sphere");
            json.begin_object();
            json.floats("offset", &offset);
            json.f32("radius", radius);
            inside
        }
        ColliderShape::Capsule { offset, tail, radius, inside } => {
            json.name("capsule");
            json.begin_object();
            json.floats("offset", &offset);
            json.f32("radius", radius);
            json.floats("tail", &tail);
            inside
        }
        ColliderShape::Plane { offset, normal } => {
            json.name("plane");
            json.begin_object();
            json.floats("offset", &offset);
            json.floats("normal", &normal);
            false
        }
    };
    if is_inside {
        json.raw("inside", "true");
    }
    json.end_object();
    json.end_object();
}

fn constraint_json(constraint: &VrmConstraint) -> String {
    let json = &mut JsonWriter::default();
    json.begin_object();
    json.name("VRMC_node_constraint");
    json.begin_object();
    json.str("specVersion", "1.0");
    json.name("constraint");
    json.begin_object();
    let (name, axis) = match constraint.kind {
        ConstraintKind::Roll(axis) => ("roll", Some(("rollAxis", roll_axis(axis)))),
        ConstraintKind::Aim(axis) => {
            let name = ConstraintAxis::AIM_NAMES.iter().find(|(found, _)| *found == axis);
            ("aim", Some(("aimAxis", name.map_or("", |(_, name)| name))))
        }
        ConstraintKind::Rotation => ("rotation", None),
    };
    json.name(name);
    json.begin_object();
    json.usize("source", constraint.source.index());
    if let Some((name, axis)) = axis {
        json.str(name, axis);
    }
    json.f32("weight", constraint.weight);
    json.end_object();
    json.end_object();
    json.end_object();
    json.end_object();
    std::mem::take(json).into_text()
}

/// The axis without its sign: rolling about either is the same.
fn roll_axis(axis: ConstraintAxis) -> &'static str {
    match axis {
        ConstraintAxis::PositiveX | ConstraintAxis::NegativeX => "X",
        ConstraintAxis::PositiveY | ConstraintAxis::NegativeY => "Y",
        ConstraintAxis::PositiveZ | ConstraintAxis::NegativeZ => "Z",
    }
}

fn animation(animation: &VrmAnimation, json: &mut JsonWriter) {
    json.begin_object();
    json.str("specVersion", "1.0");
    json.name("humanoid");
    json.begin_object();
    humanoid_1(&animation.humanoid, json);
    json.end_object();
    json.name("expressions");
    json.begin_object();
    for (name, is_preset) in [("preset", true), ("custom", false)] {
        json.name(name);
        json.begin_object();
        for expression in animation.expressions.iter().filter(|found| found.is_preset == is_preset) {
            json.name(&expression.name);
            json.begin_object();
            node(expression.joint, json);
            json.end_object();
        }
        json.end_object();
    }
    json.end_object();
    if let Some(joint) = animation.look_at {
        json.name("lookAt");
        json.begin_object();
        node(joint, json);
        json.end_object();
    }
    json.end_object();
}
