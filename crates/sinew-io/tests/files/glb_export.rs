//! GLB export of posed and whole models.

use serde_json::json;
use sinew::animation::{ClipEvent, Interpolation, KeyData, Keys, Track};
use sinew::mesh::{Deltas, MorphSource, Weights};
use sinew::model::{Image, Material, MeshInstance, ModelSource, Primitive, Texture, UpAxis};
use sinew::{Bone, Clip, Influences, JointId, Matrix, Mesh, MeshSource, Model, Skeleton, Skin, Transform};
use sinew_io::{BakedModel, Deviation, UpAxisConversion, write_model_glb, write_posed_glb};

use crate::support::glb_reader::Glb;

fn figure() -> Model {
    sinew_figures::scene("@figure:2000").expect("a generated scene").model().expect("a valid model")
}

fn export_posed(model: &Model, up_axis: UpAxisConversion) -> Glb {
    let mut bytes = Vec::new();
    write_posed_glb(&mut bytes, &BakedModel::new(model).expect("few vertices"), up_axis).expect("memory");
    Glb::new(&bytes)
}

fn export_model(model: &Model, up_axis: UpAxisConversion) -> (Glb, Deviation) {
    let mut bytes = Vec::new();
    let deviation = write_model_glb(&mut bytes, model, up_axis).expect("memory");
    (Glb::new(&bytes), deviation)
}

fn mesh_instance(name: &str, joint: usize, primitive: usize, skin: usize) -> MeshInstance {
    MeshInstance { primitive, skin, ..MeshInstance::new(name, JointId::new(joint)) }
}

/// Two joints a metre apart, a skin that contains each joint several times, a vertex with six
/// influences, a rigid mesh instance with a morph target, an image, and clips of every
/// interpolation.
fn unusual_model() -> Model {
    let metre = Transform { translation: [0.0, 1.0, 0.0], ..Transform::IDENTITY };
    let skeleton =
        Skeleton::new(&[Bone::new("a", None, metre), Bone::new("b", Some(0), metre)]).expect("joints");
    let skeleton = skeleton.with_morph_weights(&[0.25]).expect("finite");
    let joints = [0, 1, 0, 1, 0, 1].map(JointId::new);
    let mut moved = Matrix::IDENTITY;
    moved.rows[0][3] = 2.0;
    let binds = [Matrix::IDENTITY, moved, moved, Matrix::IDENTITY, moved, moved];
    let skin = Skin::with_inverse_binds(&skeleton, &joints, &binds).expect("a skin");
    let own = Skin::with_inverse_binds(&skeleton, &[JointId::new(1)], &[Matrix::IDENTITY]).expect("a skin");
    let positions = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let listed = Influences::Variable {
        counts: &[6, 1, 1],
        joints: &[0, 1, 2, 3, 4, 5, 1, 0],
        weights: &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 1.0, 1.0],
    };
    let skinned = MeshSource {
        normals: Some(&[[0.0, 0.0, 2.0], [0.0; 3], [0.0, 0.0, 1.0]]),
        tangents: Some(&[[3.0, 0.0, 0.0, -1.0], [0.0, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0, 1.0]]),
        triangles: &[[2, 1, 0]],
        ..MeshSource::new(&positions, listed)
    };
    let one = Influences::Variable { counts: &[1; 3], joints: &[0; 3], weights: &[1.0; 3] };
    let morphs =
        [MorphSource { name: "smile", positions: Deltas::Dense(&positions), ..MorphSource::default() }];
    let plain = MeshSource { morphs: &morphs, ..MeshSource::new(&positions, one) };
    let textured = Primitive {
        texture_coordinates: vec![Vec::new(), vec![[0.5, 0.25]; 3]],
        colors: vec![vec![[2.0, 0.5, f32::MIN, 1.0]; 3]],
        material: Some(0),
        ..Primitive::new("arm", Mesh::new(&skinned, &skin).expect("a valid mesh"))
    };
    let face = Primitive {
        material: Some(0),
        ..Primitive::new("face", Mesh::new(&plain, &own).expect("a valid mesh"))
    };
    let cubic = [[0.0; 3], [0.0; 3], [1.0, 0.0, 0.0], [0.0; 3], [1.0; 3], [0.0; 3]];
    let tracks = [
        Track {
            times: &[0.0, 1.0],
            keys: Keys::Translations { joint: JointId::new(0), values: &cubic },
            interpolation: Interpolation::Cubic,
        },
        Track {
            times: &[0.0, 1.0],
            keys: Keys::Scales { joint: JointId::new(1), values: &[[1.0; 3], [2.0; 3]] },
            interpolation: Interpolation::Step,
        },
        Track {
            times: &[0.5, 1.5],
            keys: Keys::Weights { first: 0, count: 1, values: &[0.0, 1.0] },
            interpolation: Interpolation::Linear,
        },
    ];
    let clips = vec![
        Clip::new("move", &skeleton, &tracks).expect("a valid clip"),
        Clip::new("nothing", &skeleton, &[]).expect("an empty clip"),
    ];
    let texture = Some(Texture { image: 0, set: 1, ..Texture::default() });
    Model::new(ModelSource {
        skins: vec![skin, own],
        primitives: vec![textured, face],
        mesh_instances: vec![
            mesh_instance("arm", 0, 0, 0),
            MeshInstance { morph_weights: 0..1, ..mesh_instance("face", 1, 1, 1) },
        ],
        clips,
        materials: vec![Material {
            base_texture: texture,
            base_color: [1.0, 1.0, 1.0, 0.5],
            ..Material::default()
        }],
        images: vec![Image { bytes: b"\x89PNG\r\n\x1a\n?".to_vec(), ..Image::default() }],
        up: UpAxis::Z,
        ..ModelSource::new(skeleton)
    })
    .expect("a valid model")
}

/// A vertex with two joint-space influences whose positions are a metre apart at rest, and whose
/// weights sum to three quarters.
fn inconsistent_joint_space() -> Model {
    let metre = Transform { translation: [1.0, 0.0, 0.0], ..Transform::IDENTITY };
    let skeleton = Skeleton::new(&[Bone::new("a", None, Transform::IDENTITY), Bone::new("b", None, metre)])
        .expect("roots");
    let skin = Skin::new(&skeleton, &[0, 1].map(JointId::new)).expect("a skin");
    let influences = Influences::JointSpace {
        counts: &[2, 1],
        joints: &[0, 1, 1],
        weights: &[0.5, 0.25, 1.0],
        vectors: &[[1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0; 3]],
    };
    let mesh = Mesh::new(&MeshSource::new(&[], influences), &skin).expect("a valid mesh");
    let keys = Keys::Translations {
        joint: JointId::new(1),
        values: &[[1.0, 0.0, 0.0], [1.0, 8.0, 0.0], [1.0, 0.0, 0.0]],
    };
    let track = Track { times: &[0.0, 0.5, 1.0], keys, interpolation: Interpolation::Linear };
    Model::new(ModelSource {
        clips: vec![Clip::new("up", &skeleton, &[track]).expect("a valid clip")],
        skins: vec![skin],
        primitives: vec![Primitive::new("", mesh)],
        mesh_instances: vec![mesh_instance("", 0, 0, 0)],
        up: UpAxis::Z,
        ..ModelSource::new(skeleton)
    })
    .expect("a valid model")
}

#[test]
fn a_posed_model_has_a_mesh_per_part() {
    let model = figure();
    let baked = BakedModel::new(&model).expect("few vertices");
    let glb = export_posed(&model, UpAxisConversion::ToYUp);
    assert_eq!(glb.json["scenes"][0]["nodes"], json!([0]));
    assert_eq!(glb.json["nodes"], json!([{"name": "body", "mesh": 0}]));
    let primitive = &glb.json["meshes"][0]["primitives"][0];
    let positions = glb.numbers(&primitive["attributes"]["POSITION"]);
    assert!(positions.iter().zip(baked.positions()).all(|(a, b)| a[..] == b[..]));
    let normals = glb.numbers(&primitive["attributes"]["NORMAL"]);
    assert!(normals.iter().all(|normal| (normal.iter().map(|x| x * x).sum::<f32>() - 1.0).abs() < 1e-6));
    let indices: Vec<f32> = glb.numbers(&primitive["indices"]).concat();
    assert!(indices.iter().zip(baked.triangles().as_flattened()).all(|(&a, &b)| a == b as f32));
    assert_eq!(glb.list("materials")[primitive["material"].as_u64().expect("one") as usize]["name"], "skin");
}

#[test]
fn a_posed_model_has_colors_and_images_and_is_rotated_on_request() {
    let glb = export_posed(&unusual_model(), UpAxisConversion::ToYUp);
    assert_eq!(glb.json["scenes"][0]["nodes"], json!([2]));
    assert_eq!(glb.json["nodes"][2]["children"], json!([0, 1]));
    let [arm, face] = [0, 1].map(|mesh| &glb.json["meshes"][mesh]["primitives"][0]);
    assert_eq!(glb.numbers(&arm["attributes"]["COLOR_0"])[0], [1.0, 0.5, 0.0, 1.0]);
    assert_eq!(glb.numbers(&arm["attributes"]["TEXCOORD_0"])[0], [0.5, 0.25]);
    let base = |primitive: &serde_json::Value| {
        glb.list("materials")[primitive["material"].as_u64().expect("one") as usize]["pbrMetallicRoughness"]
            .clone()
    };
    assert_eq!(base(arm)["baseColorTexture"], json!({"index": 0, "texCoord": 0}));
    assert!(base(face)["baseColorTexture"].is_null() && face["mode"] == 0);
    let image = &glb.json["images"][0];
    assert_eq!(image["mimeType"], "image/png");
    assert_eq!(glb.view(image["bufferView"].as_u64().expect("one") as usize), b"\x89PNG\r\n\x1a\n?");
    assert_eq!(
        export_posed(&unusual_model(), UpAxisConversion::None).json["scenes"][0]["nodes"],
        json!([0, 1])
    );
}

#[test]
fn all_joints_become_nodes_with_the_same_transforms() {
    let model = figure();
    let (glb, deviation) = export_model(&model, UpAxisConversion::None);
    let skeleton = model.skeleton();
    for joint in skeleton.joints() {
        let node = &glb.json["nodes"][joint.index()];
        assert_eq!(node["name"].as_str(), Some(skeleton.name(joint)));
        let rest = skeleton.rest().transform(joint);
        let floats = |key: &str| -> Option<Vec<f32>> {
            Some(node[key].as_array()?.iter().map(|x| x.as_f64().expect("a number") as f32).collect())
        };
        assert_eq!(floats("translation").unwrap_or(vec![0.0; 3]), rest.translation);
        assert_eq!(floats("rotation").unwrap_or(vec![0.0, 0.0, 0.0, 1.0]), rest.rotation);
        if let Some(parent) = skeleton.parent(joint) {
            let children = glb.json["nodes"][parent.index()]["children"].as_array().expect("children");
            assert!(children.contains(&json!(joint.index())));
        }
    }
    // The mesh has its own node, because its joint is animated.
    let mesh = &glb.json["nodes"][skeleton.len()];
    assert_eq!(*mesh, json!({"name": "body", "mesh": 0, "skin": 0}));
    assert!(deviation.largest < 1e-5, "{deviation:?}");
}

#[test]
fn weights_sum_to_one_and_unused_joints_are_zero() {
    for model in [figure(), unusual_model()] {
        let (glb, _) = export_model(&model, UpAxisConversion::None);
        let attributes = &glb.json["meshes"][0]["primitives"][0]["attributes"];
        let mut sums = vec![0.0; model.primitives()[0].mesh.len()];
        for set in 0.. {
            let key = |of: &str| &attributes[format!("{of}_{set}")];
            if key("JOINTS").is_null() {
                break;
            }
            let (joints, weights) = (glb.numbers(key("JOINTS")), glb.numbers(key("WEIGHTS")));
            for (vertex, (joints, weights)) in joints.iter().zip(&weights).enumerate() {
                sums[vertex] += weights.iter().sum::<f32>();
                assert!(joints.iter().zip(weights).all(|(&joint, &weight)| weight > 0.0 || joint == 0.0));
            }
        }
        assert!(sums.iter().all(|sum| (sum - 1.0).abs() < 2e-7), "{sums:?}");
    }
}

#[test]
fn every_track_of_every_clip_is_exported() {
    for model in [figure(), unusual_model()] {
        let (glb, _) = export_model(&model, UpAxisConversion::None);
        for (clip, animation) in model.clips().iter().zip(glb.list("animations")) {
            assert_eq!(animation["name"].as_str(), Some(clip.name()));
            let channels = animation["channels"].as_array().expect("channels");
            for (track, channel) in clip.tracks().zip(channels) {
                let sampler = &animation["samplers"][channel["sampler"].as_u64().expect("one") as usize];
                assert_eq!(glb.numbers(&sampler["input"]).concat(), track.times);
                let values = glb.numbers(&sampler["output"]).concat();
                let (expected, path): (&[f32], _) = match &track.keys {
                    KeyData::Rotations { values, .. } => (values.as_flattened(), "rotation"),
                    KeyData::Translations { values, .. } => (values.as_flattened(), "translation"),
                    KeyData::Scales { values, .. } => (values.as_flattened(), "scale"),
                    KeyData::Weights { values, .. } => (values, "weights"),
                };
                assert_eq!((&values[..], channel["target"]["path"].as_str()), (expected, Some(path)));
            }
            assert_eq!(channels.len(), clip.tracks().count().max(1));
        }
    }
}

#[test]
fn unusual_models_become_valid_gltf() {
    let (glb, deviation) = export_model(&unusual_model(), UpAxisConversion::ToYUp);
    let skin = &glb.json["skins"][0];
    let joints: Vec<u64> =
        skin["joints"].as_array().expect("joints").iter().map(|x| x.as_u64().expect("one")).collect();
    let mut once = joints.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!((once.len(), &joints[..2]), (6, &[0, 1][..]));
    assert_eq!(glb.numbers(&skin["inverseBindMatrices"])[1][12..], [2.0, 0.0, 0.0, 1.0]);
    // The rigid mesh instance is on a child of its joint, so that it stays behind the skinned one,
    // which is on a root node. A root node above all joints rotates them.
    let nodes = glb.json["nodes"].as_array().expect("nodes");
    let child = nodes[1]["children"].as_array().and_then(|all| all.last()).and_then(|child| child.as_u64());
    let face = &nodes[child.expect("a child") as usize];
    assert_eq!((&face["mesh"], &face["weights"]), (&json!(1), &json!([0.25])));
    assert!(face["skin"].is_null());
    assert_eq!(glb.json["meshes"][1]["extras"]["targetNames"], json!(["smile"]));
    let roots = glb.json["scenes"][0]["nodes"].as_array().expect("roots");
    let turned = &glb.json["nodes"][roots[0].as_u64().expect("one") as usize];
    assert_eq!((&turned["children"], &turned["name"]), (&json!([0]), &json!("to y up")));
    assert_eq!(glb.json["nodes"][roots[1].as_u64().expect("one") as usize]["mesh"], 0);
    let arm = &glb.json["meshes"][0]["primitives"][0];
    assert_eq!(
        glb.numbers(&arm["attributes"]["NORMAL"]),
        [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    );
    assert_eq!(glb.numbers(&arm["attributes"]["TANGENT"])[0], [1.0, 0.0, 0.0, -1.0]);
    assert_eq!(glb.numbers(&arm["indices"]).concat(), [2.0, 1.0, 0.0]);
    assert!(deviation.largest < 1e-6, "{deviation:?}");
}

#[test]
fn deviation_measures_what_gltf_cannot_store() {
    let (glb, deviation) = export_model(&inconsistent_joint_space(), UpAxisConversion::None);
    let attributes = &glb.json["meshes"][0]["primitives"][0]["attributes"];
    // Half of (1, 0, 0) plus a quarter of (2, 0, 0).
    assert_eq!(glb.numbers(&attributes["POSITION"])[0], [1.0, 0.0, 0.0]);
    // At the key, a quarter of eight metres became a third.
    let expected =
        Deviation { largest: 8.0 / 3.0 - 2.0, clip: Some(0), seconds: 0.5, mesh_instance: 0, vertex: 0 };
    assert!((deviation.largest - expected.largest).abs() < 1e-5, "{deviation:?}");
    assert_eq!(Deviation { largest: expected.largest, ..deviation }, expected);
    // Both joints are roots, and a skin needs a common root.
    assert_eq!(glb.json["nodes"][3], json!({"name": "all", "children": [0, 1]}));
}

#[test]
fn unnormalized_weights_are_compensated_in_the_positions() {
    let skeleton = Skeleton::new(&[Bone::new("a", None, Transform::IDENTITY)]).expect("a root");
    let skin = Skin::new(&skeleton, &[JointId::new(0)]).expect("a skin");
    let influences = Influences::Variable { counts: &[1], joints: &[0], weights: &[0.5] };
    let source = MeshSource { weights: Weights::AsStored, ..MeshSource::new(&[[2.0, 4.0, 6.0]], influences) };
    let mesh = Mesh::new(&source, &skin).expect("a valid mesh");
    let model = Model::new(ModelSource {
        skins: vec![skin],
        primitives: vec![Primitive::new("", mesh)],
        mesh_instances: vec![mesh_instance("", 0, 0, 0)],
        ..ModelSource::new(skeleton)
    });
    let (glb, deviation) = export_model(&model.expect("a valid model"), UpAxisConversion::None);
    let attributes = &glb.json["meshes"][0]["primitives"][0]["attributes"];
    assert_eq!((glb.numbers(&attributes["POSITION"]), deviation.largest), (vec![vec![1.0, 2.0, 3.0]], 0.0));
}

#[test]
fn a_model_without_parts_exports_its_joints() {
    let skeleton = Skeleton::new(&[Bone::new("only", None, Transform::IDENTITY)]).expect("a root");
    let model = Model::new(ModelSource::new(skeleton)).expect("a valid model");
    let (glb, deviation) = export_model(&model, UpAxisConversion::None);
    assert_eq!((&glb.json["nodes"], deviation), (&json!([{"name": "only"}]), Deviation::default()));
    assert!(glb.json["buffers"].is_null());
    assert!(export_posed(&model, UpAxisConversion::None).json["nodes"].is_null());
}

#[test]
fn events_of_clips_are_extras_of_their_animations() {
    let skeleton = Skeleton::new(&[Bone::new("root", None, Transform::IDENTITY)]).expect("a root");
    let keys = Keys::Translations { joint: JointId::new(0), values: &[[0.0; 3], [1.0, 0.0, 0.0]] };
    let tracks = [Track { times: &[0.0, 1.0], keys, interpolation: Interpolation::Linear }];
    let clip = |name| Clip::new(name, &skeleton, &tracks).expect("valid");
    let walk = clip("walk").with_events(vec![ClipEvent::new("step", 0.5)]).expect("within the clip");
    let clips = vec![walk, clip("still")];
    let model = Model::new(ModelSource { clips, ..ModelSource::new(skeleton.clone()) }).expect("valid");
    let animations = &export_model(&model, UpAxisConversion::None).0.json["animations"];
    assert_eq!(animations[0]["extras"], json!({ "events": [{ "name": "step", "seconds": 0.5 }] }));
    assert!(animations[1].get("extras").is_none());
}
