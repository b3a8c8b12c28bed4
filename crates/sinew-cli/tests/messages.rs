//! What the program says about arguments and files that it cannot use, or that do less than a user
//! expects.

mod support;

use std::fs::OpenOptions;

use support::{TestFolder, command};

#[test]
fn numbers_out_of_range_are_refused_with_the_range() {
    let folder = TestFolder::new();
    for (option, value, expected) in [
        ("--threads", "0", "expected a number of threads from 1 to 256"),
        ("--threads", "-3", "expected a number of threads from 1 to 256"),
        ("--threads", "1000", "expected a number of threads from 1 to 256"),
        ("--fps", "abc", "expected frames per second: a number above 0, such as 30"),
        ("--fps", "-1", "expected frames per second: a number above 0, such as 30"),
        ("--fps", "inf", "expected frames per second: a number above 0, such as 30"),
        ("--at", "soon", "expected a time in seconds, such as 0.5"),
        ("--max-influences", "0", "expected a number of influences, at least 1"),
    ] {
        let text = folder.run_error(2, &["bake", "@figure:500", option, value, "-o", "a.pc2"]);
        assert!(text.contains(expected) && text.contains(option) && text.contains(value), "{text}");
    }
    assert!(folder.names().is_empty());
}

#[test]
fn an_unknown_clip_is_answered_with_the_clips_of_the_model() {
    let text = TestFolder::new().run_error(2, &["bake", "@figure:500", "--clip", "run", "-o", "a.obj"]);
    assert!(text.contains("no clip is named \"run\"; expected ") && text.contains("\"walk\""), "{text}");
}

#[test]
fn files_of_other_programs_are_refused_by_name_with_advice() {
    let folder = TestFolder::new();
    for (name, bytes, expected) in [
        ("a.usdc", &b"PXR-USDC\0\0"[..], "found a USD file; import it into Blender"),
        ("a.dae", b"<?xml version=\"1.0\"?><COLLADA version=\"1.4.1\">", "found a COLLADA (DAE) file"),
        ("a.stl", b"solid a\n facet normal 0 0 1\n", "found an STL file; it has neither joints nor clips"),
        ("a.blend", b"BLENDER-v402", "found a Blender file; open it in Blender and export glTF 2.0"),
        ("a.gltf", b"{\"asset\":{\"version\":\"1.0\"}}", "found glTF 1.0; glTF-Pipeline converts it"),
    ] {
        folder.write(name, bytes);
        let text = folder.run_error(1, &["info", name]);
        assert!(text.contains(expected), "{text}");
    }
}

/// Runs a command that succeeds, and returns its notes.
fn notes(arguments: &[&str]) -> String {
    let output = TestFolder::new().output(arguments);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stderr).expect("text")
}

#[test]
fn options_without_effect_are_noted() {
    let at = |command: &[&str]| notes(&[command, &["@figure:500", "--at", "9"]].concat());
    let expected = "sinew: note: --at 9: clip \"walk\" plays from 0 s to 1.1 s; its last key frame is used\n";
    assert_eq!(at(&["bake", "-o", "a.obj"]), expected);
    assert_eq!(at(&["cast", "--from", "0,1,5", "--to", "0,1,-5"]), expected);
    assert_eq!(at(&["render", "--size", "16x16", "-o", "a.png"]), expected);
    let text = notes(&["bake", "@cylinder:2", "--max-influences", "8", "-o", "a.obj"]);
    assert!(
        text.contains("--max-influences 8 has no effect: no vertex has more than 2 influences"),
        "{text}"
    );
    let text = notes(&["convert", "@twist", "--y-up", "-o", "a.glb"]);
    assert!(text.contains("--y-up has no effect"), "{text}");
    let text = notes(&["info", "@twist", "--strict"]);
    assert!(text.contains("--strict has no effect: @twist is not read from a file"), "{text}");
    assert_eq!(notes(&["bake", "@figure:500", "--at", "1", "--max-influences", "1", "-o", "a.obj"]), "");
}

#[test]
fn rays_along_an_axis_hit_points_without_rounding_errors() {
    let text = TestFolder::new().run(&["cast", "@figure", "--from", "0,1.2,5", "--to", "0,1.2,-5"]);
    assert!(!text.contains("e-"), "{text}");
}

#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written_is_an_error() {
    let folder = TestFolder::new();
    for arguments in [&["--help"][..], &["--version"], &["bake", "--help"], &["isa"], &["man"]] {
        let full = OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
        let output = command(&folder.path, arguments).stdout(full).output().expect("the program starts");
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("cannot write the output"), "{output:?}");
    }
}

#[test]
fn a_missing_folder_gets_the_same_words_from_every_command() {
    let folder = TestFolder::new();
    for arguments in [
        &["bake", "@figure:500", "-o", "none/a.obj"][..],
        &["bake", "@figure:500", "-o", "none/a.pc2"],
        &["render", "@figure:500", "--size", "16x16", "-o", "none/a.png"],
        &["render", "@figure:500", "--size", "16x16", "-o", "none/a.gif"],
        &["convert", "@figure:500", "-o", "none/a.glb"],
        &["bench", "--quick", "--only", "bounds", "--json", "none/a.json"],
    ] {
        let text = folder.run_error(1, arguments);
        let file = arguments.last().expect("a path");
        assert_eq!(text, format!("sinew: {file}: the folder none does not exist\n"));
    }
}
