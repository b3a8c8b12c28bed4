//! Writes VRM data as extensions of a GLB, in the version that it was read from.

use std::collections::BTreeMap;

use sinew::JointId;

use super::read_0::PRESETS;
use super::vrm::{
    ColliderShape, ConstraintAxis, ConstraintKind, ExpressionOverride, FirstPerson, Vrm, VrmAnimation,
    VrmCollider, VrmConstraint, VrmExpression, VrmSpring, VrmSpringJoint, VrmVersion,
};
use crate::glb::{GlbExtensions, NodeMap};
use crate::json::JsonWriter;

/// The extensions of a GLB with this data.
pub(crate) fn extensions(vrm: &Vrm, map: &NodeMap) -> GlbExtensions {
    let mut used = Vec::new();
    let json = &mut JsonWriter::default();
    json.begin_object();
    let has_avatar = !vrm.humanoid.is_empty() || !vrm.meta.is_empty() || !vrm.expressions.is_empty();
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

fn meta(vrm: &Vrm, json: &mut JsonWriter) {
    json.name("meta");
    json.begin_object();
    for (name, value) in &vrm.meta {
        json.raw(name, value);
    }
    json.end_object();
}

fn node(joint: JointId, json: &mut JsonWriter) {
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

fn avatar_0(vrm: &Vrm, map: &NodeMap, json: &mut JsonWriter) {
    json.begin_object();
    json.str("specVersion", "0.0");
    meta(vrm, json);
    json.name("humanoid");
    json.begin_object();
    json.name("humanBones");
    json.begin_array();
    for (bone, &joint) in &vrm.humanoid {
        json.begin_object();
        json.str("bone", bone.name_0());
        node(joint, json);
        json.end_object();
    }
    json.end_array();
    json.end_object();
    json.name("blendShapeMaster");
    json.begin_object();
    json.name("blendShapeGroups");
    json.begin_array();
    vrm.expressions.iter().for_each(|expression| expression_0(expression, map, json));
    json.end_array();
    json.end_object();
    json.name("secondaryAnimation");
    json.begin_object();
    json.name("boneGroups");
    json.begin_array();
    vrm.springs.iter().for_each(|spring| spring_0(spring, json));
    json.end_array();
    json.name("colliderGroups");
    json.begin_array();
    for group in &vrm.collider_groups {
        let colliders: Vec<&VrmCollider> =
            group.colliders.iter().map(|&index| &vrm.colliders[index]).collect();
        collider_group_0(&colliders, json);
    }
    json.end_array();
    json.end_object();
    json.end_object();
}

fn expression_0(expression: &VrmExpression, map: &NodeMap, json: &mut JsonWriter) {
    let preset = PRESETS.iter().find(|(_, new)| expression.is_preset && *new == expression.name);
    json.begin_object();
    json.str("name", &expression.name);
    json.str("presetName", preset.map_or("unknown", |(old, _)| old));
    json.name("binds");
    json.begin_array();
    let mut written = Vec::new();
    for bind in &expression.binds {
        for &mesh in map.meshes(bind.joint) {
            // A bind of a mesh is for all of its nodes.
            if !written.contains(&(mesh, bind.target)) {
                written.push((mesh, bind.target));
                json.begin_object();
                json.usize("mesh", mesh);
                json.usize("index", bind.target);
                json.f32("weight", bind.weight * 100.0);
                json.end_object();
            }
        }
    }
    json.end_array();
    if expression.is_binary {
        json.raw("isBinary", "true");
    }
    json.end_object();
}

fn spring_0(spring: &VrmSpring, json: &mut JsonWriter) {
    json.begin_object();
    json.str("comment", &spring.name);
    if let Some(VrmSpringJoint { hit_radius, stiffness, gravity_power, gravity_direction, drag, .. }) =
        spring.joints.first()
    {
        json.f32("stiffiness", *stiffness);
        json.f32("gravityPower", *gravity_power);
        json.name("gravityDir");
        vector_0(*gravity_direction, json);
        json.f32("dragForce", *drag);
        json.f32("hitRadius", *hit_radius);
    }
    json.some_usize("center", spring.center.map(JointId::index));
    let bones: Vec<usize> = spring.joints.iter().map(|joint| joint.joint.index()).collect();
    json.usizes("bones", &bones);
    json.usizes("colliderGroups", &spring.collider_groups);
    json.end_object();
}

fn collider_group_0(colliders: &[&VrmCollider], json: &mut JsonWriter) {
    json.begin_object();
    json.some_usize("node", colliders.first().map(|collider| collider.joint.index()));
    json.name("colliders");
    json.begin_array();
    for collider in colliders {
        // All colliders of VRM 0.x are spheres.
        if let ColliderShape::Sphere { offset: [x, y, z], radius, .. } = collider.shape {
            json.begin_object();
            json.name("offset");
            vector_0([x, y, 0.0 - z], json);
            json.f32("radius", radius);
            json.end_object();
        }
    }
    json.end_array();
    json.end_object();
}

fn vector_0([x, y, z]: [f32; 3], json: &mut JsonWriter) {
    json.begin_object();
    json.f32("x", x);
    json.f32("y", y);
    json.f32("z", z);
    json.end_object();
}
