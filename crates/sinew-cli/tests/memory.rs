//! Memory does not grow with the frames, and no small file takes all of it.
#![cfg(target_os = "linux")]

mod run;

use std::process::{Command, Output};

use run::Folder;

/// What a bake may have, in kilobytes: its stacks, and what is under way.
const ENOUGH: usize = 24 << 10;

/// Runs a bake whose data, all that it writes to in memory, may take so many kilobytes; it ends early where it wants more.
fn bake_within(folder: &Folder, kilobytes: usize, rate: &str, out: &str) -> Output {
    let line = format!("ulimit -d {kilobytes} && exec \"$0\" \"$@\"");
    let bake = ["bake", "@cylinder:1", "--threads", "2", "--fps", rate, "-o", out];
    let mut shell = Command::new("sh");
    shell.args(["-c", &line, env!("CARGO_BIN_EXE_sinew")]).args(bake);
    shell.current_dir(&folder.path).env_remove("SINEW_ISA").output().expect("a shell")
}

#[test]
fn memory_does_not_grow_with_the_frames() {
    for (out, rate) in [("a.pc2", "700"), ("a.mdd", "700"), ("a.npz", "350")] {
        let folder = Folder::new();
        if bake_within(&folder, 100, rate, out).status.success() {
            eprintln!("skipped: limits (this system does not keep them)");
            return;
        }
        run::printed(&bake_within(&folder, ENOUGH, rate, out));
        let bytes = folder.read(out).len();
        assert!(bytes >> 10 > ENOUGH, "{out}: {bytes} bytes would fit into memory");
    }
}

/// Each node has the vertices once more, though the file has not even one of them.
#[test]
fn nodes_times_vertices_are_refused_before_memory_is_taken() {
    let folder = Folder::new();
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
        let text = folder.refused(1, command);
        assert!(text.contains("200000000 vertices") && text.contains("vast.gltf"), "{text}");
    }
    assert_eq!(folder.names(), ["vast.gltf"]);
}

#[test]
fn huge_names_and_many_parts_are_baked_and_converted() {
    let folder = Folder::new();
    let name = "x".repeat(100_000);
    let node = format!(r#"{{"mesh":0,"name":"{name}"}}"#);
    let nodes = [vec![r#"{"mesh":0,"name":"same"}"#; 3_000], vec![&*node; 3]].concat().join(",");
    folder.write(
        "odd.gltf",
        format!(
            r#"{{"asset":{{"version":"2.0"}},"nodes":[{nodes}],"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}],
            "accessors":[{{"componentType":5126,"type":"VEC3","count":3,"min":[0,0,0],"max":[0,0,0]}}]}}"#
        ),
    );
    for out in ["a.obj", "a.ply", "a.glb", "a.npz"] {
        folder.printed(&["bake", "odd.gltf", "-o", out]);
        assert!(folder.read(out).len() < 8_000_000, "{out} is out of proportion");
    }
    folder.printed(&["convert", "odd.gltf", "-o", "b.glb"]);
    folder.printed(&["check", "b.glb"]);
    assert!(folder.read("b.glb").len() < 8_000_000);
}
