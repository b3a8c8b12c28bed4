//! GLB: posed models, and whole ones.

use serde_json::json;
use sinew::{
    Bone, Clip, Deltas, Image, Influences, Interpolation, KeyData, Keys, Material, Matrix, Mesh, MeshSource,
    Model, ModelSource, MorphSource, Part, Skeleton, Skin, Surface, Texture, Track, Transform, Up, Weights,
};
use sinew_io::{Baked, Deviation, Turn, write_model_glb, write_posed_glb};

use crate::documents::Glb;

fn figure() -> Model {
    sinew_figures::scene("@figure:2000").expect("a scene by rule").model().expect("a sound model")
}

fn posed(model: &Model, turn: Turn) -> Glb {
    let mut bytes = Vec::new();
    write_posed_glb(&mut bytes, &Baked::new(model).expect("few vertices"), turn).expect("memory");
    Glb::new(&bytes)
}

fn whole(model: &Model, turn: Turn) -> (Glb, Deviation) {
    let mut bytes = Vec::new();
    let deviation = write_model_glb(&mut bytes, model, turn).expect("memory");
    (Glb::new(&bytes), deviation)
}

fn surface(name: &str, mesh: Mesh) -> Surface {
    Surface { name: name.into(), mesh, texture_coordinates: Vec::new(), colours: Vec::new(), material: None }
}

fn part(name: &str, joint: usize, surface: usize, skin: usize) -> Part {
    Part { name: name.into(), joint, surface, skin, morph_weights: 0..0 }
}

/// Two joints a metre apart, a skin of three whose last is its first again, a vertex on six influences, a plain part with a
/// morph target, a picture, and clips of every interpolation.
fn odd() -> Model {
    let metre = Transform { translation: [0.0, 1.0, 0.0], ..Transform::IDENTITY };
    let skeleton =
        Skeleton::new(&[Bone::new("a", None, metre), Bone::new("b", Some(0), metre)]).expect("joints");
    let skeleton = skeleton.with_morph_weights(&[0.25]).expect("finite");
    let joints = [0, 1, 0, 1, 0, 1];
    let mut moved = Matrix::IDENTITY;
    moved.rows[0][3] = 2.0;
    let binds = [Matrix::IDENTITY, moved, moved, Matrix::IDENTITY, moved, moved];
    let skin = Skin::with_inverse_binds(&skeleton, &joints, &binds).expect("a skin");
    let own = Skin::with_inverse_binds(&skeleton, &[1], &[Matrix::IDENTITY]).expect("a skin");
    let positions = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let listed = Influences::Listed {
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
    let one = Influences::Listed { counts: &[1; 3], joints: &[0; 3], weights: &[1.0; 3] };
    let morphs =
        [MorphSource { name: "smile", positions: Deltas::Dense(&positions), ..MorphSource::default() }];
    let plain = MeshSource { morphs: &morphs, ..MeshSource::new(&positions, one) };
    let textured = Surface {
        texture_coordinates: vec![Vec::new(), vec![[0.5, 0.25]; 3]],
        colours: vec![vec![[2.0, 0.5, f32::MIN, 1.0]; 3]],
        material: Some(0),
        ..surface("arm", Mesh::new(&skinned, &skin).expect("a sound mesh"))
    };
    let face =
        Surface { material: Some(0), ..surface("face", Mesh::new(&plain, &own).expect("a sound mesh")) };
    let cubic = [[0.0; 3], [0.0; 3], [1.0, 0.0, 0.0], [0.0; 3], [1.0; 3], [0.0; 3]];
    let tracks = [
        Track {
            times: &[0.0, 1.0],
            keys: Keys::Translations { joint: 0, values: &cubic },
            interpolation: Interpolation::Cubic,
        },
        Track {
            times: &[0.0, 1.0],
            keys: Keys::Scales { joint: 1, values: &[[1.0; 3], [2.0; 3]] },
            interpolation: Interpolation::Step,
        },
        Track {
            times: &[0.5, 1.5],
            keys: Keys::Weights { first: 0, count: 1, values: &[0.0, 1.0] },
            interpolation: Interpolation::Linear,
        },
    ];
    let clips = vec![
        Clip::new("move", &skeleton, &tracks).expect("a sound clip"),
        Clip::new("nothing", &skeleton, &[]).expect("an empty clip"),
    ];
    let texture = Some(Texture { image: 0, set: 1 });
    Model::new(ModelSource {
        skins: vec![skin, own],
        surfaces: vec![textured, face],
        parts: vec![part("arm", 0, 0, 0), Part { morph_weights: 0..1, ..part("face", 1, 1, 1) }],
        clips,
        materials: vec![Material {
            base_texture: texture,
            base_colour: [1.0, 1.0, 1.0, 0.5],
            ..Material::default()
        }],
        images: vec![Image { bytes: b"\x89PNG\r\n\x1a\n?".to_vec(), ..Image::default() }],
        up: Up::Z,
        ..ModelSource::new(skeleton)
    })
    .expect("a sound model")
}

/// Two influences in joint space whose vectors are a metre apart at rest, and of a sum of three quarters.
fn disagreeing() -> Model {
    let metre = Transform { translation: [1.0, 0.0, 0.0], ..Transform::IDENTITY };
    let skeleton = Skeleton::new(&[Bone::new("a", None, Transform::IDENTITY), Bone::new("b", None, metre)])
        .expect("roots");
    let skin = Skin::new(&skeleton, &[0, 1]).expect("a skin");
    let influences = Influences::JointSpace {
        counts: &[2, 1],
        joints: &[0, 1, 1],
        weights: &[0.5, 0.25, 1.0],
        vectors: &[[1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0; 3]],
    };
    let mesh = Mesh::new(&MeshSource::new(&[], influences), &skin).expect("a sound mesh");
    let keys = Keys::Translations { joint: 1, values: &[[1.0, 0.0, 0.0], [1.0, 8.0, 0.0], [1.0, 0.0, 0.0]] };
    let track = Track { times: &[0.0, 0.5, 1.0], keys, interpolation: Interpolation::Linear };
    Model::new(ModelSource {
        clips: vec![Clip::new("up", &skeleton, &[track]).expect("a sound clip")],
        skins: vec![skin],
        surfaces: vec![surface("", mesh)],
        parts: vec![part("", 0, 0, 0)],
        up: Up::Z,
        ..ModelSource::new(skeleton)
    })
    .expect("a sound model")
}

#[test]
fn a_posed_model_is_a_mesh_for_each_part() {
    let model = figure();
    let baked = Baked::new(&model).expect("few vertices");
    let glb = posed(&model, Turn::ToY);
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
fn a_posed_model_has_colours_and_pictures_and_is_turned_where_asked() {
    let glb = posed(&odd(), Turn::ToY);
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
    assert_eq!(posed(&odd(), Turn::None).json["scenes"][0]["nodes"], json!([0, 1]));
}

#[test]
fn all_joints_are_nodes_where_they_were() {
    let model = figure();
    let (glb, deviation) = whole(&model, Turn::None);
    let skeleton = model.skeleton();
    for joint in 0..skeleton.len() {
        let node = &glb.json["nodes"][joint];
        assert_eq!(node["name"].as_str(), Some(skeleton.name(joint)));
        let rest = skeleton.rest().transform(joint);
        let floats = |key: &str| -> Option<Vec<f32>> {
            Some(node[key].as_array()?.iter().map(|x| x.as_f64().expect("a number") as f32).collect())
        };
        assert_eq!(floats("translation").unwrap_or(vec![0.0; 3]), rest.translation);
        assert_eq!(floats("rotation").unwrap_or(vec![0.0, 0.0, 0.0, 1.0]), rest.rotation);
        if let Some(parent) = skeleton.parent(joint) {
            let children = glb.json["nodes"][parent]["children"].as_array().expect("children");
            assert!(children.contains(&json!(joint)));
        }
    }
    // The mesh has a node of its own, because its joint moves.
    let mesh = &glb.json["nodes"][skeleton.len()];
    assert_eq!(*mesh, json!({"name": "body", "mesh": 0, "skin": 0}));
    assert!(deviation.largest < 1e-5, "{deviation:?}");
}

#[test]
fn weights_have_a_sum_of_one_and_joints_without_weight_are_zero() {
    for model in [figure(), odd()] {
        let (glb, _) = whole(&model, Turn::None);
        let attributes = &glb.json["meshes"][0]["primitives"][0]["attributes"];
        let mut sums = vec![0.0; model.surfaces()[0].mesh.len()];
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
fn every_track_of_every_clip_is_there() {
    for model in [figure(), odd()] {
        let (glb, _) = whole(&model, Turn::None);
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
fn odd_models_become_what_the_format_allows() {
    let (glb, deviation) = whole(&odd(), Turn::ToY);
    let skin = &glb.json["skins"][0];
    let joints: Vec<u64> =
        skin["joints"].as_array().expect("joints").iter().map(|x| x.as_u64().expect("one")).collect();
    let mut once = joints.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!((once.len(), &joints[..2]), (6, &[0, 1][..]));
    assert_eq!(glb.numbers(&skin["inverseBindMatrices"])[1][12..], [2.0, 0.0, 0.0, 1.0]);
    // The plain part is on its joint, the other beside all joints; all joints hang on a node that turns them.
    let face = &glb.json["nodes"][1];
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
fn what_the_format_cannot_say_is_measured() {
    let (glb, deviation) = whole(&disagreeing(), Turn::None);
    let attributes = &glb.json["meshes"][0]["primitives"][0]["attributes"];
    // Half of (1, 0, 0) and a quarter of (2, 0, 0).
    assert_eq!(glb.numbers(&attributes["POSITION"])[0], [1.0, 0.0, 0.0]);
    // At the key, a quarter of eight metres became a third.
    let expected = Deviation { largest: 8.0 / 3.0 - 2.0, clip: Some(0), seconds: 0.5, part: 0, vertex: 0 };
    assert!((deviation.largest - expected.largest).abs() < 1e-5, "{deviation:?}");
    assert_eq!(Deviation { largest: expected.largest, ..deviation }, expected);
    // Both joints are roots, and a skin needs one above them.
    assert_eq!(glb.json["nodes"][3], json!({"name": "all", "children": [0, 1]}));
}

#[test]
fn weights_as_stored_are_made_up_for_in_the_positions() {
    let skeleton = Skeleton::new(&[Bone::new("a", None, Transform::IDENTITY)]).expect("a root");
    let skin = Skin::new(&skeleton, &[0]).expect("a skin");
    let influences = Influences::Listed { counts: &[1], joints: &[0], weights: &[0.5] };
    let source = MeshSource { weights: Weights::AsStored, ..MeshSource::new(&[[2.0, 4.0, 6.0]], influences) };
    let mesh = Mesh::new(&source, &skin).expect("a sound mesh");
    let model = Model::new(ModelSource {
        skins: vec![skin],
        surfaces: vec![surface("", mesh)],
        parts: vec![part("", 0, 0, 0)],
        ..ModelSource::new(skeleton)
    });
    let (glb, deviation) = whole(&model.expect("a sound model"), Turn::None);
    let attributes = &glb.json["meshes"][0]["primitives"][0]["attributes"];
    assert_eq!((glb.numbers(&attributes["POSITION"]), deviation.largest), (vec![vec![1.0, 2.0, 3.0]], 0.0));
}

#[test]
fn a_model_without_parts_is_its_joints() {
    let skeleton = Skeleton::new(&[Bone::new("only", None, Transform::IDENTITY)]).expect("a root");
    let model = Model::new(ModelSource::new(skeleton)).expect("a sound model");
    let (glb, deviation) = whole(&model, Turn::None);
    assert_eq!((&glb.json["nodes"], deviation), (&json!([{"name": "only"}]), Deviation::default()));
    assert!(glb.json["buffers"].is_null());
    assert!(posed(&model, Turn::None).json["nodes"].is_null());
}
