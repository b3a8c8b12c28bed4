//! Parts of glTF that few files have: each is read as the specification says, or named.

use serde_json::{Value, json};
use sinew::model::{AlphaMode, Material, Sampler, Texture};
use sinew_io::{
    Error, ImageFiles, Import, ImportOptions, UpAxisConversion, dropped_by_glb, load_bytes, load_with,
    write_model_glb,
};

use crate::support::glb_writer::glb;
use crate::support::pose_model::pose_model;
use crate::support::temp_folder::TempFolder;

/// A document with one triangle: accessor 0 has its positions, and further accessors of floats may
/// follow.
fn document(arrays: &[(&str, &[f32])]) -> (Value, Vec<u8>) {
    let triangle = [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let mut buffer: Vec<u8> = triangle.iter().flat_map(|number| number.to_le_bytes()).collect();
    let mut views = vec![json!({"buffer": 0, "byteLength": 36})];
    let mut accessors = vec![json!({
        "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0],
    })];
    for (kind, numbers) in arrays {
        let width = match *kind {
            "VEC3" => 3,
            "VEC4" => 4,
            _ => 1,
        };
        views.push(json!({"buffer": 0, "byteOffset": buffer.len(), "byteLength": 4 * numbers.len()}));
        accessors.push(json!({
            "bufferView": views.len() - 1, "componentType": 5126, "count": numbers.len() / width, "type": kind,
        }));
        buffer.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    }
    let document = json!({
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "accessors": accessors,
        "bufferViews": views,
        "buffers": [{"byteLength": buffer.len()}],
    });
    (document, buffer)
}

fn import((document, buffer): &(Value, Vec<u8>)) -> Result<Import, Error> {
    let bytes = glb(&serde_json::to_vec(document).expect("valid data"), buffer);
    load_bytes(&bytes, &ImportOptions::default())
}

fn warnings(import: &Import) -> Vec<String> {
    import.warnings().iter().map(ToString::to_string).collect()
}

#[test]
fn scene_without_nodes_is_empty() {
    let mut file = document(&[]);
    file.0["scenes"] = json!([{"name": "nothing"}]);
    let import = import(&file).expect("valid data");
    assert!(import.report.is_empty() && import.model.mesh_instances().is_empty());
}

#[test]
fn bytes_after_a_glb_are_a_warning() {
    let (document, buffer) = document(&[]);
    let mut bytes = glb(&serde_json::to_vec(&document).expect("valid data"), &buffer);
    bytes.extend([0; 100]);
    let import = load_bytes(&bytes, &ImportOptions::default()).expect("valid data");
    assert!(warnings(&import)[0].contains("100 bytes after the GLB"), "{}", import.report);
}

#[test]
fn animation_without_channels_is_refused() {
    let mut file = document(&[]);
    file.0["animations"] = json!([{"channels": [], "samplers": []}]);
    let error = import(&file).unwrap_err().to_string();
    assert_eq!(error, "animations[0].channels: expected one channel or more, found none");
}

#[test]
fn primitive_restart_value_is_refused() {
    let (mut document, mut buffer) = document(&[]);
    let start = buffer.len();
    buffer.extend([0, 1, 255, 0]);
    document["bufferViews"].as_array_mut().expect("valid data").push(json!({
        "buffer": 0, "byteOffset": start, "byteLength": 4,
    }));
    document["accessors"].as_array_mut().expect("valid data").extend([
        json!({"bufferView": 1, "componentType": 5121, "count": 3, "type": "SCALAR"}),
        // So many vertices that the value would be one of them.
        json!({"componentType": 5126, "count": 300, "type": "VEC3", "min": [0, 0, 0], "max": [0, 0, 0]}),
    ]);
    document["buffers"][0]["byteLength"] = json!(buffer.len());
    document["meshes"][0]["primitives"][0] = json!({"attributes": {"POSITION": 2}, "indices": 1});
    let error = import(&(document, buffer)).unwrap_err().to_string();
    assert!(error.contains("indices: expected vertices below 255, the primitive restart value"), "{error}");
    assert!(error.contains("found 255 at corner 2"), "{error}");
}

#[test]
fn gpu_instances_become_mesh_instances() {
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let mut file = document(&[
        ("VEC3", &[0.0, 0.0, 0.0, 5.0, 0.0, 0.0]),
        ("VEC4", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, half, half]),
        ("VEC3", &[1.0, 1.0, 1.0, 2.0, 2.0, 2.0]),
    ]);
    file.0["nodes"][0] = json!({"mesh": 0, "name": "tree", "translation": [0, 0, 7], "extensions": {
        "EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": 1, "ROTATION": 2, "SCALE": 3}},
    }});
    for key in ["extensionsUsed", "extensionsRequired"] {
        file.0[key] = json!(["EXT_mesh_gpu_instancing"]);
    }
    let import = import(&file).expect("valid data");
    assert!(import.report.is_empty() && import.dropped.is_empty(), "{}", import.report);
    assert_eq!(import.model.primitives().len(), 1);
    let names: Vec<_> = import.model.mesh_instances().iter().map(|instance| &*instance.name).collect();
    assert_eq!(names, ["tree", "tree"]);
    let posed = pose_model(&import.model, None);
    assert_eq!(posed.positions[0], [[0.0, 0.0, 7.0], [1.0, 0.0, 7.0], [0.0, 1.0, 7.0]]);
    let expected = [[5.0, 0.0, 7.0], [5.0, 2.0, 7.0], [3.0, 0.0, 7.0]];
    for (found, expected) in posed.positions[1].iter().zip(expected) {
        assert!((0..3).all(|axis| (found[axis] - expected[axis]).abs() < 1e-6), "{found:?}");
    }
}

#[test]
fn faulty_gpu_instances_are_refused() {
    let attributes = [
        (
            json!({"TRANSLATION": 1, "ROTATION": 2}),
            "expected 2 elements, as the first attribute has, found 1",
        ),
        (json!({"TRANSLATION": 99}), "found 99"),
        (json!({"TRANSLATION": "one"}), "expected the index of an accessor"),
        (json!({"TRANSLATION": 2}), "expected VEC3 of f32"),
        (json!({}), "found none"),
    ];
    for (attributes, expected) in attributes {
        let mut file = document(&[("VEC3", &[0.0; 6]), ("VEC4", &[0.0, 0.0, 0.0, 1.0])]);
        file.0["nodes"][0]["extensions"] = json!({"EXT_mesh_gpu_instancing": {"attributes": attributes}});
        let error = import(&file).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn hidden_nodes_and_their_descendants_are_left_out() {
    let mut file = document(&[]);
    let hidden = json!({"KHR_node_visibility": {"visible": false}});
    let shown = json!({"KHR_node_visibility": {"visible": true}});
    file.0["nodes"] = json!([
        {"children": [1, 2]},
        {"mesh": 0, "extensions": hidden, "children": [3]},
        {"mesh": 0, "name": "shown", "extensions": shown},
        {"mesh": 0, "extensions": shown},
    ]);
    let model = import(&file).expect("valid data").model;
    let names: Vec<_> = model.mesh_instances().iter().map(|instance| &*instance.name).collect();
    assert_eq!(names, ["shown"]);
    assert_eq!(model.skeleton().len(), 4, "hidden nodes may still move others");
}

#[test]
fn images_of_extensions_are_kept() {
    let mut file = document(&[("VEC2", &[0.0; 6])]);
    file.0["accessors"][1] = json!({"componentType": 5126, "count": 3, "type": "VEC2"});
    file.0["meshes"][0]["primitives"][0] =
        json!({"attributes": {"POSITION": 0, "TEXCOORD_0": 1}, "material": 0});
    file.0["materials"] = json!([
        {"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}, "emissiveTexture": {"index": 1}},
    ]);
    file.0["textures"] = json!([
        {"extensions": {"EXT_texture_webp": {"source": 1}}},
        {"extensions": {"KHR_texture_basisu": {"source": 0}}},
        {},
    ]);
    // "RIFF....WEBP" and the first bytes of KTX2, in base64.
    file.0["images"] = json!([
        {"uri": "data:image/ktx2;base64,q0tUWCAyMLsNChoK"}, {"uri": "data:image/webp;base64,UklGRgAAAABXRUJQ"},
    ]);
    file.0["extensionsRequired"] = json!(["EXT_texture_webp"]);
    file.0["extensionsUsed"] = json!(["EXT_texture_webp", "KHR_texture_basisu"]);
    let import = import(&file).expect("valid data");
    let material = &import.model.materials()[0];
    assert_eq!(material.base_texture.map(|texture| texture.image), Some(1));
    assert_eq!(material.emissive_texture.map(|texture| texture.image), Some(0));
    let found = warnings(&import);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("KHR_texture_basisu only, number 1; the image was kept, but is not drawn"));
    // Both survive being written.
    let again = round_trip(&import);
    assert_eq!(again.model.images(), {
        let mut images = import.model.images().to_vec();
        images.reverse();
        images
    });
    assert_eq!(again.model.materials()[0].base_texture.map(|texture| texture.image), Some(0));
    file.0["textures"][0]["extensions"]["EXT_texture_webp"]["source"] = json!(2);
    let error = self::import(&file).unwrap_err().to_string();
    assert!(
        error.contains("textures[0].extensions.EXT_texture_webp.source: expected one of 2 images"),
        "{error}"
    );
}

#[test]
fn missing_images_are_a_warning_also_where_images_are_not_loaded() {
    let folder = TempFolder::new("missing-images");
    let (mut document, _) = document(&[]);
    document["images"] = json!([{"uri": "missing.png"}]);
    document["accessors"] = json!([
        {"componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [0, 0, 0]},
    ]);
    for key in ["buffers", "bufferViews"] {
        document.as_object_mut().expect("valid data").remove(key);
    }
    let path = folder.join("a.gltf");
    std::fs::write(&path, serde_json::to_vec(&document).expect("valid data")).expect("valid data");
    for images in [ImageFiles::default(), ImageFiles::Load] {
        let import = load_with(&path, &ImportOptions::default().image_files(images)).expect("valid data");
        assert!(import.report.to_string().contains("missing.png"), "{}", import.report);
    }
}

#[test]
fn version_1_is_refused_by_name() {
    let documents = [
        json!({"asset": {"version": "1.0"}}),
        // glTF 1.0 has objects where 2.0 has arrays.
        json!({"asset": {"version": "1.1"}, "accessors": {"one": {}}}),
    ];
    for document in documents {
        let bytes = serde_json::to_vec(&document).expect("valid data");
        let error = load_bytes(&bytes, &ImportOptions::default()).unwrap_err().to_string();
        assert!(error.starts_with("asset.version: expected glTF 2.0, found glTF 1."), "{error}");
        assert!(error.ends_with("; glTF-Pipeline converts it"), "{error}");
    }
}

#[test]
fn channels_of_pointers_are_named() {
    let mut file = document(&[("SCALAR", &[0.0, 1.0])]);
    file.0["extensionsUsed"] = json!(["KHR_animation_pointer"]);
    file.0["animations"] = json!([{
        "samplers": [{"input": 1, "output": 1}],
        "channels": [{"sampler": 0, "target": {
            "path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": "/nodes/0/scale"}},
        }}],
    }]);
    let import = import(&file).expect("valid data");
    assert!(warnings(&import)[0].contains("1 channels of KHR_animation_pointer"), "{}", import.report);
    assert_eq!(import.dropped, ["KHR_animation_pointer"]);
}

fn round_trip(import: &Import) -> Import {
    let mut bytes = Vec::new();
    write_model_glb(&mut bytes, &import.model, UpAxisConversion::None).expect("valid data");
    load_bytes(&bytes, &ImportOptions::default()).expect("valid data")
}

#[test]
fn whole_material_survives_conversion() {
    let mut file = document(&[]);
    file.0["accessors"].as_array_mut().expect("valid data").extend([
        json!({"componentType": 5126, "count": 3, "type": "VEC2"}),
        json!({"componentType": 5126, "count": 3, "type": "VEC2"}),
    ]);
    file.0["meshes"][0]["primitives"][0] =
        json!({"attributes": {"POSITION": 0, "TEXCOORD_0": 1, "TEXCOORD_1": 2}, "material": 0});
    file.0["materials"] = json!([{
        "name": "skin",
        "pbrMetallicRoughness": {
            "baseColorFactor": [0.5, 0.25, 1, 0.75], "metallicFactor": 0.25, "roughnessFactor": 0.5,
            "baseColorTexture": {"index": 0}, "metallicRoughnessTexture": {"index": 1, "texCoord": 1},
        },
        "normalTexture": {"index": 1, "scale": 0.5},
        "occlusionTexture": {"index": 0, "strength": 0.25, "texCoord": 1},
        "emissiveTexture": {"index": 1},
        "emissiveFactor": [1, 0.5, 0.25],
        "alphaMode": "MASK", "alphaCutoff": 0.125, "doubleSided": true,
    }]);
    file.0["samplers"] = json!([{"magFilter": 9728, "minFilter": 9987, "wrapS": 33071, "wrapT": 33648}]);
    file.0["textures"] = json!([{"source": 0, "sampler": 0}, {"source": 0}]);
    file.0["images"] = json!([{"uri": "data:image/png;base64,iVBORw0KGgo="}]);
    file.0["asset"]["copyright"] = json!("1876 someone");
    file.0["asset"]["extras"] = json!({"rig": [1, 2]});
    let first = import(&file).expect("valid data");
    let sampler =
        Sampler { mag_filter: Some(9728), min_filter: Some(9987), wrap_s: Some(33071), wrap_t: Some(33648) };
    let texture = |set, sampler| Some(Texture { image: 0, set, sampler });
    let expected = Material {
        name: "skin".to_owned(),
        base_color: [0.5, 0.25, 1.0, 0.75],
        base_texture: texture(0, sampler),
        metallic: 0.25,
        roughness: 0.5,
        metallic_roughness_texture: texture(1, Sampler::default()),
        normal_texture: texture(0, Sampler::default()),
        normal_scale: 0.5,
        occlusion_texture: texture(1, sampler),
        occlusion_strength: 0.25,
        emissive: [1.0, 0.5, 0.25],
        emissive_texture: texture(0, Sampler::default()),
        alpha_mode: AlphaMode::Mask { cutoff: 0.125 },
        double_sided: true,
    };
    assert_eq!(first.model.materials(), std::slice::from_ref(&expected));
    let again = round_trip(&first);
    assert!(again.report.is_empty(), "{}", again.report);
    assert_eq!(again.model.materials(), [expected]);
    assert_eq!(again.model.images()[0].bytes, first.model.images()[0].bytes);
    assert_eq!(again.model.metadata(), first.model.metadata());
    assert_eq!(again.model.metadata().copyright, "1876 someone");
    assert_eq!(again.model.metadata().extras, r#"{"rig":[1,2]}"#);
}

#[test]
fn conversion_keeps_the_order_of_meshes() {
    let mut file = document(&[]);
    file.0["accessors"].as_array_mut().expect("valid data").extend([
        json!({"componentType": 5121, "count": 3, "type": "VEC4"}),
        json!({"componentType": 5126, "count": 3, "type": "VEC4"}),
    ]);
    file.0["meshes"] = json!([
        {"name": "skinned", "primitives": [{"attributes": {"POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2}}]},
        {"name": "rigid", "primitives": [{"attributes": {"POSITION": 0}}]},
    ]);
    file.0["skins"] = json!([{"joints": [1]}]);
    file.0["scenes"] = json!([{"nodes": [0, 1, 2, 3]}]);
    file.0["nodes"] = json!([
        {"mesh": 0, "skin": 0, "name": "a"}, {"mesh": 1, "name": "b"}, {"mesh": 0, "skin": 0, "name": "c"},
        {"mesh": 1, "name": "d"},
    ]);
    let order = |import: &Import| -> Vec<(String, String)> {
        let instance = |(index, instance): (usize, &sinew::model::MeshInstance)| {
            (instance.name.clone(), import.model.primitive(index).name.clone())
        };
        import.model.mesh_instances().iter().enumerate().map(instance).collect()
    };
    let first = import(&file).expect("valid data");
    let names: Vec<_> = order(&first).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["a", "b", "c", "d"]);
    assert_eq!(order(&round_trip(&first)), order(&first));
}

#[test]
fn what_is_not_kept_is_listed() {
    let mut file = document(&[]);
    file.0["extensionsUsed"] = json!(["KHR_lights_punctual", "KHR_mesh_quantization"]);
    file.0["cameras"] = json!([{"type": "perspective", "perspective": {"yfov": 1, "znear": 1}}]);
    file.0["meshes"][0]["primitives"][0]["attributes"]["_CUSTOM"] = json!(0);
    file.0["images"] = json!([{"uri": "data:image/avif;base64,AAAA", "name": "sky"}]);
    let import = import(&file).expect("valid data");
    assert_eq!(import.dropped, ["KHR_lights_punctual", "1 camera", "1 custom attribute"]);
    assert_eq!(dropped_by_glb(&import.model), ["image 0 \"sky\", whose format glTF does not have"]);
}
