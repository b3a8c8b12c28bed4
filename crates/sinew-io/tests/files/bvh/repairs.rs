//! What is repaired, and where errors are.

use sinew_io::{ImportOptions, load_bytes};

use super::TEXT;

fn import(text: &str) -> Result<Vec<String>, String> {
    match load_bytes(text.as_bytes(), &ImportOptions::default()) {
        Ok(import) => Ok(import.warnings().iter().map(ToString::to_string).collect()),
        Err(error) => Err(error.to_string()),
    }
}

#[test]
fn errors_name_line_and_column() {
    let cases = [
        ("ROOT hips", "ROOT hips\n{\n}\n", "line 4, column 1: expected `OFFSET`, found none"),
        ("OFFSET 0.5 1 0", "OFFSET 0.5 x 0", "line 4, column 14: expected three numbers of an offset"),
        ("OFFSET 3 0 0", "OFFSET 3 nan 0", "line 28, column 12: expected three numbers of an offset"),
        ("CHANNELS 6", "CHANNELS 7", "line 6, column 3: expected a channel"),
        ("CHANNELS 6", "CHANNELS 99999999", "line 5, column 12: expected a number of channels, at most"),
        (
            "Zrotation Yrotation Xrotation\n  J",
            "Zrotation Zrotation Xrotation\n  J",
            "each channel of a joint",
        ),
        ("End Site\n", "End Sight\n", "line 9, column 9: expected `Site`, found `Sight`"),
        ("Frames: 3", "Frames: 3000000", "line 37, column 9: expected the number of frames"),
        ("Frames: 3", "Frames: 4", "line 42, column 1: expected number 0 of frame 3, found the end"),
        ("500 50 -50", "500 fifty -50", "line 41, column 19: expected number 6 of frame 2, found `fifty`"),
        ("MOTION", "MOTIONS", "line 36, column 1: expected `MOTION`, found `MOTIONS`"),
        ("HIERARCHY", "HIERARCHY }", "line 1, column 11: expected `ROOT`, found `}`"),
    ];
    for (from, to, expected) in cases {
        let found = import(&TEXT.replacen(from, to, 1)).expect_err(to);
        assert!(found.contains(expected), "{to}: {found}");
    }
}

#[test]
fn what_can_be_repaired_is_repaired_with_a_warning() {
    let cases = [
        ("Frame Time: 0.25", "Frame Time: 0", "a frame of 0 seconds; frames take 1/30 of a second"),
        ("60 90\n", "60 90\n7", "text after the last of 3 frames; it was ignored"),
        ("1 2 3 -170", "inf 2 3 -170", "1 of the keys with numbers that are not finite"),
        ("50 -50 179", "50 -50 nan", "1 of the keys with numbers that are not finite"),
    ];
    for (from, to, expected) in cases {
        let found = import(&TEXT.replacen(from, to, 1)).expect(to);
        assert!(found.len() == 1 && found[0].contains(expected), "{to}: {found:?}");
    }
    let without_motion = TEXT.split("MOTION").next().expect("valid data");
    assert!(import(without_motion).expect("valid data")[0].contains("no motion; the model has no clip"));
    let no_frames = format!("{without_motion}MOTION\nFrames: 0\nFrame Time: 1\n");
    assert!(import(&no_frames).expect("valid data")[0].contains("a motion without frames"));
}

#[test]
fn deep_hierarchies_and_many_joints_are_read_without_recursion() {
    let depth = 50_000;
    let mut text = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\n".to_owned();
    text += &"JOINT b\n{\nOFFSET 0 1 0\n".repeat(depth);
    text += &"}\n".repeat(depth + 1);
    let import = load_bytes(text.as_bytes(), &ImportOptions::default().memory_budget(Some(1 << 30)));
    assert_eq!(import.expect("valid data").model.skeleton().len(), depth + 1);
}
