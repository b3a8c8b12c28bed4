//! `sinew info` and `sinew check`: their text and JSON output.

mod support;

use serde_json::Value;
use support::{MD5_ANIM, MD5_MESH, TestFolder, error_line, stdout};

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

#[test]
fn info_shows_what_a_model_contains() {
    let text = TestFolder::new().run(&["info", "@figure"]);
    for word in [
        "64 joints",
        "1 root",
        "body",
        "right hand",
        "left upper arm",
        "OPAQUE",
        "walk",
        "wave",
        "1.100",
        "+Y is up",
        "warnings        none",
        "bounds          1.",
    ] {
        assert!(text.contains(word), "no {word} in:\n{text}");
    }
}

#[test]
fn info_json_has_stable_keys() {
    let value = json(&TestFolder::new().run(&["info", "@figure:1000", "--json"]));
    assert_eq!(value["skeleton"]["joints"], 64);
    assert_eq!(value["clips"][0]["name"], "walk");
    assert_eq!(value["clips"][1]["seconds"], 3.0);
    assert_eq!(value["joints"].as_array().expect("joints").len(), 64);
    assert_eq!(value["joints"][0]["parent"], Value::Null);
    assert_eq!(value["joints"][1]["parent"], 0);
    assert_eq!(value["mesh_instances"][0]["material"], 0);
    assert_eq!(value["mesh_instances"][0]["vertices"], value["vertices"]);
    let height = |bounds: &Value| bounds["max"][1].as_f64().expect("a number");
    assert!((1.5..2.2).contains(&height(&value["bounds"])), "{}", value["bounds"]);
    assert!(height(&value["clips"][1]["bounds"]) > height(&value["bounds"]), "the wave clip raises a hand");
    let keys: Vec<&str> = value.as_object().expect("an object").keys().map(String::as_str).collect();
    let expected = [
        "file",
        "up",
        "vertices",
        "triangles",
        "bounds",
        "skeleton",
        "joints",
        "skins",
        "mesh_instances",
        "clips",
        "materials",
        "images",
        "warnings",
    ];
    assert_eq!(keys, expected);
}

#[test]
fn info_shows_the_layout_of_vertices_only_if_asked() {
    let folder = TestFolder::new();
    assert!(!folder.run(&["info", "@figure:1000"]).contains("shared-joints"));
    assert!(folder.run(&["info", "@figure:1000", "--verbose"]).contains("shared-joints"));
    let layout = |arguments: &[&str]| json(&folder.run(arguments))["mesh_instances"][0]["layout"].clone();
    assert_eq!(layout(&["info", "@figure:1000", "--json"]), Value::Null);
    assert_eq!(layout(&["info", "@figure:1000", "--json", "--verbose"]), "shared-joints");
}

/// A mesh with two morph targets, whose vertices are all at the origin.
const MORPHED: &str = r#"{
    "asset": {"version": "2.0"},
    "scenes": [{"nodes": [0]}],
    "nodes": [{"name": "face", "mesh": 0}],
    "meshes": [{
        "primitives": [{"attributes": {"POSITION": 0}, "targets": [{"POSITION": 0}, {"POSITION": 0}]}],
        "extras": {"targetNames": ["smile", "blink"]}
    }],
    "accessors": [
        {"componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [0, 0, 0]}
    ]
}"#;

#[test]
fn info_lists_morph_targets_by_name() {
    let folder = TestFolder::new();
    folder.write("face.gltf", MORPHED);
    let text = folder.run(&["info", "face.gltf"]);
    assert!(text.contains("morph targets   of 1 mesh instance\n  face: smile, blink\n"), "{text}");
    let value = json(&folder.run(&["info", "face.gltf", "--json"]));
    assert_eq!(value["mesh_instances"][0]["morph_target_names"], serde_json::json!(["smile", "blink"]));
    assert!(folder.run(&["info", "@twist"]).contains("morph targets   none\n"));
}

#[test]
fn info_shows_the_skin_of_each_mesh_instance() {
    let value = json(&TestFolder::new().run(&["info", "@twist", "--json"]));
    assert_eq!(value["mesh_instances"][0]["skin"], 0);
    let numbers = value["skins"][0]["joint_numbers"].as_array().expect("joints");
    assert_eq!(value["skins"][0]["joints"], numbers.len());
    assert!(TestFolder::new().run(&["info", "@twist"]).contains("skin  skin joints"));
}

#[test]
fn info_measures_locality_if_asked() {
    let folder = TestFolder::new();
    let value = json(&folder.run(&["info", "@figure:1000", "--json", "--locality"]));
    let [primitive] = &value["locality"].as_array().expect("primitives")[..] else { panic!("{value}") };
    assert_eq!(primitive["triangles"], value["triangles"]);
    let number = |key: &str| primitive[key].as_f64().expect("a number");
    assert!(number("acmr_drawn") <= number("acmr") && number("acmr_drawn") > 0.4, "{primitive}");
    for order in ["source", "run"] {
        assert!(number(&format!("{order}_overfetch")) >= 1.0, "{primitive}");
        assert!(number(&format!("{order}_overfetch_drawn")) >= 1.0, "{primitive}");
    }
    let text = folder.run(&["info", "@figure:1000", "--locality"]);
    assert!(text.contains("locality        of 1 primitive"), "{text}");
    assert!(!folder.run(&["info", "@figure:1000"]).contains("locality"));
}

#[test]
fn md5_clips_are_named_after_their_files() {
    let folder = TestFolder::new();
    folder.write("a.md5mesh", MD5_MESH);
    folder.write("rise.md5anim", MD5_ANIM);
    let value = json(&folder.run(&["info", "a.md5mesh", "--with", "rise.md5anim", "--json", "--verbose"]));
    assert_eq!(value["clips"][0]["name"], "rise");
    assert_eq!(value["clips"][0]["seconds"], 1.0);
    assert_eq!(value["up"], "z");
    assert_eq!(value["mesh_instances"][0]["layout"], "pre-weighted");
    // Without it, the clip is not part of the model, and neither is a picture that is not there.
    let text = folder.run(&["info", "a.md5mesh"]);
    assert!(text.contains("none; 1 MD5 clip beside the model: --with rise.md5anim adds one"), "{text}");
    assert!(text.contains("skin.png not found"), "{text}");
    // From another folder, the name is one that works there.
    std::fs::create_dir(folder.path.join("below")).expect("a folder");
    folder.write("below/b.md5mesh", MD5_MESH);
    folder.write("below/rise.md5anim", MD5_ANIM);
    let below = std::path::Path::new("below").join("rise.md5anim");
    let text = folder.run(&["info", "below/b.md5mesh"]);
    assert!(text.contains(&format!("--with {} adds one", below.display())), "{text}");
    assert_eq!(value["materials"][0]["missing_picture"], "skin");
    folder.write("skin.tga", "a picture");
    let value = json(&folder.run(&["info", "a.md5mesh", "--json"]));
    assert!(value["materials"][0]["missing_picture"].is_null(), "{value}");
    folder.run_error(2, &["info", "@figure", "--with", "rise.md5anim"]);
    folder.run_error(1, &["info", "a.md5mesh", "--with", "fall.md5anim"]);
    let text = folder.run_error(1, &["info", "rise.md5anim"]);
    assert!(text.contains("found an MD5 clip (.md5anim)") && text.contains("--with"), "{text}");
}

#[test]
fn a_model_can_be_read_from_standard_input() {
    let folder = TestFolder::new();
    let piped = folder.output_with_input(&["info", "-", "--json"], MD5_MESH.as_bytes());
    assert_eq!(json(&stdout(&piped))["file"], "standard input");
    let text = error_line(1, &folder.output_with_input(&["info", "-"], b"solid"));
    assert!(text.starts_with("sinew: standard input: byte 0: expected"), "{text}");
}

#[test]
fn a_missing_file_is_bad_input_and_an_unknown_procedural_model_bad_usage() {
    let folder = TestFolder::new();
    for command in ["info", "check"] {
        assert!(folder.run_error(1, &[command, "nowhere.glb"]).contains("nowhere.glb"));
        folder.run_error(1, &[command, "."]);
        folder.run_error(2, &[command, "@dog"]);
        folder.run_error(2, &[command, "@figure:0"]);
        folder.run_error(2, &[command]);
        folder.run_error(2, &[command, "@figure", "--jsn"]);
    }
}

#[test]
fn check_prints_the_location_of_an_error() {
    let folder = TestFolder::new();
    folder.write("bad.md5mesh", MD5_MESH.replace("tri 0 0 1 2", "tri 0 0 1 3"));
    let text = folder.run_error(1, &["check", "bad.md5mesh"]);
    assert!(text.contains("bad.md5mesh: line 15"), "{text}");
    let output = folder.output(&["check", "bad.md5mesh", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let value = json(&String::from_utf8_lossy(&output.stdout));
    assert_eq!(value["usable"], false);
    assert!(value["errors"][0]["location"].as_str().expect("text").starts_with("line 15"), "{value}");
}

#[test]
fn check_lists_every_error_of_a_gltf_document() {
    let folder = TestFolder::new();
    let document = r#"{"asset": {"version": "2.0"}, "scene": 3, "scenes": [{"nodes": [0, 7]}],
        "nodes": [{"mesh": 5}, {"children": [9]}], "buffers": [{"byteLength": 8}],
        "bufferViews": [{"buffer": 0, "byteLength": 9}, {"buffer": 0, "byteLength": 4, "byteStride": 7}]}"#;
    folder.write("many.gltf", document);
    let expected = [
        "scene",
        "scenes[0].nodes[1]",
        "nodes[0].mesh",
        "nodes[1].children[0]",
        "bufferViews[0]",
        "bufferViews[1].byteStride",
    ];
    let output = folder.output(&["check", "many.gltf", "--json"]);
    let value = json(&String::from_utf8_lossy(&output.stdout));
    let locations: Vec<_> =
        value["errors"].as_array().expect("a list").iter().map(|error| &error["location"]).collect();
    assert_eq!(locations, expected);
    let output = folder.output(&["check", "many.gltf"]);
    assert_eq!(output.status.code(), Some(1));
    let (printed, refused) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(refused.contains("scene: expected one of 1 scenes, found 3"), "{refused}");
    for location in &expected[1..] {
        assert!(printed.contains(&format!("  error: {location}: expected ")), "{location} in:\n{printed}");
    }
}

#[test]
fn check_lists_at_most_a_hundred_errors() {
    let folder = TestFolder::new();
    let nodes: Vec<String> = (1..=50_000).map(|node| node.to_string()).collect();
    let document =
        format!(r#"{{"asset": {{"version": "2.0"}}, "scenes": [{{"nodes": [{}]}}]}}"#, nodes.join(","));
    folder.write("hostile.gltf", document);
    let output = folder.output(&["check", "hostile.gltf", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let value = json(&String::from_utf8_lossy(&output.stdout));
    assert_eq!(value["errors"].as_array().map(Vec::len), Some(100));
}

#[test]
fn check_lists_warnings_and_strict_rejects_them() {
    let folder = TestFolder::new();
    folder.write("warning.md5mesh", MD5_MESH.replace("weight 2 1 1 (", "weight 2 1 0.5 ("));
    let text = folder.run(&["check", "warning.md5mesh"]);
    assert!(text.contains("; usable; 1 warning\n  warning: line"), "{text}");
    let output = folder.output(&["check", "warning.md5mesh", "--strict", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let value = json(&String::from_utf8_lossy(&output.stdout));
    assert_eq!((&value["usable"], value["warnings"].as_array().map(Vec::len)), (&false.into(), Some(1)));
    folder.run_error(1, &["info", "warning.md5mesh", "--strict"]);
}

#[test]
fn warnings_before_an_error_are_listed() {
    let folder = TestFolder::new();
    folder.write("warning.md5mesh", format!("\u{feff}{}", MD5_MESH.replace("tri 0 0 1 2", "tri 0 0 1 3")));
    let output = folder.output(&["check", "warning.md5mesh", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let value = json(&String::from_utf8_lossy(&output.stdout));
    assert_eq!(value["errors"].as_array().map(Vec::len), Some(1));
    assert_eq!(value["warnings"][0]["found"], "a byte order mark");
}

#[test]
fn check_accepts_an_md5_clip_without_its_model() {
    let folder = TestFolder::new();
    folder.write("rise.md5anim", MD5_ANIM);
    assert!(folder.run(&["check", "rise.md5anim"]).contains("a clip with 3 frames for 2 joints"));
    folder.write("cut.md5anim", &MD5_ANIM[..MD5_ANIM.len() - 4]);
    assert!(folder.run_error(1, &["check", "cut.md5anim"]).contains("cut.md5anim: line"));
}

#[test]
fn an_unknown_instruction_set_is_bad_usage_for_every_model() {
    let folder = TestFolder::new();
    folder.write("a.md5mesh", MD5_MESH);
    for model in ["@figure", "a.md5mesh"] {
        let mut command = support::command(&folder.path, &["info", model]);
        let output = command.env("SINEW_ISA", "mmx").output().expect("the program starts");
        assert!(error_line(2, &output).contains("SINEW_ISA"));
    }
}
