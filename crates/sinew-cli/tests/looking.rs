//! `info` and `check`, as people and machines read them.

mod run;

use run::{Folder, MD5_ANIM, MD5_MESH, printed, refusal};
use serde_json::Value;

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

#[test]
fn info_tells_what_a_model_is_made_of() {
    let text = Folder::new().printed(&["info", "@figure"]);
    for word in [
        "64 joints",
        "1 root",
        "body",
        "runs",
        "walk",
        "wave",
        "1.100",
        "+Y is up",
        "oddities   none",
        "bounds     1.",
    ] {
        assert!(text.contains(word), "no {word} in:\n{text}");
    }
}

#[test]
fn info_for_machines_has_stable_keys() {
    let value = json(&Folder::new().printed(&["info", "@figure:1000", "--json"]));
    assert_eq!(value["skeleton"]["joints"], 64);
    assert_eq!(value["clips"][0]["name"], "walk");
    assert_eq!(value["clips"][1]["seconds"], 3.0);
    assert_eq!(value["parts"][0]["path"], "runs");
    assert_eq!(value["parts"][0]["vertices"], value["vertices"]);
    let height = |bounds: &Value| bounds["max"][1].as_f64().expect("a number");
    assert!((1.5..2.2).contains(&height(&value["bounds"])), "{}", value["bounds"]);
    assert!(height(&value["clips"][1]["bounds"]) > height(&value["bounds"]), "a hand is raised");
    let keys: Vec<&str> = value.as_object().expect("an object").keys().map(String::as_str).collect();
    let expected = [
        "file",
        "up",
        "vertices",
        "triangles",
        "bounds",
        "skeleton",
        "skins",
        "parts",
        "clips",
        "materials",
        "images",
        "oddities",
    ];
    assert_eq!(keys, expected);
}

#[test]
fn clips_of_md5_are_named_after_their_files() {
    let folder = Folder::new();
    folder.write("a.md5mesh", MD5_MESH);
    folder.write("rise.md5anim", MD5_ANIM);
    let value = json(&folder.printed(&["info", "a.md5mesh", "--with", "rise.md5anim", "--json"]));
    assert_eq!(value["clips"][0]["name"], "rise");
    assert_eq!(value["clips"][0]["seconds"], 1.0);
    assert_eq!(value["up"], "z");
    assert_eq!(value["parts"][0]["path"], "weighted");
    folder.refused(2, &["info", "@figure", "--with", "rise.md5anim"]);
    folder.refused(1, &["info", "a.md5mesh", "--with", "fall.md5anim"]);
}

#[test]
fn a_model_may_come_by_the_standard_input() {
    let folder = Folder::new();
    let piped = folder.sinew_with_input(&["info", "-", "--json"], MD5_MESH.as_bytes());
    assert_eq!(json(&printed(&piped))["file"], "standard input");
    let text = refusal(1, &folder.sinew_with_input(&["info", "-"], b"solid"));
    assert!(text.starts_with("sinew: standard input: byte 0: expected"), "{text}");
}

#[test]
fn a_file_that_is_not_there_is_bad_input_and_a_rule_that_is_not_there_bad_usage() {
    let folder = Folder::new();
    for command in ["info", "check"] {
        assert!(folder.refused(1, &[command, "nowhere.glb"]).contains("nowhere.glb"));
        folder.refused(1, &[command, "."]);
        folder.refused(2, &[command, "@dog"]);
        folder.refused(2, &[command, "@figure:0"]);
        folder.refused(2, &[command]);
        folder.refused(2, &[command, "@figure", "--jsn"]);
    }
}

#[test]
fn check_names_the_place_of_a_fault() {
    let folder = Folder::new();
    folder.write("bad.md5mesh", MD5_MESH.replace("tri 0 0 1 2", "tri 0 0 1 3"));
    let text = folder.refused(1, &["check", "bad.md5mesh"]);
    assert!(text.contains("bad.md5mesh: line 15"), "{text}");
    let output = folder.sinew(&["check", "bad.md5mesh", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let value = json(&String::from_utf8_lossy(&output.stdout));
    assert_eq!(value["usable"], false);
    assert!(value["faults"][0]["place"].as_str().expect("text").starts_with("line 15"), "{value}");
}

#[test]
fn check_lists_every_fault_of_a_document() {
    let folder = Folder::new();
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
    let output = folder.sinew(&["check", "many.gltf", "--json"]);
    let value = json(&String::from_utf8_lossy(&output.stdout));
    let places: Vec<_> =
        value["faults"].as_array().expect("a list").iter().map(|fault| &fault["place"]).collect();
    assert_eq!(places, expected);
    let output = folder.sinew(&["check", "many.gltf"]);
    assert_eq!(output.status.code(), Some(1));
    let (printed, refused) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(refused.contains("scene: expected one of 1 scenes, found 3"), "{refused}");
    for place in &expected[1..] {
        assert!(printed.contains(&format!("  also {place}: expected ")), "{place} in:\n{printed}");
    }
}

#[test]
fn check_lists_no_more_than_a_hundred_faults() {
    let folder = Folder::new();
    let nodes: Vec<String> = (1..=50_000).map(|node| node.to_string()).collect();
    let document =
        format!(r#"{{"asset": {{"version": "2.0"}}, "scenes": [{{"nodes": [{}]}}]}}"#, nodes.join(","));
    folder.write("hostile.gltf", document);
    let output = folder.sinew(&["check", "hostile.gltf", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let value = json(&String::from_utf8_lossy(&output.stdout));
    assert_eq!(value["faults"].as_array().map(Vec::len), Some(100));
}

#[test]
fn check_lists_what_is_odd_and_strictly_refuses_it() {
    let folder = Folder::new();
    folder.write("odd.md5mesh", MD5_MESH.replace("weight 2 1 1 (", "weight 2 1 0.5 ("));
    let text = folder.printed(&["check", "odd.md5mesh"]);
    assert!(text.contains("can be used; one oddity\n  line"), "{text}");
    let output = folder.sinew(&["check", "odd.md5mesh", "--strict", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let value = json(&String::from_utf8_lossy(&output.stdout));
    assert_eq!((&value["usable"], value["oddities"].as_array().map(Vec::len)), (&false.into(), Some(1)));
    folder.refused(1, &["info", "odd.md5mesh", "--strict"]);
}

#[test]
fn what_was_odd_before_a_fault_is_listed_too() {
    let folder = Folder::new();
    folder.write("odd.md5mesh", format!("\u{feff}{}", MD5_MESH.replace("tri 0 0 1 2", "tri 0 0 1 3")));
    let output = folder.sinew(&["check", "odd.md5mesh", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let value = json(&String::from_utf8_lossy(&output.stdout));
    assert_eq!(value["faults"].as_array().map(Vec::len), Some(1));
    assert_eq!(value["oddities"][0]["found"], "a byte order mark");
}

#[test]
fn check_takes_a_clip_alone() {
    let folder = Folder::new();
    folder.write("rise.md5anim", MD5_ANIM);
    assert!(folder.printed(&["check", "rise.md5anim"]).contains("a clip of 3 frames for 2 joints"));
    folder.write("cut.md5anim", &MD5_ANIM[..MD5_ANIM.len() - 4]);
    assert!(folder.refused(1, &["check", "cut.md5anim"]).contains("cut.md5anim: line"));
}

#[test]
fn an_unknown_instruction_set_is_bad_usage_for_every_model() {
    let folder = Folder::new();
    folder.write("a.md5mesh", MD5_MESH);
    for model in ["@figure", "a.md5mesh"] {
        let mut command = run::command(&folder.path, &["info", model]);
        let output = command.env("SINEW_ISA", "mmx").output().expect("the program starts");
        assert!(refusal(2, &output).contains("SINEW_ISA"));
    }
}
