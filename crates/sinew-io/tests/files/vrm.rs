//! VRM avatars and animations: the data is what the file says, survives an export, and moves what
//! it should; changed files give an error or a model.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use sinew::animation::{ModifierContext, PoseModifier};
use sinew::{Instance, JointId};
use sinew_io::{
    ColliderShape, ConstraintAxis, ConstraintKind, ExpressionOverride, FirstPerson, HumanBone, Import,
    ImportOptions, MorphBind, UpAxisConversion, Vrm, VrmVersion, load_bytes, write_vrm_glb,
};
use sinew_testkit::random::Random;

use crate::mutations::change_value;
use crate::support::glb_writer::glb;
use crate::support::mutations::{import, mutation_count};

/// The joints of the avatar: nodes in the order of the file, parents first.
const HIPS: usize = 0;
const SPINE: usize = 1;
const HEAD: usize = 2;
const HAIR: [usize; 3] = [3, 4, 5];
const FACE: usize = 6;

/// An avatar of seven nodes without VRM data: a face with two morph targets, and hair.
fn avatar() -> (Value, Vec<u8>) {
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

fn vrm_1() -> (Value, Vec<u8>) {
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

fn vrm_0() -> (Value, Vec<u8>) {
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

fn load((document, buffer): &(Value, Vec<u8>)) -> Import {
    let bytes = glb(&serde_json::to_vec(document).expect("a valid file"), buffer);
    load_bytes(&bytes, &ImportOptions::default()).expect("a valid file")
}

fn joints(joints: &[usize]) -> Vec<JointId> {
    joints.iter().map(|&joint| JointId::new(joint)).collect()
}

#[test]
fn data_of_vrm_1_is_what_the_file_says() {
    let import = load(&vrm_1());
    let vrm = import.vrm.as_ref().unwrap();
    assert_eq!(vrm.version, VrmVersion::V1);
    assert_eq!(vrm.meta_text("name").unwrap(), "test \u{e9}");
    assert_eq!((vrm.meta["authors"].as_str(), vrm.meta_text("authors")), ("[\"a\",\"b\"]", None));
    let bones = [(HumanBone::Hips, HIPS), (HumanBone::Spine, SPINE), (HumanBone::Head, HEAD)];
    assert_eq!(
        vrm.humanoid,
        bones.map(|(bone, joint)| (bone, JointId::new(joint))).into_iter().collect::<BTreeMap<_, _>>()
    );
    assert_eq!(vrm.first_person, [(JointId::new(FACE), FirstPerson::ThirdPersonOnly)]);
    assert!(vrm.look_at.contains("offsetFromHeadBone"), "{}", vrm.look_at);
    let bind = |target, weight| MorphBind { joint: JointId::new(FACE), target, weight };
    let happy = vrm.expression("happy").unwrap();
    assert!(happy.is_preset && !happy.is_binary);
    assert_eq!(happy.binds, [bind(0, 0.5), bind(1, 1.0)]);
    let overrides = [happy.override_blink, happy.override_look_at, happy.override_mouth];
    assert_eq!(overrides, [ExpressionOverride::Block, ExpressionOverride::None, ExpressionOverride::Blend]);
    assert!(vrm.expression("blink").unwrap().is_binary);
    // It names a morph target that the mesh does not have.
    assert!(vrm.expression("wink").unwrap().binds.is_empty());
    assert!(import.report.to_string().contains("without a morph target"), "{}", import.report);
    let shapes: Vec<ColliderShape> = vrm.colliders.iter().map(|collider| collider.shape).collect();
    assert_eq!(
        shapes,
        [
            ColliderShape::Sphere { offset: [0.0, 0.5, 0.25], radius: 0.125, inside: false },
            ColliderShape::Capsule { offset: [0.0; 3], tail: [0.0, 1.0, 0.0], radius: 0.5, inside: false },
            ColliderShape::Plane { offset: [0.0, 1.0, 0.0], normal: [0.0, 1.0, 0.0] },
            ColliderShape::Sphere { offset: [1.0, 2.0, 3.0], radius: 4.0, inside: true },
        ]
    );
    assert_eq!(vrm.collider_groups[1].colliders, [3, 2]);
    let spring = &vrm.springs[0];
    assert_eq!((&spring.collider_groups[..], spring.center), (&[1, 0][..], Some(JointId::new(HIPS))));
    assert_eq!(spring.joints.iter().map(|joint| joint.joint).collect::<Vec<_>>(), joints(&HAIR));
    assert_eq!((spring.joints[0].stiffness, spring.joints[0].drag), (1.5, 0.75));
    assert_eq!((spring.joints[2].stiffness, spring.joints[2].drag), (1.0, 0.5));
    let kinds: Vec<_> =
        vrm.constraints.iter().map(|found| (found.joint.index(), found.kind, found.weight)).collect();
    assert_eq!(
        kinds,
        [
            (SPINE, ConstraintKind::Rotation, 0.5),
            (HAIR[0], ConstraintKind::Roll(ConstraintAxis::PositiveY), 1.0),
            (HAIR[1], ConstraintKind::Aim(ConstraintAxis::NegativeX), 0.75),
        ]
    );
    assert!(import.dropped.is_empty(), "{:?}", import.dropped);
}

#[test]
fn data_of_vrm_0_has_the_names_and_axes_of_vrm_1() {
    let import = load(&vrm_0());
    let vrm = import.vrm.as_ref().unwrap();
    assert_eq!((vrm.version, vrm.meta_text("title").unwrap().as_str()), (VrmVersion::V0, "old"));
    let bones: Vec<_> = vrm.humanoid.keys().copied().collect();
    assert_eq!(bones, [HumanBone::Hips, HumanBone::Head, HumanBone::LeftThumbMetacarpal]);
    let happy = vrm.expression("happy").unwrap();
    assert_eq!(happy.binds, [MorphBind { joint: JointId::new(FACE), target: 1, weight: 0.5 }]);
    assert!(vrm.expression("own").is_some_and(|own| own.is_binary && !own.is_preset));
    let sphere = ColliderShape::Sphere { offset: [1.0, 2.0, -3.0], radius: 0.5, inside: false };
    assert_eq!(vrm.colliders[0].shape, sphere);
    assert_eq!((vrm.springs[0].center, vrm.springs[0].joints[0].gravity_direction), (None, [0.0, -1.0, 0.5]));
    // The whole subtree swings.
    let chains = vrm.spring_chains(import.model.skeleton());
    assert_eq!(chains.len(), 1);
    assert_eq!(chains[0].1.iter().map(|joint| joint.joint).collect::<Vec<_>>(), joints(&HAIR));
}

#[test]
fn exported_data_is_the_same_when_read_again() {
    for source in [vrm_1(), vrm_0(), animation()] {
        let import = load(&source);
        let vrm = import.vrm.as_ref().unwrap();
        let mut glb = Vec::new();
        write_vrm_glb(&mut glb, &import.model, vrm, UpAxisConversion::None).unwrap();
        let again = load_bytes(&glb, &ImportOptions::default()).unwrap();
        assert_eq!(again.vrm.as_ref(), Some(vrm));
        assert!(again.report.is_empty(), "{}", again.report);
        assert_eq!(again.model.metadata(), import.model.metadata());
    }
    let metadata = load(&vrm_1()).model.metadata().clone();
    assert_eq!(metadata.joint_extras[&HEAD], r#"{"kept":[1,2]}"#);
    assert_eq!(metadata.material_extras[&0], r#""kept too""#);
}

#[test]
fn expressions_move_morph_weights() {
    let import = load(&vrm_1());
    let vrm = import.vrm.as_ref().unwrap();
    let mut pose = import.model.skeleton().rest_pose();
    vrm.expression("happy").unwrap().add_to(&mut pose, 0.5, &import.model);
    vrm.expression("blink").unwrap().add_to(&mut pose, 0.75, &import.model);
    assert_eq!(pose.morph_weights(), [0.25, 0.75]);
    vrm.expression("blink").unwrap().add_to(&mut pose, 0.25, &import.model);
    assert_eq!(pose.morph_weights(), [0.25, 0.75]);
}

/// A VRMA file: its spine turns about X, its hips rise, and its face smiles.
fn animation() -> (Value, Vec<u8>) {
    let half = 0.5_f32.sqrt();
    let times = [0.0_f32, 1.0];
    let rotations = [[0.0_f32, 0.0, 0.0, 1.0], [half, 0.0, 0.0, half]];
    let hips = [[0.0_f32, 2.0, 0.0], [0.0, 3.0, 0.5]];
    let smile = [[0.0_f32, 0.0, 0.0], [1.0, 0.0, 0.0]];
    let numbers = [&times[..], rotations.as_flattened(), hips.as_flattened(), smile.as_flattened()];
    let (mut views, mut buffer) = (Vec::new(), Vec::new());
    for numbers in numbers {
        views.push(json!({"buffer": 0, "byteOffset": buffer.len(), "byteLength": 4 * numbers.len()}));
        buffer.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    }
    let accessor = |view: usize, kind: &str| json!({"bufferView": view, "componentType": 5126, "count": 2, "type": kind});
    let channel = |sampler: usize, node: usize, path: &str| json!({"sampler": sampler, "target": {"node": node, "path": path}});
    let sampler = |output: usize| json!({"input": 0, "output": output});
    let mut time = accessor(0, "SCALAR");
    (time["min"], time["max"]) = (json!([0]), json!([1]));
    let document = json!({
        "asset": {"version": "2.0"},
        "extensionsUsed": ["VRMC_vrm_animation"],
        "extensions": {"VRMC_vrm_animation": {
            "specVersion": "1.0",
            "humanoid": {"humanBones": {"hips": {"node": 0}, "spine": {"node": 1}}},
            "expressions": {"preset": {"happy": {"node": 2}}},
            "lookAt": {"node": 3},
        }},
        "scenes": [{"nodes": [0, 2, 3]}],
        "nodes": [
            {"name": "h", "translation": [0, 2, 0], "children": [1]},
            {"name": "s", "translation": [0, 0.5, 0]}, {"name": "happy"}, {"name": "eyes"},
        ],
        "animations": [{
            "name": "nod",
            "samplers": [sampler(1), sampler(2), sampler(3)],
            "channels": [channel(0, 1, "rotation"), channel(1, 0, "translation"), channel(2, 2, "translation")],
        }],
        "accessors": [time, accessor(1, "VEC4"), accessor(2, "VEC3"), accessor(3, "VEC3")],
        "bufferViews": views,
        "buffers": [{"byteLength": buffer.len()}],
    });
    (document, buffer)
}

#[test]
fn animations_are_retargeted_to_an_avatar() {
    for (avatar, facing) in [(vrm_1(), 1.0), (vrm_0(), -1.0)] {
        let (avatar, source) = (load(&avatar), load(&animation()));
        let mut vrm: Vrm = avatar.vrm.clone().unwrap();
        vrm.humanoid.insert(HumanBone::Spine, JointId::new(SPINE));
        let animation = source.vrm.as_ref().unwrap().animation.as_ref().unwrap();
        let clips = vrm.retarget(&avatar.model, animation, &source.model).unwrap();
        assert_eq!((clips.len(), clips[0].name()), (1, "nod"));
        let mut pose = avatar.model.skeleton().rest_pose();
        clips[0].sample(1.0, &mut clips[0].cursor(), &mut pose).unwrap();
        // The hips are half as high: 1.5 of 3 meters, and half of the way to the front.
        let hips = pose.translation(JointId::new(HIPS));
        let expected = [0.0, 1.5, 0.25 * facing];
        assert!(hips.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{hips:?}");
        // A quarter turn about the model's X axis, or -X for an avatar that looks back, after the
        // rotation at rest (0, 0, 0.6, 0.8).
        let half = f64::from(0.5_f32.sqrt());
        let (x, w) = (f64::from(facing) * half, half);
        let expected = [0.8 * x, -0.6 * x, 0.6 * w, 0.8 * w];
        let found = pose.rotation(JointId::new(SPINE)).map(f64::from);
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{found:?} {expected:?}");
        assert_eq!(pose.morph_weights()[1], if facing > 0.0 { 1.0 } else { 0.5 });
    }
}

/// Sets the rotation of a joint.
#[derive(Clone, Debug)]
struct SetRotation(JointId, [f32; 4]);

impl PoseModifier for SetRotation {
    fn modify(&mut self, context: &mut ModifierContext<'_>) {
        context.set_rotation(self.0, self.1);
    }
}

/// The avatar of VRM 1.0 with its constraints at full weight, while its head has a rotation.
fn constrained(rotation: [f32; 4]) -> Instance {
    let import = load(&vrm_1());
    let mut vrm = import.vrm.expect("data of this avatar");
    vrm.constraints.iter_mut().for_each(|constraint| constraint.weight = 1.0);
    vrm.constraints[0].weight = 0.5;
    let mut instance = import.model.instance();
    instance.modifiers_mut().push(SetRotation(JointId::new(HEAD), rotation)).expect("data of this avatar");
    let modifiers = vrm.constraint_modifiers(import.model.skeleton());
    assert_eq!(modifiers.len(), 3);
    for modifier in modifiers {
        instance.modifiers_mut().push(modifier).expect("data of this avatar");
    }
    instance.step(0.1);
    instance
}

#[track_caller]
fn assert_near<const N: usize>(found: [f32; N], expected: [f64; N]) {
    let near = found.iter().zip(expected).all(|(&a, b)| (f64::from(a) - b).abs() < 1e-6);
    assert!(near, "{found:?}, expected {expected:?}");
}

#[test]
fn constraints_are_pose_modifiers() {
    // A turn of 60 degrees about X: no roll about Y, and half of it for the spine, in its own axes.
    let (sine, cosine) = std::f64::consts::FRAC_PI_6.sin_cos();
    let instance = constrained([sine as f32, 0.0, 0.0, cosine as f32]);
    let (half_sine, half_cosine) = (std::f64::consts::FRAC_PI_6 / 2.0).sin_cos();
    let spine = [0.8 * half_sine, 0.6 * half_sine, 0.6 * half_cosine, 0.8 * half_cosine];
    assert_near(instance.pose().rotation(JointId::new(SPINE)), spine);
    assert_near(instance.pose().rotation(JointId::new(HAIR[0])), [0.0, 0.0, 0.0, 1.0]);
    // About Y, all of it is roll.
    let mut instance = constrained([0.0, sine as f32, 0.0, cosine as f32]);
    assert_near(instance.pose().rotation(JointId::new(HAIR[0])), [0.0, sine, 0.0, cosine]);
    // The -X axis of the hair points at the hips.
    let matrices = instance.model_matrices();
    let [hair, hips] = [HAIR[1], HIPS].map(|joint| matrices[joint].rows.map(|row| f64::from(row[3])));
    let axis = matrices[HAIR[1]].rows.map(|row| -row[0]);
    let to_hips: [f64; 3] = std::array::from_fn(|i| hips[i] - hair[i]);
    let length = to_hips.iter().map(|part| part * part).sum::<f64>().sqrt();
    assert_near(axis, to_hips.map(|part| part / length));
}

#[test]
fn springs_are_a_pose_modifier() {
    for (source, bones, tail) in [(vrm_1(), 2, None), (vrm_0(), 3, Some(0.07))] {
        let import = load(&source);
        let (vrm, skeleton) = (import.vrm.as_ref().unwrap(), import.model.skeleton());
        let description = vrm.spring_source(skeleton);
        assert_eq!((description.springs.len(), description.springs[0].virtual_tail), (1, tail));
        assert_eq!(description.springs[0].center, vrm.springs[0].center);
        assert_eq!(description.springs[0].joints.len(), 3);
        assert_eq!(description.colliders.len(), vrm.colliders.len());
        let springs = vrm.spring_bones(skeleton).unwrap().unwrap();
        assert_eq!(springs.bone_count(), bones);
        // The model has them too, so that programs that know no VRM swing them.
        assert_eq!(import.model.springs().unwrap().bone_count(), bones);
        let mut instance = import.model.instance();
        instance.modifiers_mut().push(springs).unwrap();
        (0..30).for_each(|_| instance.step(1.0 / 30.0));
        // The hair, which is not vertical at rest, falls.
        assert_ne!(instance.pose().rotation(JointId::new(HAIR[0])), [0.0, 0.0, 0.0, 1.0]);
    }
    let import = load(&avatar());
    assert!(import.vrm.is_none());
    assert!(import.model.springs().is_none());
    assert!(Vrm::default().spring_bones(import.model.skeleton()).unwrap().is_none());
}

#[test]
fn joints_of_two_springs_belong_to_the_first() {
    let import = load(&vrm_1());
    let mut vrm = import.vrm.unwrap();
    vrm.springs.push(vrm.springs[0].clone());
    vrm.springs[1].joints.truncate(1);
    vrm.springs.push(vrm.springs[0].clone());
    vrm.springs[2].joints[0].joint = JointId::new(HEAD);
    let description = vrm.spring_source(import.model.skeleton());
    let chains: Vec<Vec<usize>> = description
        .springs
        .iter()
        .map(|spring| spring.joints.iter().map(|joint| joint.joint.index()).collect())
        .collect();
    assert_eq!(chains, [HAIR.to_vec(), vec![HEAD, HAIR[1]]]);
    vrm.spring_bones(import.model.skeleton()).unwrap();
}

#[test]
fn springs_without_length_swing_nothing() {
    let (mut document, buffer) = vrm_1();
    for joint in [HAIR[1], HAIR[2]] {
        document["nodes"][joint]["translation"] = json!([0, 0, 0]);
    }
    let import = load(&(document, buffer));
    let springs = import.vrm.unwrap().spring_bones(import.model.skeleton()).unwrap().unwrap();
    assert_eq!(springs.bone_count(), 0);
}

#[test]
fn constraints_in_a_circle_are_left_out() {
    let import = load(&vrm_1());
    let mut vrm = import.vrm.unwrap();
    let [rotation, roll, _] = &mut vrm.constraints[..] else { panic!("other than three constraints") };
    (rotation.joint, rotation.source) = (JointId::new(HAIR[0]), JointId::new(HAIR[2]));
    (roll.joint, roll.source) = (JointId::new(HAIR[2]), JointId::new(HAIR[0]));
    // The aim depends on its own ancestor, which is in the circle.
    assert!(vrm.constraint_modifiers(import.model.skeleton()).is_empty());
    vrm.constraints[0].source = JointId::new(HIPS);
    let order: Vec<usize> = vrm
        .constraint_modifiers(import.model.skeleton())
        .iter()
        .map(|modifier| modifier.constraint().joint.index())
        .collect();
    assert_eq!(order, [HAIR[0], HAIR[2], HAIR[1]]);
}

#[test]
fn wrong_indices_and_names_are_refused_with_their_place() {
    let wrong = [
        ("/extensions/VRMC_vrm/humanoid/humanBones/hips/node", json!(7), "one of 7 nodes"),
        ("/extensions/VRMC_vrm/humanoid/humanBones/hips/node", json!(-1), "one of 7 nodes"),
        ("/extensions/VRMC_vrm/humanoid/humanBones/hips", json!({}), "the field \"node\""),
        ("/extensions/VRMC_vrm/humanoid", json!([]), "an object"),
        ("/extensions/VRMC_vrm/firstPerson/meshAnnotations/0/type", json!("never"), "auto, both"),
        ("/extensions/VRMC_vrm/expressions/preset/happy/morphTargetBinds/0/node", json!(9), "one of 7 nodes"),
        ("/extensions/VRMC_vrm/expressions/preset/happy/overrideBlink", json!("x"), "none, block or blend"),
        ("/extensions/VRMC_springBone/springs/0/colliderGroups/0", json!(2), "one of 2 collider groups"),
        ("/extensions/VRMC_springBone/colliderGroups/0/colliders/0", json!(4), "one of 4 colliders"),
        ("/extensions/VRMC_springBone/colliders/0/shape", json!({}), "a sphere, a capsule or a plane"),
        ("/extensions/VRMC_springBone/springs/0/joints/0/stiffness", json!(1e39), "numbers of 32 bits"),
        ("/extensions/VRMC_springBone/springs/0/joints/0/gravityDir", json!([1, 2]), "3 numbers"),
        ("/nodes/3/extensions/VRMC_node_constraint/constraint/roll/rollAxis", json!("W"), "X, Y or Z"),
        (
            "/nodes/3/extensions/VRMC_node_constraint/constraint/roll/source",
            json!(3),
            "other than the node itself",
        ),
        ("/nodes/3/extensions/VRMC_node_constraint/constraint/aim", json!({"source": 0}), "one of roll, aim"),
    ];
    for (pointer, value, expected) in wrong {
        let (mut document, buffer) = vrm_1();
        match document.pointer_mut(pointer) {
            Some(found) => *found = value,
            None => {
                let (parent, name) = pointer.rsplit_once('/').unwrap();
                document.pointer_mut(parent).unwrap()[name] = value;
            }
        }
        let bytes = glb(&serde_json::to_vec(&document).unwrap(), &buffer);
        let error = load_bytes(&bytes, &ImportOptions::default()).unwrap_err().to_string();
        assert!(error.starts_with("line 1, column ") && error.contains(expected), "{pointer}: {error}");
    }
}

#[test]
fn changed_files_give_an_error_or_a_model() {
    let sources = [vrm_1(), vrm_0(), animation()];
    let mut models = 0;
    let count = mutation_count();
    for seed in 0..count {
        let (mut document, buffer) = sources[seed as usize % sources.len()].clone();
        let mut random = Random::new(seed);
        let done: Vec<_> =
            (0..1 + random.below(3)).map(|_| change_value(&mut document, &mut random)).collect();
        let bytes = glb(&serde_json::to_vec(&document).unwrap(), &buffer);
        models += usize::from(import(&bytes, || format!("seed {seed}, {done:?}")));
        check_export(&bytes);
    }
    eprintln!("{models} models of {count}");
    for (document, buffer) in sources {
        let mut bytes = glb(&serde_json::to_vec(&document).unwrap(), &buffer);
        for len in 0..bytes.len() {
            assert!(!import(&bytes[..len], || format!("cut at {len}")), "cut at {len}");
        }
        for bit in 0..bytes.len() * 8 {
            bytes[bit / 8] ^= 1 << (bit % 8);
            import(&bytes, || format!("bit {bit}"));
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
    }
}

/// What is imported can be exported, expanded and retargeted.
fn check_export(bytes: &[u8]) {
    let Ok(Import { model, vrm: Some(vrm), .. }) = load_bytes(bytes, &ImportOptions::default()) else {
        return;
    };
    let _ = vrm.spring_chains(model.skeleton());
    let mut modified = model.instance();
    if let Some(springs) = vrm.spring_bones(model.skeleton()).expect("data of this model") {
        modified.modifiers_mut().push(springs).expect("data of this model");
        modified.step(0.1);
    }
    for modifier in vrm.constraint_modifiers(model.skeleton()) {
        let mut instance = model.instance();
        instance.modifiers_mut().push(modifier).expect("data of this model");
        instance.step(0.1);
        let pose = instance.pose();
        let finite = |joint| pose.rotation(joint).iter().all(|part| part.is_finite());
        assert!(model.skeleton().joints().all(finite));
    }
    if let Some(animation) = &vrm.animation {
        let _ = vrm.retarget(&model, animation, &model);
    }
    let mut glb = Vec::new();
    if write_vrm_glb(&mut glb, &model, &vrm, UpAxisConversion::None).is_ok() {
        load_bytes(&glb, &ImportOptions::default()).expect("data of this model");
    }
}
