//! Memory limits: bakes of many frames, and small files with many instances or long names.
#![cfg(target_os = "linux")]

mod support;

use std::process::{Command, Output};

use support::TestFolder;

/// The memory limit of a bake, in kilobytes: enough for thread stacks and a few batches.
const LIMIT: usize = 24 << 10;

/// Runs a bake whose writable memory is limited. It fails when it needs more.
fn bake_within(folder: &TestFolder, kilobytes: usize, rate: &str, out: &str) -> Output {
    let line = format!("ulimit -d {kilobytes} && exec \"$0\" \"$@\"");
    let bake = ["bake", "@cylinder:1", "--threads", "2", "--fps", rate, "-o", out];
    let mut shell = Command::new("sh");
    shell.args(["-c", &line, env!("CARGO_BIN_EXE_sinew")]).args(bake);
    shell.current_dir(&folder.path).env_remove("SINEW_ISA").output().expect("a shell")
}

#[test]
fn memory_does_not_grow_with_the_number_of_frames() {
    for (out, rate) in [("a.pc2", "700"), ("a.mdd", "700"), ("a.npz", "350")] {
        let folder = TestFolder::new();
        if bake_within(&folder, 100, rate, out).status.success() {
            eprintln!("skipped: memory limits (this system does not enforce them)");
            return;
        }
        support::stdout(&bake_within(&folder, LIMIT, rate, out));
        let bytes = folder.read(out).len();
        assert!(bytes >> 10 > LIMIT, "{out}: {bytes} bytes would fit into memory");
    }
}

/// Each of many nodes instances the same large mesh, whose vertices the file does not contain.
#[test]
fn too_many_instanced_vertices_are_rejected_before_allocation() {
    let folder = TestFolder::new();
    let nodes = vec![r#"{"mesh":0}"#; 2_000].join(",");
    folder.write(
        "vast.gltf",
        format!(
            r#"{{"asset":{{"version":"2.0"}},"nodes":[{nodes}],"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}],
            "accessors":[{{"componentType":5126,"type":"VEC3","count":100000,"min":[0,0,0],"max":[0,0,0]}}]}}"#
        ),
    );
    for command in [
        &["bake", "vast.gltf", "-o", "a.pc2"][..],
        &["convert", "vast.gltf", "-o", "a.glb"],
        &["render", "vast.gltf", "-o", "a.png"],
        &["cast", "vast.gltf", "--from", "0,0,1", "--to", "0,0,0"],
        &["bench", "--only", "models", "--model", "vast.gltf", "--json", "a.json"],
    ] {
        let text = folder.run_error(1, command);
        assert!(text.contains("200000000 vertices") && text.contains("vast.gltf"), "{text}");
    }
    assert_eq!(folder.names(), ["vast.gltf"]);
}

#[test]
fn long_names_and_many_mesh_instances_are_baked_and_converted() {
    let folder = TestFolder::new();
    let name = "x".repeat(100_000);
    let node = format!(r#"{{"mesh":0,"name":"{name}"}}"#);
    let nodes = [vec![r#"{"mesh":0,"name":"same"}"#; 3_000], vec![&*node; 3]].concat().join(",");
    folder.write(
        "many.gltf",
        format!(
            r#"{{"asset":{{"version":"2.0"}},"nodes":[{nodes}],"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}],
            "accessors":[{{"componentType":5126,"type":"VEC3","count":3,"min":[0,0,0],"max":[0,0,0]}}]}}"#
        ),
    );
    for out in ["a.obj", "a.ply", "a.glb", "a.npz"] {
        folder.run(&["bake", "many.gltf", "-o", out]);
        assert!(folder.read(out).len() < 8_000_000, "{out} is out of proportion");
    }
    folder.run(&["convert", "many.gltf", "-o", "b.glb"]);
    folder.run(&["check", "b.glb"]);
    assert!(folder.read("b.glb").len() < 8_000_000);
}
