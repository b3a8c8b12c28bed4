//! `sinew cast`: what rays hit, and what is rejected.

mod support;

use serde_json::Value;
use support::TestFolder;

/// Runs the program and parses its output as JSON.
fn json(folder: &TestFolder, arguments: &[&str]) -> Value {
    serde_json::from_str(&folder.run(arguments)).expect("JSON")
}

#[test]
fn a_hit_has_its_point_triangle_and_joint() {
    let folder = TestFolder::new();
    let ray = ["cast", "@figure", "--from", "0,1.2,5", "--to", "0,1.2,-5"];
    let text = folder.run(&ray);
    for word in ["point ", "distance ", "normal ", "joint ", "mesh instance ", "triangle "] {
        assert!(text.lines().any(|line| line.starts_with(word)), "{text}");
    }
    let hit = json(&folder, &[&ray[..], &["--json"]].concat())["hit"].clone();
    assert_eq!(hit["side"], "front");
    let distance = hit["distance"].as_f64().expect("a number");
    let z = hit["point"][2].as_f64().expect("a number");
    assert!((distance - (5.0 - z)).abs() < 1e-5 && (4.0..6.0).contains(&distance), "{hit}");
    let sum: f64 = (0..3).map(|corner| hit["barycentrics"][corner].as_f64().expect("a number")).sum();
    assert!((sum - 1.0).abs() < 1e-5, "{hit}");
    assert!(hit["joint_name"].as_str().is_some_and(|name| !name.is_empty()), "{hit}");
}

#[test]
fn the_hit_follows_the_clip() {
    let folder = TestFolder::new();
    let at = |seconds: &str| {
        let ray = ["--from", "5,1,0", "--to", "-5,1,0", "--json"];
        json(&folder, &[&["cast", "@figure", "--clip", "walk", "--at", seconds], &ray[..]].concat())
    };
    assert_eq!(at("0.25"), at("0.25"));
    assert_ne!(at("0"), at("0.25"));
}

#[test]
fn a_miss_is_a_successful_run() {
    let folder = TestFolder::new();
    let ray = ["cast", "@figure", "--from", "0,9,0", "--to", "0,8,-1.5"];
    assert_eq!(folder.run(&ray), "no hit\n");
    assert_eq!(json(&folder, &[&ray[..], &["--json"]].concat())["hit"], Value::Null);
    // The ray ends before the model.
    assert_eq!(folder.run(&["cast", "@figure", "--from", "0,1.2,5", "--to", "0,1.2,4.5"]), "no hit\n");
}

#[test]
fn invalid_points_and_options_are_bad_usage() {
    let folder = TestFolder::new();
    for point in
        ["", "1,2", "1,2,3,4", "NaN,0,0", "inf,0,0", "1e99,0,0", "a,b,c", "1;2;3", "1,,3", "-", "0x1,0,0"]
    {
        let message = folder.run_error(2, &["cast", "@figure", "--from", point, "--to", "0,1,0"]);
        assert!(message.contains("--from") || message.contains("value"), "{message}");
    }
    let message = folder.run_error(2, &["cast", "@figure", "--from", "1,2,3", "--to", "1,2,3"]);
    assert!(message.contains("--to"), "{message}");
    folder.run_error(2, &["cast", "@figure", "--from", "1,2,3"]);
    folder.run_error(2, &["cast", "@figure", "--at", "NaN", "--from", "1,2,3", "--to", "0,0,0"]);
    folder.run_error(2, &["cast", "@figure", "--clip", "none", "--from", "1,2,3", "--to", "0,0,0"]);
    folder.run_error(1, &["cast", "missing.glb", "--from", "1,2,3", "--to", "0,0,0"]);
}

#[test]
fn a_model_without_clips_is_cast_in_its_rest_pose() {
    let folder = TestFolder::new();
    folder.write("one.md5mesh", support::MD5_MESH);
    let ray = ["cast", "one.md5mesh", "--from", "-9,-9,-9", "--to", "9,9,9", "--json"];
    assert!(json(&folder, &ray).get("hit").is_some());
    let at = folder.run_with_note(&[&ray[..], &["--at", "0.5"]].concat());
    assert_eq!(at, folder.run(&ray));
}
