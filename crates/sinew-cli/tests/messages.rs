//! What the program says about arguments and files that it cannot use, or that do less than a user
//! expects.

mod support;

use std::fs::OpenOptions;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

use support::{MD5_MESH, TestFolder, command};

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
    let folder = TestFolder::new();
    let bake = |clip| folder.run_error(2, &["bake", "@figure:500", "--clip", clip, "-o", "a.obj"]);
    let text = bake("run");
    assert!(text.contains("no clip is named \"run\"; expected ") && text.contains("\"walk\""), "{text}");
    let text = bake("7");
    assert!(text.contains("--clip 7: expected a name, or a number from 0 to 1"), "{text}");
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
        // Where glTF 2.0 has arrays, 1.0 has objects.
        (
            "b.gltf",
            b"{\"asset\":{\"version\":\"1.0\"},\"nodes\":{}}",
            "found glTF 1.0; glTF-Pipeline converts it",
        ),
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
    let text = notes(&["bake", "@cylinder:1", "--dual-quaternion", "-o", "a.obj"]);
    assert!(text.contains("--dual-quaternion has no effect: no vertex has more than 1 influence"), "{text}");
    let text = notes(&["bake", "@figure:500", "--space", "model", "-o", "a.obj"]);
    assert!(text.contains("--space model has no effect: no node is above"), "{text}");
    let compare = ["render", "@cylinder:2", "--compare", "influences:3,linear", "--size", "16x16"];
    let text = notes(&[&compare[..], &["-o", "a.png"]].concat());
    assert!(text.contains("--compare influences:3 has no effect: no vertex has more than 2"), "{text}");
    let text = notes(&["bench", "--quick", "--only", "bounds", "--model", "@twist"]);
    assert!(text.contains("--model has no effect: only the tables models and layouts"), "{text}");
    assert_eq!(notes(&["bake", "@figure:500", "--at", "1", "--max-influences", "1", "-o", "a.obj"]), "");
}

#[test]
fn times_are_noted_if_there_is_no_clip() {
    let folder = TestFolder::new();
    folder.write("a.md5mesh", MD5_MESH);
    for (command, option) in [
        (&["bake", "--force", "-o", "a.obj"][..], ["--at", "1"]),
        (&["bake", "--force", "-o", "a.pc2"], ["--fps", "24"]),
        (&["cast", "--from", "0,1,5", "--to", "0,1,-5"], ["--at", "1"]),
        (&["render", "--size", "16x16", "--force", "-o", "a.gif"], ["--fps", "20"]),
    ] {
        let output = folder.output(&[command, &["a.md5mesh"], &option].concat());
        assert!(output.status.success(), "{output:?}");
        let text = String::from_utf8_lossy(&output.stderr);
        let expected = "has no effect: the model has no clips, only its rest pose\n";
        assert!(text.contains(&format!("sinew: note: {} {expected}", option[0])), "{text}");
    }
}

#[test]
fn an_exact_conversion_says_so() {
    let folder = TestFolder::new();
    assert_eq!(folder.run(&["convert", "@twist", "-o", "a.glb"]), "a.glb: no vertex deviates\n");
    let text = folder.run(&["convert", "@figure", "-o", "b.glb"]);
    assert!(text.starts_with("b.glb: largest deviation of a vertex ") && text.contains("e-"), "{text}");
    // Three digits of the deviation and of the time are enough for a reader; --json has them all.
    let digits = |word: &str| word.chars().take_while(|&c| c != 'e').filter(char::is_ascii_digit).count();
    let numbers = text.split([' ', '(', ')', ',']).filter(|word| word.parse::<f64>().is_ok());
    assert!(numbers.clone().count() == 4 && numbers.map(digits).all(|digits| digits <= 4), "{text}");
}

#[test]
fn times_have_no_more_digits_than_they_need() {
    let folder = TestFolder::new();
    let text = folder.run_error(2, &["bake", "@figure:500", "--fps", "1e8", "-o", "a.pc2"]);
    assert!(text.contains("from 0 s to 1.1 s: expected at most 10000000 frames"), "{text}");
}

/// The note comes before the first byte, so the bake is ended as soon as it is there.
#[test]
fn much_output_is_noted_before_it_is_written() {
    let folder = TestFolder::new();
    // Some 6.7 million frames of 500 vertices.
    let bake = ["bake", "@figure:500", "--fps", "6000000", "-o", "a.pc2"];
    let mut command = command(&folder.path, &bake);
    let mut child = command.stderr(Stdio::piped()).spawn().expect("the program starts");
    let mut line = String::new();
    let stderr = child.stderr.take().expect("it was piped");
    BufReader::new(stderr).read_line(&mut line).expect("text");
    child.kill().expect("it runs");
    child.wait().expect("it has ended");
    assert!(line.starts_with("sinew: note: the output is about ") && line.ends_with(" GB\n"), "{line}");
}

#[test]
fn rays_along_an_axis_hit_points_without_rounding_errors() {
    let ray = ["cast", "@figure", "--from", "0,1.2,5", "--to", "0,1.2,-5"];
    for options in [&[][..], &["--json"]] {
        let text = TestFolder::new().run(&[&ray[..], options].concat());
        assert!(!text.contains("e-"), "{text}");
    }
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
fn a_clip_file_for_another_format_is_refused_with_the_format_that_takes_it() {
    let folder = TestFolder::new();
    folder.run(&["convert", "@figure:500", "-o", "a.glb"]);
    let text = folder.run_error(1, &["info", "a.glb", "--with", "b.md5anim"]);
    assert!(text.contains("expected an MD5 model, which takes clips of other files, found glTF"), "{text}");
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
        &["info", "none/a.glb"],
        &["check", "none/a.md5mesh"],
        &["cast", "--from", "0,0,1", "--to", "0,0,0", "none/a.fbx"],
    ] {
        let text = folder.run_error(1, arguments);
        let file = arguments.last().expect("a path");
        assert_eq!(text, format!("sinew: {file}: the folder none does not exist\n"));
    }
}
