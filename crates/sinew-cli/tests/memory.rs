//! Memory does not grow with the frames, and no small file takes all of it.
#![cfg(target_os = "linux")]

mod run;

use std::fs;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::Duration;

use run::Folder;

/// The most kilobytes that a process has had in memory so far, while it runs.
fn peak(child: &Child) -> Option<usize> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}

/// The most kilobytes of a bake, as last seen before it ends.
fn peak_of_bake(folder: &Folder, rate: &str, out: &str) -> usize {
    let bake = ["bake", "@cylinder:1", "--threads", "2", "--force", "--fps", rate, "-o", out];
    let mut child =
        run::command(&folder.path, &bake).stdout(Stdio::null()).spawn().expect("the program starts");
    let mut most = 0;
    while child.try_wait().expect("it can be asked").is_none() {
        most = peak(&child).unwrap_or(most);
        sleep(Duration::from_millis(1));
    }
    assert!(child.wait().expect("it has ended").success() && most > 0);
    most
}

#[test]
fn ten_times_the_frames_take_no_more_memory() {
    for out in ["a.pc2", "a.mdd", "a.npz"] {
        let folder = Folder::new();
        let few = peak_of_bake(&folder, "100", out);
        let few_bytes = folder.read(out).len();
        let many = peak_of_bake(&folder, "1000", out);
        let more_bytes = folder.read(out).len() - few_bytes;
        eprintln!("{out}: {few} kB, and {many} kB for {} kB more of output", more_bytes / 1024);
        assert!(more_bytes / 1024 > 10_000, "{more_bytes} bytes would not be seen");
        assert!(many < few + 2_000, "{out}: {few} kB became {many} kB");
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
