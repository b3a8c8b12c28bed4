//! Writes VRM 0.x.

use sinew::JointId;

use super::read_0::PRESETS;
use super::vrm::{ColliderShape, Vrm, VrmCollider, VrmExpression, VrmSpring, VrmSpringJoint};
use super::write::{meta, node};
use crate::glb::NodeMap;
use crate::json::JsonWriter;

/// Writes the extension `VRM`.
pub(super) fn avatar_0(vrm: &Vrm, map: &NodeMap, json: &mut JsonWriter) {
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
            group.colliders.iter().filter_map(|&index| vrm.colliders.get(index)).collect();
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
