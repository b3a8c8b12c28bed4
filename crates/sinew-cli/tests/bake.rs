//! `sinew bake` and `sinew convert`: the files they write, and what they reject.

mod support;

use serde_json::Value;
use support::{MD5_ANIM, MD5_MESH, TestFolder};

/// The positions of each frame of a PC2 file.
fn pc2_frames(bytes: &[u8]) -> Vec<Vec<[f32; 3]>> {
    assert_eq!(&bytes[..12], b"POINTCACHE2\0");
    let word = |at: usize| bytes[at..at + 4].try_into().expect("four bytes");
    let (points, frames) = (i32::from_le_bytes(word(16)) as usize, i32::from_le_bytes(word(28)) as usize);
    assert_eq!(bytes.len(), 32 + frames * points * 12);
    let vector = |at: usize| [0, 4, 8].map(|offset| f32::from_le_bytes(word(at + offset)));
    let frame = |frame: usize| (0..points).map(move |point| vector(32 + (frame * points + point) * 12));
    (0..frames).map(|index| frame(index).collect()).collect()
}

/// A folder with an MD5 model and the clip `rise`.
fn rise_folder() -> TestFolder {
    let folder = TestFolder::new();
    folder.write("a.md5mesh", MD5_MESH);
    folder.write("rise.md5anim", MD5_ANIM);
    folder
}

#[test]
fn frames_reach_from_the_first_key_frame_to_the_last() {
    let folder = rise_folder();
    let with = ["bake", "a.md5mesh", "--with", "rise.md5anim"];
    for (rate, frames) in [("2", 3), ("1", 2), ("0.5", 1), ("3", 4), ("2.5", 3)] {
        folder.run(&[&with[..], &["--fps", rate, "--force", "-o", "a.pc2"]].concat());
        let positions = pc2_frames(&folder.read("a.pc2"));
        assert_eq!(positions.len(), frames, "{rate}");
        let rate: f32 = rate.parse().expect("a number");
        for (frame, positions) in positions.iter().enumerate() {
            assert!((positions[0][2] - 2.0 * frame as f32 / rate).abs() < 1e-5, "{positions:?}");
        }
    }
}

#[test]
fn at_bakes_one_frame_and_a_model_without_clips_is_at_rest() {
    let folder = rise_folder();
    let with = ["bake", "a.md5mesh", "--with", "rise.md5anim"];
    for (at, height, is_outside) in
        [("0.75", 1.5, false), ("1", 2.0, false), ("9", 2.0, true), ("-1", 0.0, true)]
    {
        let arguments = [&with[..], &["--at", at, "--force", "-o", "a.pc2"]].concat();
        if is_outside {
            folder.run_with_note(&arguments)
        } else {
            folder.run(&arguments)
        };
        assert_eq!(
            pc2_frames(&folder.read("a.pc2")),
            [[[0.0, 0.0, height], [1.0, 0.0, height], [0.0, 1.0, height + 1.0]]]
        );
    }
    folder.run(&["bake", "a.md5mesh", "-o", "rest.pc2"]);
    assert_eq!(pc2_frames(&folder.read("rest.pc2")), [[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 1.0]]]);
}

#[test]
fn sequence_files_are_numbered_from_zero() {
    let folder = rise_folder();
    for extension in ["obj", "ply"] {
        let out = format!("s.{extension}");
        folder.run(&["bake", "a.md5mesh", "--with", "rise.md5anim", "--fps", "2", "-o", &out]);
        folder.run(&["bake", "a.md5mesh", "-o", &format!("one.{extension}")]);
    }
    let expected = [
        "a.md5mesh",
        "one.mtl",
        "one.obj",
        "one.ply",
        "rise.md5anim",
        "s.0000.obj",
        "s.0000.ply",
        "s.0001.obj",
        "s.0001.ply",
        "s.0002.obj",
        "s.0002.ply",
        "s.mtl",
    ];
    assert_eq!(folder.names(), expected);
    let obj = String::from_utf8(folder.read("s.0002.obj")).expect("text");
    assert!(obj.starts_with("mtllib s.mtl\n") && obj.contains("v 1 0 2\n"), "{obj}");
}

#[test]
fn leftover_frames_of_a_longer_sequence_are_kept_and_reported() {
    let folder = rise_folder();
    let bake = ["bake", "a.md5mesh", "--with", "rise.md5anim", "--force", "-o", "s.ply", "--fps"];
    folder.run(&[&bake[..], &["4"]].concat());
    let output = folder.output(&[&bake[..], &["2"]].concat());
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(text, "sinew: s.0003.ply: 2 files left over from a longer sequence\n");
    assert!(folder.names().contains(&"s.0004.ply".to_owned()));
}

#[test]
fn existing_files_are_overwritten_only_with_force() {
    let folder = TestFolder::new();
    for (out, more) in [("a.obj", &[][..]), ("a.npz", &[]), ("a.glb", &[]), ("a.ply", &["--fps", "2"])] {
        let bake = [&["bake", "@cylinder:1", "-o", out], more].concat();
        folder.run(&bake);
        let names = folder.names();
        let text = folder.run_error(1, &bake);
        assert!(text.contains("--force"), "{text}");
        folder.run(&[&bake[..], &["--force"]].concat());
        assert_eq!(folder.names(), names);
    }
}

#[test]
fn the_input_file_is_never_overwritten() {
    let folder = TestFolder::new();
    folder.run(&["convert", "@cylinder:1", "-o", "a.glb"]);
    let before = folder.read("a.glb");
    for command in ["bake", "convert"] {
        assert!(folder.run_error(1, &[command, "a.glb", "--force", "-o", "./a.glb"]).contains("a.glb"));
    }
    assert_eq!(folder.read("a.glb"), before);
}

#[test]
fn baked_bytes_do_not_depend_on_the_number_of_threads() {
    // Enough frames for several batches, the last one partly filled.
    for (out, file, rate) in
        [("a.npz", "a.npz", "150"), ("a.mdd", "a.mdd", "150"), ("a.ply", "a.0047.ply", "45")]
    {
        let files: Vec<Vec<u8>> = ["1", "2", "5"]
            .iter()
            .map(|threads| {
                let folder = TestFolder::new();
                folder.run(&["bake", "@figure:500", "--fps", rate, "--threads", threads, "-o", out]);
                folder.read(file)
            })
            .collect();
        assert!(files.iter().all(|bytes| *bytes == files[0]), "{out}");
    }
}

#[test]
fn clips_are_selected_by_name_and_by_number() {
    let folder = TestFolder::new();
    let bake = |clip: &str, out: &str| folder.run(&["bake", "@figure:500", "--clip", clip, "-o", out]);
    bake("wave", "a.npz");
    bake("1", "b.npz");
    assert_eq!(folder.read("a.npz"), folder.read("b.npz"));
    for clip in ["wav", "2", "-1", ""] {
        let clip = format!("--clip={clip}");
        folder.run_error(2, &["bake", "@figure:500", &clip, "-o", "c.npz"]);
    }
}

#[test]
fn shards_together_bake_each_clip_once() {
    let folder = TestFolder::new();
    let all = ["bake", "@figure:500", "--clip", "all", "-o", "{clip}.obj"];
    folder.run(&[&all[..], &["--shard", "0/2"]].concat());
    assert_eq!(folder.names(), ["walk.mtl", "walk.obj"]);
    folder.run(&[&all[..], &["--shard", "1/2"]].concat());
    assert_eq!(folder.names(), ["walk.mtl", "walk.obj", "wave.mtl", "wave.obj"]);
    folder.run(&[&all[..], &["--shard", "7/9"]].concat());
    assert_eq!(folder.names().len(), 4);
}

#[test]
fn invalid_options_are_bad_usage_and_write_nothing() {
    let folder = TestFolder::new();
    let bad: [&[&str]; 14] = [
        &["-o", "a.glb", "--fps", "24"],
        &["-o", "a.obj", "--fps", "24", "--at", "1"],
        &["-o", "a.obj", "--fps", "0"],
        &["-o", "a.obj", "--fps", "nan"],
        &["-o", "a.obj", "--fps", "-5"],
        &["-o", "a.obj", "--fps", "1e12"],
        &["-o", "a.obj", "--at", "inf"],
        &["-o", "a.stl"],
        &["-o", "a"],
        &["-o", "a.obj", "--clip", "all"],
        &["-o", "{clip}.obj", "--shard", "0/2"],
        &["-o", "{clip}.obj", "--clip", "all", "--shard", "3/2"],
        &["-o", "a.obj", "--threads", "0"],
        &["-o", "a.obj", "--max-influences", "0"],
    ];
    for arguments in bad {
        folder.run_error(2, &[&["bake", "@figure:500"], arguments].concat());
    }
    folder.run_error(2, &["bake", "@figure:500"]);
    folder.run_error(2, &["convert", "@figure:500", "-o", "a.obj"]);
    assert_eq!(folder.names(), [""; 0]);
}

#[test]
fn failed_output_prints_one_line_and_exits_with_one() {
    let folder = TestFolder::new();
    std::fs::create_dir(folder.path.join("d.obj")).expect("a folder");
    folder.run_error(1, &["bake", "@cylinder", "--force", "-o", "d.obj"]);
    folder.run_error(1, &["bake", "@cylinder", "-o", "nowhere/a.obj"]);
    assert_eq!(folder.names(), ["d.obj"]);
}

#[test]
fn fewer_influences_and_dual_quaternions_change_positions() {
    let folder = TestFolder::new();
    let mut positions = Vec::new();
    for (out, options) in [
        ("all.pc2", &[][..]),
        ("four.pc2", &["--max-influences", "4"]),
        ("one.pc2", &["--max-influences", "1"]),
        ("dual.pc2", &["--dual-quaternion"]),
    ] {
        let arguments = [&["bake", "@cylinder", "--at", "0.7", "-o", out], options].concat();
        // No vertex of the cylinder has more than four influences.
        if out == "four.pc2" {
            folder.run_with_note(&arguments)
        } else {
            folder.run(&arguments)
        };
        positions.push(pc2_frames(&folder.read(out)));
    }
    assert_eq!(positions[0], positions[1]);
    assert!(positions[0] != positions[2] && positions[0] != positions[3] && positions[2] != positions[3]);
}

#[test]
fn json_has_the_displacement_by_fewer_influences() {
    let folder = TestFolder::new();
    let bake = ["bake", "@figure:500", "--json", "--force", "-o", "a.pc2"];
    let displacement = |more: &[&str]| {
        let text = folder.run(&[&bake[..], more].concat());
        serde_json::from_str::<Value>(&text).expect("JSON")["displacement"].clone()
    };
    assert_eq!(displacement(&[]), Value::Null);
    let text = folder.run_with_note(&[&bake[..], &["--max-influences", "4"]].concat());
    assert_eq!(serde_json::from_str::<Value>(&text).expect("JSON")["displacement"], 0.0);
    let one = displacement(&["--max-influences", "1", "--threads", "1"]);
    assert!(one.as_f64().is_some_and(|meters| meters > 1e-3 && meters < 0.5), "{one}");
    assert_eq!(displacement(&["--max-influences", "1", "--threads", "3"]), one);
}

#[test]
fn json_lists_the_written_files() {
    let folder = TestFolder::new();
    let text =
        folder.run(&["bake", "@figure:500", "--clip", "all", "--fps", "10", "--json", "-o", "{clip}.mdd"]);
    let value: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(value["outputs"][1]["file"], "wave.mdd");
    assert_eq!(value["outputs"][1]["frames"], 31);
    assert_eq!(value["outputs"][1]["last"], 3.0);
}

#[test]
fn a_converted_model_has_the_same_poses() {
    let folder = rise_folder();
    let text = folder.run(&["convert", "a.md5mesh", "--with", "rise.md5anim", "-o", "a.glb"]);
    assert_eq!(text, "a.glb: no vertex deviates\n");
    folder.run(&["bake", "a.md5mesh", "--with", "rise.md5anim", "--fps", "8", "-o", "from-md5.pc2"]);
    folder.run(&["bake", "a.glb", "--clip", "rise", "--fps", "8", "-o", "from-glb.pc2"]);
    let [expected, found] = ["from-md5.pc2", "from-glb.pc2"].map(|name| pc2_frames(&folder.read(name)));
    for (expected, found) in expected.iter().flatten().zip(found.iter().flatten()) {
        assert!(expected.iter().zip(found).all(|(a, b)| (a - b).abs() < 1e-5), "{expected:?} {found:?}");
    }
    assert_eq!(expected.len(), found.len());
}

#[test]
fn model_space_ignores_the_nodes_above_the_skeleton() {
    let folder = rise_folder();
    let with = ["--with", "rise.md5anim"];
    folder.run(&[&["convert", "a.md5mesh", "--y-up", "-o", "a.glb"], &with[..]].concat());
    folder.run(&[&["bake", "a.md5mesh", "-o", "md5.pc2"], &with[..]].concat());
    folder.run(&["bake", "a.glb", "-o", "world.pc2"]);
    folder.run(&["bake", "a.glb", "--space", "model", "-o", "model.pc2"]);
    let [md5, world, model] =
        ["md5.pc2", "world.pc2", "model.pc2"].map(|name| pc2_frames(&folder.read(name)).concat());
    let near = |a: &[f32; 3], b: &[f32; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-5);
    for ((md5, world), model) in md5.iter().zip(&world).zip(&model) {
        assert!(near(md5, model), "{md5:?} {model:?}");
        let [x, y, z] = *md5;
        assert!(near(&[x, z, -y], world), "{md5:?} {world:?}");
    }
    assert_eq!((md5.len(), world.len()), (model.len(), model.len()));
}

#[test]
fn a_closed_output_pipe_is_not_an_error() {
    let folder = TestFolder::new();
    let mut command = support::command(&folder.path, &["info", "@figure"]);
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let output = command.stdout(writer).output().expect("the program starts");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}
