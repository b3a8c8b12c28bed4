//! Output that cannot be written: a one-line error, and existing files stay unchanged.
#![cfg(unix)]

mod support;

use std::fs;
use std::os::unix::fs::symlink;
use std::process::{Command, Output};

use support::{TestFolder, error_line};

/// A bake to each format, a conversion, a PNG and a GIF.
const COMMANDS: [&[&str]; 9] = [
    &["bake", "@cylinder:1", "--force", "-o", "a.obj"],
    &["bake", "@cylinder:1", "--force", "-o", "a.ply"],
    &["bake", "@cylinder:1", "--force", "-o", "a.glb"],
    &["bake", "@cylinder:1", "--force", "--fps", "9", "-o", "a.pc2"],
    &["bake", "@cylinder:1", "--force", "--fps", "9", "-o", "a.mdd"],
    &["bake", "@cylinder:1", "--force", "--fps", "9", "-o", "a.npz"],
    &["convert", "@cylinder:1", "--force", "-o", "a.glb"],
    &["render", "@cylinder:1", "--at", "0.3", "--size", "480x300", "--force", "-o", "a.png"],
    &["render", "@cylinder:1", "--fps", "3", "--size", "200x160", "--force", "-o", "a.gif"],
];

/// The output file of a command.
fn out(command: &[&'static str]) -> &'static str {
    command.last().expect("every command has one")
}

/// Runs a shell script that calls the program as `"$0" "$@"`, after `mount`, in its own mount
/// namespace; `None` when this user may not mount.
fn in_own_mounts(folder: &TestFolder, mount: &str, script: &str, command: &[&str]) -> Option<Output> {
    let script = format!("{mount} || exit 77; {script}");
    let mut shell = Command::new("unshare");
    shell.args(["--mount", "sh", "-c", &script, env!("CARGO_BIN_EXE_sinew")]).args(command);
    let output = shell.current_dir(&folder.path).env_remove("SINEW_ISA").output().ok();
    let failed = |output: &Output| String::from_utf8_lossy(&output.stderr).starts_with("unshare");
    let output = output.filter(|output| output.status.code() != Some(77) && !failed(output));
    if output.is_none() {
        eprintln!("skipped: mounts (this user may not mount a file system)");
    }
    output
}

#[test]
fn a_full_disk_is_reported_in_one_line_and_keeps_the_old_file() {
    for command in COMMANDS {
        let folder = TestFolder::new();
        fs::create_dir(folder.path.join("disk")).expect("disk space");
        let old = out(command);
        let script = format!(
            "cd disk; printf old >{old}; \"$0\" \"$@\"; code=$?; ls -A >../names; cp {old} ..; exit $code"
        );
        let mount = "mount -t tmpfs -o size=12k none disk";
        let Some(output) = in_own_mounts(&folder, mount, &script, command) else { return };
        let text = error_line(1, &output);
        assert!(text.contains("cannot write") && text.contains("space"), "{text}");
        assert_eq!(folder.read(old), b"old", "{command:?}");
        let names = String::from_utf8(folder.read("names")).expect("names");
        assert!(names.lines().all(|name| name == old || name == "a.mtl"), "{command:?}: {names}");
    }
}

#[test]
fn a_read_only_folder_is_reported_in_one_line_and_keeps_the_old_file() {
    for command in COMMANDS {
        let folder = TestFolder::new();
        fs::create_dir(folder.path.join("closed")).expect("disk space");
        let old = format!("closed/{}", out(command));
        folder.write(&old, "old");
        let mount = "mount --bind closed closed && mount -o remount,bind,ro closed";
        let script = "cd closed; exec \"$0\" \"$@\"";
        let Some(output) = in_own_mounts(&folder, mount, script, command) else { return };
        let text = error_line(1, &output);
        assert!(text.contains("cannot write") && text.contains("Read-only"), "{text}");
        assert_eq!(folder.read(&old), b"old");
        assert_eq!(fs::read_dir(folder.path.join("closed")).expect("there").count(), 1);
    }
}

#[test]
fn a_full_device_is_reported_in_one_line() {
    let folder = TestFolder::new();
    if !fs::exists("/dev/full").is_ok_and(|there| there) {
        eprintln!("skipped: full (there is no /dev/full)");
        return;
    }
    for command in COMMANDS {
        let _ = fs::remove_file(folder.path.join("a.mtl"));
        symlink("/dev/full", folder.path.join(out(command))).expect("a link");
        let text = folder.run_error(1, command);
        assert!(text.contains("cannot write") && text.contains("space"), "{text}");
        fs::remove_file(folder.path.join(out(command))).expect("the link stays");
    }
    // Its name has no extension that selects a format.
    assert!(folder.run_error(2, &["bake", "@cylinder:1", "-o", "/dev/full"]).contains("/dev/full"));
    for command in
        [&["info", "@cylinder:1"][..], &["check", "@cylinder:1"], &["man"], &["completions", "bash"]]
    {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("it is there");
        let output =
            support::command(&folder.path, command).stdout(full).output().expect("the program starts");
        assert!(error_line(1, &output).contains("space"), "{command:?}");
    }
}

#[test]
fn a_folder_is_never_overwritten() {
    for command in COMMANDS {
        let folder = TestFolder::new();
        fs::create_dir(folder.path.join(out(command))).expect("disk space");
        let within = format!("{}/old", out(command));
        folder.write(&within, "old");
        let text = folder.run_error(1, command);
        assert!(text.contains(out(command)) && text.contains("directory"), "{text}");
        assert_eq!(folder.names(), [out(command)]);
        assert_eq!(folder.read(&within), b"old");
    }
}

#[test]
fn bench_results_that_cannot_be_written_are_reported_after_the_table() {
    let folder = TestFolder::new();
    let bench = ["bench", "--quick", "--only", "bounds", "--json", "bench.json"];
    fs::create_dir(folder.path.join("bench.json")).expect("disk space");
    let text = folder.run_error(1, &bench);
    assert!(text.contains("bench.json") && text.contains("directory"), "{text}");
    fs::remove_dir(folder.path.join("bench.json")).expect("it is still empty");
    if !fs::exists("/dev/full").is_ok_and(|there| there) {
        eprintln!("skipped: full (there is no /dev/full)");
        return;
    }
    symlink("/dev/full", folder.path.join("bench.json")).expect("a link");
    let mut output = folder.output(&bench);
    let table = String::from_utf8(std::mem::take(&mut output.stdout)).expect("text");
    assert!(table.contains("bounds"), "{table}");
    let text = error_line(1, &output);
    assert!(text.contains("cannot write") && text.contains("space"), "{text}");
    assert_eq!(folder.names(), ["bench.json"]);
}

/// A glTF model whose external buffer is named `a.npz`.
fn folder_with_external_buffer() -> TestFolder {
    let folder = TestFolder::new();
    folder.write(
        "model.gltf",
        r#"{"asset":{"version":"2.0"},"nodes":[{"mesh":0}],"scenes":[{"nodes":[0]}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
        "buffers":[{"byteLength":36,"uri":"a.npz"}],"bufferViews":[{"buffer":0,"byteLength":36}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[0,0,0]}]}"#,
    );
    folder.write("a.npz", [0; 36]);
    folder
}

#[test]
fn no_input_file_is_overwritten_under_any_name() {
    let folder = folder_with_external_buffer();
    let before = folder.read("a.npz");
    symlink("a.npz", folder.path.join("link.pc2")).expect("a link");
    fs::hard_link(folder.path.join("a.npz"), folder.path.join("hard.mdd")).expect("a link");
    symlink("model.gltf", folder.path.join("model.glb")).expect("a link");
    let names = folder.names();
    for out in ["a.npz", "./a.npz", "link.pc2", "hard.mdd", "model.glb"] {
        let text = folder.run_error(1, &["bake", "model.gltf", "--force", "-o", out]);
        assert!(text.contains("expected an output file that is not also read"), "{text}");
    }
    assert!(
        folder
            .run_error(1, &["convert", "model.gltf", "--force", "-o", "model.glb"])
            .contains("not also read")
    );
    assert_eq!((folder.read("a.npz"), folder.names()), (before, names));
    folder.write("a.md5mesh", support::MD5_MESH);
    folder.write("rise.md5anim", support::MD5_ANIM);
    symlink("rise.md5anim", folder.path.join("rise.pc2")).expect("a link");
    let text =
        folder.run_error(1, &["bake", "a.md5mesh", "--with", "rise.md5anim", "--force", "-o", "rise.pc2"]);
    assert!(text.contains("not also read"), "{text}");
    assert_eq!(folder.read("rise.md5anim"), support::MD5_ANIM.as_bytes());
}

#[test]
fn force_writes_through_a_dangling_symlink() {
    let folder = TestFolder::new();
    fs::create_dir(folder.path.join("deep")).expect("disk space");
    symlink("deep/new.pc2", folder.path.join("a.pc2")).expect("a link");
    let text = folder.run_error(1, &["bake", "@cylinder:1", "-o", "a.pc2"]);
    assert!(text.contains("--force"), "{text}");
    folder.run(&["bake", "@cylinder:1", "--fps", "1", "--force", "-o", "a.pc2"]);
    assert!(fs::symlink_metadata(folder.path.join("a.pc2")).expect("there").is_symlink());
    assert!(folder.read("deep/new.pc2").starts_with(b"POINTCACHE2"));
    assert_eq!(folder.names(), ["a.pc2", "deep"]);
}
