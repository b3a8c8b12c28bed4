//! Generated avatars.

use serde_json::{Value, json};
use sinew::JointId;
use sinew_io::{Import, ImportOptions, load_bytes};

use crate::support::glb_writer::glb;

/// The joints of the avatar: nodes in the order of the file, parents first.
pub(super) const HIPS: usize = 0;
pub(super) const SPINE: usize = 1;
pub(super) const HEAD: usize = 2;
pub(super) const HAIR: [usize; 3] = [3, 4, 5];
pub(super) const FACE: usize = 6;

/// An avatar of seven nodes without VRM data: a face with two morph targets, and hair.
pub(super) fn avatar() -> (Value, Vec<u8>) {
    let mut buffer = Vec::new();
    let triangle = [[0.0_f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    for _ in 0..3 {
        buffer.extend(triangle.as_flattened().iter().flat_map(|part| part.to_le_bytes()));
    }
    let accessor = |view: usize| json!({"bufferView": view, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]});
    let view = |index: usize| json!({"buffer": 0, "byteOffset": 36 * index, "byteLength": 36});
    let document = json!({
        "asset": {"version": "2.0"},
        "scenes": [{"nodes": [HIPS, FACE]}],
        "nodes": [
            {"name": "hips", "translation": [0, 1, 0], "children": [SPINE]},
            {"name": "spine", "translation": [0, 0.25, 0], "rotation": [0, 0, 0.6, 0.8], "children": [HEAD]},
            {"name": "head", "translation": [0, 0.25, 0], "children": [HAIR[0]], "extras": {"kept": [1, 2]}},
            {"name": "hair", "translation": [0, 0.125, 0], "children": [HAIR[1]]},
            {"name": "hair 2", "translation": [0, 0.125, 0], "children": [HAIR[2]]},
            {"name": "hair 3", "translation": [0, 0.125, 0]},
            {"name": "face", "mesh": 0},
        ],
        "meshes": [{"primitives": [{
            "attributes": {"POSITION": 0}, "targets": [{"POSITION": 1}, {"POSITION": 2}], "material": 0,
        }]}],
        "materials": [{"name": "skin", "extras": "kept too"}],
        "accessors": [accessor(0), accessor(1), accessor(2)],
        "bufferViews": [view(0), view(1), view(2)],
        "buffers": [{"byteLength": buffer.len()}],
    });
    (document, buffer)
}

pub(super) fn vrm_1() -> (Value, Vec<u8>) {
    let (mut document, buffer) = avatar();
    let joint = |node: usize| json!({"node": node, "hitRadius": 0.25, "stiffness": 1.5, "gravityPower": 0.5, "gravityDir": [0, -1, 0], "dragForce": 0.75});
    document["extensionsUsed"] =
        json!(["VRMC_vrm", "VRMC_springBone", "VRMC_springBone_extended_collider", "VRMC_node_constraint",]);
    document["extensions"] = json!({
        "VRMC_vrm": {
            "specVersion": "1.0",
            "meta": {"name": "test \u{e9}", "authors": ["a", "b"], "licenseUrl": "https://vrm.dev/licenses/1.0/"},
            "humanoid": {"humanBones": {
                "hips": {"node": HIPS}, "spine": {"node": SPINE}, "head": {"node": HEAD}, "tail": {"node": 99},
            }},
            "firstPerson": {"meshAnnotations": [{"node": FACE, "type": "thirdPersonOnly"}]},
            "lookAt": {"type": "bone", "offsetFromHeadBone": [0, 0.5, 0]},
            "expressions": {
                "preset": {
                    "happy": {
                        "morphTargetBinds": [
                            {"node": FACE, "index": 0, "weight": 0.5}, {"node": FACE, "index": 1, "weight": 1},
                        ],
                        "overrideBlink": "block", "overrideMouth": "blend",
                    },
                    "blink": {"isBinary": true, "morphTargetBinds": [{"node": FACE, "index": 1, "weight": 0.25}]},
                },
                "custom": {"wink": {"morphTargetBinds": [{"node": FACE, "index": 2, "weight": 1}]}},
            },
        },
        "VRMC_springBone": {
            "specVersion": "1.0",
            "colliders": [
                {"node": HEAD, "shape": {"sphere": {"offset": [0, 0.5, 0.25], "radius": 0.125}}},
                {"node": SPINE, "shape": {"capsule": {"offset": [0, 0, 0], "radius": 0.5, "tail": [0, 1, 0]}}},
                {
                    "node": HIPS, "shape": {"sphere": {"radius": 0}},
                    "extensions": {"VRMC_springBone_extended_collider": {
                        "specVersion": "1.0", "shape": {"plane": {"offset": [0, 1, 0], "normal": [0, 1, 0]}},
                    }},
                },
                {
                    "node": HIPS, "shape": {"sphere": {"radius": 0}},
                    "extensions": {"VRMC_springBone_extended_collider": {
                        "specVersion": "1.0",
                        "shape": {"sphere": {"offset": [1, 2, 3], "radius": 4, "inside": true}},
                    }},
                },
            ],
            "colliderGroups": [{"name": "body", "colliders": [0, 1]}, {"colliders": [3, 2]}],
            "springs": [{
                "name": "hair", "joints": [joint(HAIR[0]), joint(HAIR[1]), {"node": HAIR[2]}],
                "colliderGroups": [1, 0], "center": HIPS,
            }],
        },
    });
    let constraint =
        |kind: Value| json!({"VRMC_node_constraint": {"specVersion": "1.0", "constraint": kind}});
    document["nodes"][SPINE]["extensions"] = constraint(json!({"rotation": {"source": HEAD, "weight": 0.5}}));
    document["nodes"][HAIR[0]]["extensions"] = constraint(json!({"roll": {"source": HEAD, "rollAxis": "Y"}}));
    document["nodes"][HAIR[1]]["extensions"] =
        constraint(json!({"aim": {"source": HIPS, "aimAxis": "NegativeX", "weight": 0.75}}));
    (document, buffer)
}

pub(super) fn vrm_0() -> (Value, Vec<u8>) {
    let (mut document, buffer) = avatar();
    document["extensionsUsed"] = json!(["VRM"]);
    document["extensions"] = json!({"VRM": {
        "exporterVersion": "test", "specVersion": "0.0",
        "meta": {"title": "old", "author": "someone", "licenseName": "CC0"},
        "humanoid": {"humanBones": [
            {"bone": "hips", "node": HIPS}, {"bone": "head", "node": HEAD},
            {"bone": "leftThumbProximal", "node": SPINE}, {"bone": "jaw", "node": -1},
        ]},
        "blendShapeMaster": {"blendShapeGroups": [
            {"name": "Joy", "presetName": "joy", "binds": [{"mesh": 0, "index": 1, "weight": 50}]},
            {"name": "own", "presetName": "unknown", "isBinary": true, "binds": []},
        ]},
        "secondaryAnimation": {
            "boneGroups": [{
                "comment": "hair", "stiffiness": 1.5, "gravityPower": 0.25, "gravityDir": {"x": 0, "y": -1, "z": 0.5},
                "dragForce": 0.5, "center": -1, "hitRadius": 0.125, "bones": [HAIR[0]], "colliderGroups": [0],
            }],
            "colliderGroups": [{"node": HEAD, "colliders": [{"offset": {"x": 1, "y": 2, "z": 3}, "radius": 0.5}]}],
        },
    }});
    (document, buffer)
}

pub(super) fn load((document, buffer): &(Value, Vec<u8>)) -> Import {
    let bytes = glb(&serde_json::to_vec(document).expect("a valid file"), buffer);
    load_bytes(&bytes, &ImportOptions::default()).expect("a valid file")
}

pub(super) fn joints(joints: &[usize]) -> Vec<JointId> {
    joints.iter().map(|&joint| JointId::new(joint)).collect()
}
