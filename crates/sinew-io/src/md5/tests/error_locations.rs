//! Errors say what is wrong and where.

use super::support::{anim_text, check_clip, import, mesh_text};
use crate::md5::import::is_md5;

#[test]
fn the_test_model_and_clip_are_valid() {
    let (model, report) = import(mesh_text(3).as_bytes(), anim_text(4).as_bytes()).expect("valid text");
    assert!(report.is_empty(), "{report}");
    assert_eq!((model.primitives()[0].mesh.len(), model.clips()[0].end()), (8, 0.125));
    assert_eq!(
        (model.mesh_instances()[0].name.as_str(), model.materials()[0].name.as_str()),
        ("strip", "skin")
    );
    let (frames, report) = check_clip(anim_text(4).as_bytes()).expect("valid text");
    assert!(frames == 4 && report.is_empty(), "{report}");
}

#[test]
fn md5_is_detected_by_the_first_word() {
    let unversioned = ["commandline \"\"", "// a\nnumJoints 1", "numMeshes 1", "numFrames 2"];
    for text in
        ["MD5Version 10", " // a\n/* b */ MD5Version", "\u{feff}MD5Version\t9"].into_iter().chain(unversioned)
    {
        assert!(is_md5(text.as_bytes()), "{text}");
    }
    for text in [
        "",
        "{}",
        "glTF",
        "MD5Version2 10",
        "\"MD5Version\" 10",
        "/* MD5Version",
        "\0MD5Version",
        "joints {",
        "numjoints 1",
    ] {
        assert!(!is_md5(text.as_bytes()), "{text}");
    }
}

#[test]
fn a_file_without_a_version_is_imported_with_a_warning() {
    let unversioned = |text: String| text.replacen("MD5Version 10\n", "", 1).into_bytes();
    let (_, report) =
        import(&unversioned(mesh_text(3)), &unversioned(anim_text(4))).expect("a repaired file");
    let lines: Vec<_> = report.warnings().iter().map(ToString::to_string).collect();
    let expected = "line 1, column 1: no version before the first word; version 10 was assumed";
    assert_eq!(lines.len(), 2, "{report}");
    assert_eq!(lines[0], expected);
    assert!(lines[1].starts_with("clip ") && lines[1].ends_with(expected), "{report}");
    let (frames, report) = check_clip(&unversioned(anim_text(4))).expect("a repaired file");
    assert_eq!((frames, report.to_string()), (4, format!("{expected}\n")));
}

#[test]
fn every_truncated_file_is_refused() {
    let mesh = mesh_text(3);
    for end in 0..mesh.len() - 1 {
        assert!(import(&mesh.as_bytes()[..end], &[]).is_err(), "{end} bytes");
    }
    let anim = anim_text(3);
    for end in 0..anim.len() - 1 {
        assert!(check_clip(&anim.as_bytes()[..end]).is_err(), "{end} bytes");
    }
}

#[test]
fn every_error_has_its_line_and_column() {
    let good = mesh_text(1);
    let cases = [
        ("MD5Version 10", "MD5Version 11", "line 1, column 12: expected version 10, found `11`"),
        (
            "0 ( 0 0 1 )",
            "1 ( 0 0 1 )",
            "line 7, column 8: expected a parent before the joint, from -1 to 0, found `1`",
        ),
        ("numJoints 2", "numJoints 3", "line 8, column 1: expected joint 2 of 3, found `}`"),
        ("numJoints 2", "numJoints 1", "line 7, column 2: expected `}`, found the string \"tip\""),
        ("tri 1 1 2 3", "tri 0 1 2 3", "line 19, column 6: expected triangle 1, found `0`"),
        (
            "tri 1 1 2 3",
            "tri 1 1 2 4",
            "line 17, column 2: expected triangles of the mesh's 4 vertices, found vertex 4 in triangle 1",
        ),
        (
            "vert 3 ( 0.3 0.5 ) 6 2",
            "vert 3 ( 0.3 0.5 ) 6 3",
            "line 16, column 2: expected a range of the mesh's 8 weights, found 3 from index 6",
        ),
        (
            "vert 3 ( 0.3 0.5 ) 6 2",
            "vert 3 ( 0.3 0.5 ) 6 0",
            "line 16, column 2: expected a vertex with one weight or more, found 0 from index 6",
        ),
        ("weight 5 1", "weight 5 2", "line 26, column 11: expected a joint, of which there are 2, found `2`"),
        (
            "-1e-1",
            "nan",
            "line 21, column 24: expected the vector of a weight: a number of at most 1e16, found `nan`",
        ),
    ];
    for (from, to, expected) in cases {
        let found = import(good.replacen(from, to, 1).as_bytes(), &[]).expect_err(to).to_string();
        assert_eq!(found, expected);
    }
}

#[test]
fn clips_for_other_joints_are_refused_with_the_first_difference() {
    let mesh = mesh_text(1);
    let cases = [
        (
            "\"tip\" 0",
            "\"tail\" 0",
            "clip: line 7, column 1: expected joint 1 of the model, \"tip\" with parent 0, found \"tail\" with parent 0",
        ),
        (
            "\"tip\" 0",
            "\"tip\" -1",
            "clip: line 7, column 1: expected joint 1 of the model, \"tip\" with parent 0, found \"tip\" without parent",
        ),
    ];
    for (from, to, expected) in cases {
        let clip = anim_text(2).replacen(from, to, 1);
        assert!(check_clip(clip.as_bytes()).is_ok());
        assert_eq!(import(mesh.as_bytes(), clip.as_bytes()).expect_err(to).to_string(), expected);
    }
    let fewer = anim_text(1).replace("numJoints 2", "numJoints 1").replace("\t\"tip\" 0 63 1 // root\n", "");
    let fewer = fewer.replace("\t( 0 0 1 ) ( 0 0 0.5 )\n", "");
    let found = import(mesh.as_bytes(), fewer.as_bytes()).expect_err("fewer joints").to_string();
    assert_eq!(found, "clip: line 7, column 1: expected the 2 joints of the model, found 1 joints");
}
