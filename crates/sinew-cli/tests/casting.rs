//! `sinew cast`: rays at models, and what is refused.

mod run;

use run::Folder;
use serde_json::Value;

fn json(folder: &Folder, arguments: &[&str]) -> Value {
    serde_json::from_str(&folder.printed(arguments)).expect("JSON")
}

#[test]
fn a_hit_is_told_with_its_joint() {
    let folder = Folder::new();
    let ray = ["cast", "@figure", "--from", "0,1.2,5", "--to", "0,1.2,-5"];
    let text = folder.printed(&ray);
    for word in ["point ", "distance ", "normal ", "joint ", "part ", "triangle "] {
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
fn a_clip_moves_what_is_hit() {
    let folder = Folder::new();
    let at = |seconds: &str| {
        let ray = ["--from", "5,1,0", "--to", "-5,1,0", "--json"];
        json(&folder, &[&["cast", "@figure", "--clip", "walk", "--at", seconds], &ray[..]].concat())
    };
    assert_eq!(at("0.25"), at("0.25"));
    assert_ne!(at("0"), at("0.25"));
}

#[test]
fn a_miss_is_an_answer() {
    let folder = Folder::new();
    let ray = ["cast", "@figure", "--from", "0,9,0", "--to", "0,8,-1.5"];
    assert_eq!(folder.printed(&ray), "no hit\n");
    assert_eq!(json(&folder, &[&ray[..], &["--json"]].concat())["hit"], Value::Null);
    // Too short to get there.
    assert_eq!(folder.printed(&["cast", "@figure", "--from", "0,1.2,5", "--to", "0,1.2,4.5"]), "no hit\n");
}

#[test]
fn points_that_are_none_are_bad_usage() {
    let folder = Folder::new();
    for point in
        ["", "1,2", "1,2,3,4", "NaN,0,0", "inf,0,0", "1e99,0,0", "a,b,c", "1;2;3", "1,,3", "-", "0x1,0,0"]
    {
        let told = folder.refused(2, &["cast", "@figure", "--from", point, "--to", "0,1,0"]);
        assert!(told.contains("--from") || told.contains("value"), "{told}");
    }
    let told = folder.refused(2, &["cast", "@figure", "--from", "1,2,3", "--to", "1,2,3"]);
    assert!(told.contains("--to"), "{told}");
    folder.refused(2, &["cast", "@figure", "--from", "1,2,3"]);
    folder.refused(2, &["cast", "@figure", "--at", "NaN", "--from", "1,2,3", "--to", "0,0,0"]);
    folder.refused(2, &["cast", "@figure", "--clip", "none", "--from", "1,2,3", "--to", "0,0,0"]);
    folder.refused(1, &["cast", "missing.glb", "--from", "1,2,3", "--to", "0,0,0"]);
}

#[test]
fn a_model_without_clips_is_hit_at_rest() {
    let folder = Folder::new();
    folder.write("one.md5mesh", run::MD5_MESH);
    let ray = ["cast", "one.md5mesh", "--from", "-9,-9,-9", "--to", "9,9,9", "--json"];
    assert!(json(&folder, &ray).get("hit").is_some());
    let told = folder.refused(2, &[&ray[..], &["--at", "0.5"]].concat());
    assert!(told.contains("--at") && told.contains("no clip") && told.lines().count() == 1, "{told}");
}
