//! `bake` and `convert`: which files appear, and which do not.

mod run;

use run::{Folder, MD5_ANIM, MD5_MESH};
use serde_json::Value;

/// The positions of each frame of a PC2.
fn pc2(bytes: &[u8]) -> Vec<Vec<[f32; 3]>> {
    assert_eq!(&bytes[..12], b"POINTCACHE2\0");
    let word = |at: usize| bytes[at..at + 4].try_into().expect("four bytes");
    let (points, frames) = (i32::from_le_bytes(word(16)) as usize, i32::from_le_bytes(word(28)) as usize);
    assert_eq!(bytes.len(), 32 + frames * points * 12);
    let vector = |at: usize| [0, 4, 8].map(|offset| f32::from_le_bytes(word(at + offset)));
    let frame = |frame: usize| (0..points).map(move |point| vector(32 + (frame * points + point) * 12));
    (0..frames).map(|index| frame(index).collect()).collect()
}

fn risen() -> Folder {
    let folder = Folder::new();
    folder.write("a.md5mesh", MD5_MESH);
    folder.write("rise.md5anim", MD5_ANIM);
    folder
}

#[test]
fn frames_go_from_the_first_key_to_the_last() {
    let folder = risen();
    let with = ["bake", "a.md5mesh", "--with", "rise.md5anim"];
    for (rate, frames) in [("2", 3), ("1", 2), ("0.5", 1), ("3", 4), ("2.5", 3)] {
        folder.printed(&[&with[..], &["--fps", rate, "--force", "-o", "a.pc2"]].concat());
        let positions = pc2(&folder.read("a.pc2"));
        assert_eq!(positions.len(), frames, "{rate}");
        let rate: f32 = rate.parse().expect("a number");
        for (frame, positions) in positions.iter().enumerate() {
            assert!((positions[0][2] - 2.0 * frame as f32 / rate).abs() < 1e-5, "{positions:?}");
        }
    }
}

#[test]
fn one_frame_is_at_its_time_and_no_clip_is_the_rest_pose() {
    let folder = risen();
    let with = ["bake", "a.md5mesh", "--with", "rise.md5anim"];
    for (at, height) in [("0.75", 1.5), ("1", 2.0), ("9", 2.0), ("-1", 0.0)] {
        folder.printed(&[&with[..], &["--at", at, "--force", "-o", "a.pc2"]].concat());
        assert_eq!(
            pc2(&folder.read("a.pc2")),
            [[[0.0, 0.0, height], [1.0, 0.0, height], [0.0, 1.0, height + 1.0]]]
        );
    }
    folder.printed(&["bake", "a.md5mesh", "-o", "rest.pc2"]);
    assert_eq!(pc2(&folder.read("rest.pc2")), [[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 1.0]]]);
}

#[test]
fn sequences_are_numbered_from_zero() {
    let folder = risen();
    for extension in ["obj", "ply"] {
        let out = format!("s.{extension}");
        folder.printed(&["bake", "a.md5mesh", "--with", "rise.md5anim", "--fps", "2", "-o", &out]);
        folder.printed(&["bake", "a.md5mesh", "-o", &format!("one.{extension}")]);
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
fn frames_of_a_longer_sequence_stay_and_are_told_of() {
    let folder = risen();
    let bake = ["bake", "a.md5mesh", "--with", "rise.md5anim", "--force", "-o", "s.ply", "--fps"];
    folder.printed(&[&bake[..], &["4"]].concat());
    let output = folder.sinew(&[&bake[..], &["2"]].concat());
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(text, "sinew: s.0003.ply: 2 files of a longer sequence still there from before\n");
    assert!(folder.names().contains(&"s.0004.ply".to_owned()));
}

#[test]
fn what_is_there_is_replaced_only_by_force() {
    let folder = Folder::new();
    for (out, more) in [("a.obj", &[][..]), ("a.npz", &[]), ("a.glb", &[]), ("a.ply", &["--fps", "2"])] {
        let bake = [&["bake", "@cylinder:1", "-o", out], more].concat();
        folder.printed(&bake);
        let names = folder.names();
        let text = folder.refused(1, &bake);
        assert!(text.contains("--force"), "{text}");
        folder.printed(&[&bake[..], &["--force"]].concat());
        assert_eq!(folder.names(), names);
    }
}

#[test]
fn the_input_is_never_written() {
    let folder = Folder::new();
    folder.printed(&["convert", "@cylinder:1", "-o", "a.glb"]);
    let before = folder.read("a.glb");
    for command in ["bake", "convert"] {
        assert!(folder.refused(1, &[command, "a.glb", "--force", "-o", "./a.glb"]).contains("a.glb"));
    }
    assert_eq!(folder.read("a.glb"), before);
}

#[test]
fn bytes_are_the_same_for_any_number_of_threads() {
    // Enough frames for several batches, the last of them not full.
    for (out, file, rate) in
        [("a.npz", "a.npz", "150"), ("a.mdd", "a.mdd", "150"), ("a.ply", "a.0047.ply", "45")]
    {
        let made: Vec<Vec<u8>> = ["1", "2", "5"]
            .iter()
            .map(|threads| {
                let folder = Folder::new();
                folder.printed(&["bake", "@figure:500", "--fps", rate, "--threads", threads, "-o", out]);
                folder.read(file)
            })
            .collect();
        assert!(made.iter().all(|bytes| *bytes == made[0]), "{out}");
    }
}

#[test]
fn clips_are_chosen_by_name_and_by_number() {
    let folder = Folder::new();
    let bake = |clip: &str, out: &str| folder.printed(&["bake", "@figure:500", "--clip", clip, "-o", out]);
    bake("wave", "a.npz");
    bake("1", "b.npz");
    assert_eq!(folder.read("a.npz"), folder.read("b.npz"));
    for clip in ["wav", "2", "-1", ""] {
        let clip = format!("--clip={clip}");
        folder.refused(2, &["bake", "@figure:500", &clip, "-o", "c.npz"]);
    }
}

#[test]
fn shards_bake_each_clip_once() {
    let folder = Folder::new();
    let all = ["bake", "@figure:500", "--clip", "all", "-o", "{clip}.obj"];
    folder.printed(&[&all[..], &["--shard", "0/2"]].concat());
    assert_eq!(folder.names(), ["walk.mtl", "walk.obj"]);
    folder.printed(&[&all[..], &["--shard", "1/2"]].concat());
    assert_eq!(folder.names(), ["walk.mtl", "walk.obj", "wave.mtl", "wave.obj"]);
    folder.printed(&[&all[..], &["--shard", "7/9"]].concat());
    assert_eq!(folder.names().len(), 4);
}

#[test]
fn what_cannot_be_is_bad_usage_and_writes_nothing() {
    let folder = Folder::new();
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
        folder.refused(2, &[&["bake", "@figure:500"], arguments].concat());
    }
    folder.refused(2, &["bake", "@figure:500"]);
    folder.refused(2, &["convert", "@figure:500", "-o", "a.obj"]);
    assert_eq!(folder.names(), [""; 0]);
}

#[test]
fn output_that_cannot_be_written_is_one_line_and_exit_code_one() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path.join("d.obj")).expect("a folder");
    folder.refused(1, &["bake", "@cylinder", "--force", "-o", "d.obj"]);
    folder.refused(1, &["bake", "@cylinder", "-o", "nowhere/a.obj"]);
    assert_eq!(folder.names(), ["d.obj"]);
}

#[test]
fn fewer_influences_and_dual_quaternions_move_vertices_elsewhere() {
    let folder = Folder::new();
    let mut made = Vec::new();
    for (out, how) in [
        ("all.pc2", &[][..]),
        ("four.pc2", &["--max-influences", "4"]),
        ("one.pc2", &["--max-influences", "1"]),
        ("dual.pc2", &["--dual-quaternion"]),
    ] {
        folder.printed(&[&["bake", "@cylinder", "--at", "0.7", "-o", out], how].concat());
        made.push(pc2(&folder.read(out)));
    }
    assert_eq!(made[0], made[1]);
    assert!(made[0] != made[2] && made[0] != made[3] && made[2] != made[3]);
}

#[test]
fn how_far_fewer_influences_displace_is_told() {
    let folder = Folder::new();
    let bake = ["bake", "@figure:500", "--json", "--force", "-o", "a.pc2"];
    let displacement = |more: &[&str]| {
        let text = folder.printed(&[&bake[..], more].concat());
        serde_json::from_str::<Value>(&text).expect("JSON")["displacement"].clone()
    };
    assert_eq!(displacement(&[]), Value::Null);
    assert_eq!(displacement(&["--max-influences", "4"]), 0.0);
    let one = displacement(&["--max-influences", "1", "--threads", "1"]);
    assert!(one.as_f64().is_some_and(|metres| metres > 1e-3 && metres < 0.5), "{one}");
    assert_eq!(displacement(&["--max-influences", "1", "--threads", "3"]), one);
}

#[test]
fn what_was_written_is_told_to_machines() {
    let folder = Folder::new();
    let text = folder.printed(&[
        "bake",
        "@figure:500",
        "--clip",
        "all",
        "--fps",
        "10",
        "--json",
        "-o",
        "{clip}.mdd",
    ]);
    let value: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(value["outputs"][1]["file"], "wave.mdd");
    assert_eq!(value["outputs"][1]["frames"], 31);
    assert_eq!(value["outputs"][1]["last"], 3.0);
}

#[test]
fn a_converted_model_poses_as_before() {
    let folder = risen();
    let text = folder.printed(&["convert", "a.md5mesh", "--with", "rise.md5anim", "-o", "a.glb"]);
    assert!(text.contains("deviate by at most"), "{text}");
    folder.printed(&["bake", "a.md5mesh", "--with", "rise.md5anim", "--fps", "8", "-o", "from-md5.pc2"]);
    folder.printed(&["bake", "a.glb", "--clip", "rise", "--fps", "8", "-o", "from-glb.pc2"]);
    let [expected, found] = ["from-md5.pc2", "from-glb.pc2"].map(|name| pc2(&folder.read(name)));
    for (expected, found) in expected.iter().flatten().zip(found.iter().flatten()) {
        assert!(expected.iter().zip(found).all(|(a, b)| (a - b).abs() < 1e-5), "{expected:?} {found:?}");
    }
    assert_eq!(expected.len(), found.len());
}

#[test]
fn space_model_leaves_out_what_stands_above_the_skeleton() {
    let folder = risen();
    let with = ["--with", "rise.md5anim"];
    folder.printed(&[&["convert", "a.md5mesh", "--y-up", "-o", "a.glb"], &with[..]].concat());
    folder.printed(&[&["bake", "a.md5mesh", "-o", "md5.pc2"], &with[..]].concat());
    folder.printed(&["bake", "a.glb", "-o", "world.pc2"]);
    folder.printed(&["bake", "a.glb", "--space", "model", "-o", "model.pc2"]);
    let [md5, world, model] =
        ["md5.pc2", "world.pc2", "model.pc2"].map(|name| pc2(&folder.read(name)).concat());
    let near = |a: &[f32; 3], b: &[f32; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-5);
    for ((md5, world), model) in md5.iter().zip(&world).zip(&model) {
        assert!(near(md5, model), "{md5:?} {model:?}");
        let [x, y, z] = *md5;
        assert!(near(&[x, z, -y], world), "{md5:?} {world:?}");
    }
    assert_eq!((md5.len(), world.len()), (model.len(), model.len()));
}

#[test]
fn whoever_reads_no_further_is_not_told() {
    let folder = Folder::new();
    let mut command = run::command(&folder.path, &["info", "@figure"]);
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let output = command.stdout(writer).output().expect("the program starts");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}
