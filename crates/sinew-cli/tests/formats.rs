//! Every command works on every format.

mod support;

use support::{MD5_ANIM, MD5_MESH, TestFolder};

const BVH: &str = "HIERARCHY
ROOT hips
{
  OFFSET 0 1 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
  JOINT leg
  {
    OFFSET 0 -1 0
    CHANNELS 3 Zrotation Yrotation Xrotation
    End Site
    {
      OFFSET 0 -0.5 0
    }
  }
}
MOTION
Frames: 2
Frame Time: 0.5
0 1 0 0 0 0 0 0 0
0 1 1 0 0 0 90 0 0
";

/// A triangle with a skin, a blend shape and an animation.
const FBX: &str = include_str!("../../sinew-fbx/tests/fbx/rise.fbx");

/// A VRM 1.0 avatar, as JSON with a data URI: a triangle with a skin, an expression, an animation,
/// a spring and a constraint.
const VRM: &str = include_str!("avatar.vrm");

/// The picture of the MD5 model's material: one pixel.
fn white_png() -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = png::Encoder::new(&mut bytes, 1, 1).write_header().expect("a header");
    writer.write_image_data(&[255]).expect("a pixel");
    writer.finish().expect("an end");
    bytes
}

/// A folder with a file of each format, and the arguments that name it.
fn models() -> (TestFolder, Vec<Vec<&'static str>>) {
    let folder = TestFolder::new();
    folder.write("a.md5mesh", MD5_MESH);
    folder.write("skin.png", white_png());
    folder.write("rise.md5anim", MD5_ANIM);
    folder.write("b.bvh", BVH);
    folder.write("c.fbx", FBX);
    folder.run(&["convert", "c.fbx", "-o", "d.glb"]);
    folder.write("e.vrm", VRM);
    let md5 = vec!["a.md5mesh", "--with", "rise.md5anim"];
    (folder, vec![md5, vec!["b.bvh"], vec!["c.fbx"], vec!["d.glb"], vec!["e.vrm"]])
}

#[test]
fn every_command_works_on_every_format() {
    let (folder, models) = models();
    for model in &models {
        let run = |command: &str, more: &[&str]| folder.run(&[&[command], &model[..], more].concat());
        assert!(run("info", &[]).contains("joint"), "{model:?}");
        assert!(run("check", &["--strict"]).contains("usable; no warnings"), "{model:?}");
        run("bake", &["--force", "-o", "a.pc2"]);
        run("bake", &["--at", "0.25", "--force", "-o", "a.obj"]);
        run("render", &["--at", "0.25", "--size", "64x64", "--force", "-o", "a.png"]);
        run("convert", &["--force", "-o", "again.glb"]);
        let json = folder.run(&["info", "again.glb", "--json"]);
        assert!(json.contains("\"clips\""), "{model:?}");
        assert!(folder.run(&["check", "again.glb", "--strict"]).contains("1 clip; usable"), "{model:?}");
    }
}

#[test]
fn conversion_of_fbx_gives_the_same_poses() {
    let (folder, _) = models();
    for name in ["c.fbx", "d.glb"] {
        folder.run(&["bake", name, "--fps", "4", "-o", &format!("{name}.pc2")]);
    }
    let [fbx, glb] = ["c.fbx.pc2", "d.glb.pc2"].map(|name| folder.read(name));
    assert_eq!(fbx.len(), glb.len());
    let floats = |bytes: &[u8]| -> Vec<f32> {
        bytes[32..].as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
    };
    for (a, b) in floats(&fbx).into_iter().zip(floats(&glb)) {
        assert!((a - b).abs() < 1e-5, "{a} and {b}");
    }
}

#[test]
fn conversion_keeps_the_data_of_an_avatar() {
    let (folder, _) = models();
    let text = folder.run(&["convert", "e.vrm", "-o", "e.glb"]);
    assert!(!text.contains("not kept"), "{text}");
    let vrm = |name: &str| {
        let json: serde_json::Value = serde_json::from_str(&folder.run(&["info", name, "--json"])).unwrap();
        json["vrm"].clone()
    };
    assert!(vrm("e.vrm").is_object());
    assert_eq!(vrm("e.glb"), vrm("e.vrm"));
}

#[test]
fn conversion_lists_what_it_does_not_keep() {
    let folder = TestFolder::new();
    let json = r#"{"asset":{"version":"2.0"},"extensionsUsed":["KHR_lights_punctual"],"nodes":[{}],
        "cameras":[{"type":"perspective","perspective":{"yfov":1,"znear":1}}]}"#;
    folder.write("a.gltf", json);
    let text = folder.run(&["convert", "a.gltf", "-o", "a.glb"]);
    assert!(text.ends_with("not kept: KHR_lights_punctual, 1 camera\n"), "{text}");
    let json = folder.run(&["convert", "a.gltf", "--json", "--force", "-o", "a.glb"]);
    assert!(json.contains("\"dropped\": [\n    \"KHR_lights_punctual\",\n    \"1 camera\"\n  ]"), "{json}");
}

#[test]
fn pictures_that_gltf_does_not_have_are_named_and_left_out() {
    let folder = TestFolder::new();
    let texture = r#"    Texture: 16, "Texture::skin", "" {
        Type: "TextureVideoClip"
        FileName: "C:\\art\\skin.tga"
        RelativeFilename: "skin.tga"
    }
}
Connections:  {
    C: "OP",16,15, "DiffuseColor"
"#;
    let fbx = FBX.replace("}\nConnections:  {\n", texture);
    let dropped = "image 0 \"skin.tga\", whose format glTF does not have";
    for there in [false, true] {
        if there {
            folder.write("skin.tga", "a picture");
        }
        folder.write("a.fbx", &fbx);
        let text = folder.run(&["convert", "a.fbx", "--force", "-o", "a.glb"]);
        assert!(text.ends_with(&format!("not kept: {dropped}\n")), "{text}");
        let glb = String::from_utf8_lossy(&folder.read("a.glb")).into_owned();
        assert!(!glb.contains("skin.tga") && !glb.contains("\"images\""), "{glb}");
        let output = folder.output(&["bake", "a.fbx", "--force", "-o", "b.glb"]);
        let notes = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success() && notes.contains(dropped), "{notes}");
    }
}

#[test]
fn dual_quaternions_are_refused_in_joint_space() {
    let (folder, _) = models();
    let bake = ["bake", "a.md5mesh", "--dual-quaternion", "-o", "a.obj"];
    let render = ["render", "a.md5mesh", "--compare", "linear,dual", "-o", "a.png"];
    for arguments in [&bake[..], &render] {
        let error = folder.run_error(1, arguments);
        assert!(
            error.contains("a.md5mesh: expected influences in model space for dual quaternions"),
            "{error}"
        );
    }
    folder.run(&["convert", "a.md5mesh", "-o", "a.glb"]);
    // It is not refused; but its vertices have one influence each, which the program notes.
    folder.run_with_note(&["bake", "a.glb", "--dual-quaternion", "-o", "a.obj"]);
}
