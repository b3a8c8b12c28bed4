//! The model contains what is stored in the file.

use std::path::{Path, PathBuf};

use sinew::JointId;
use sinew::model::UpAxis;
use sinew_io::{ClipFile, ImportOptions, RepairPolicy, load_bytes, load_with};

use crate::support::md5::random_model::{Frame, RandomModel};
use crate::support::md5::skin_model::{assert_near, skin_model};

/// Writes a file into the folder for temporary files.
fn file(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("a file");
    path
}

#[test]
fn random_models_and_clips_match_the_evaluation() {
    for seed in 1..=12 {
        let random = RandomModel::new(seed);
        let mesh = file(&format!("random_{seed}.md5mesh"), &random.mesh_text());
        let anim = file(&format!("random_{seed}.md5anim"), &random.anim_text());
        let options =
            ImportOptions::default().clips(vec![ClipFile::Path(anim)]).repairs(RepairPolicy::Refuse);
        let model = load_with(&mesh, &options).expect("a valid model").model;
        assert_eq!((model.up_axis(), model.skeleton().len()), (UpAxis::Z, random.joints.len()));
        assert_eq!(model.mesh_instances().len(), random.meshes.len());
        assert_near(
            &skin_model(&model, None).0,
            &random.positions(&Frame::Bind),
            &format!("seed {seed}, bind"),
        );
        let (clip, last) = (&model.clips()[0], (random.frames.len() - 1) as f64);
        assert_eq!(clip.name(), format!("random_{seed}"));
        assert!((f64::from(clip.end()) - last / random.frame_rate).abs() < 1e-6);
        for step in 0..=10 {
            let seconds = (f64::from(step) / 10.0 * last / random.frame_rate) as f32;
            let found = skin_model(&model, Some((clip, seconds))).0;
            let expected = random.positions(&Frame::At((f64::from(seconds) * random.frame_rate).min(last)));
            assert_near(&found, &expected, &format!("seed {seed}, {seconds} s"));
        }
    }
}

#[test]
fn texture_coordinates_names_and_materials_are_as_stored() {
    let random = RandomModel::new(3);
    let model =
        load_bytes(random.mesh_text().as_bytes(), &ImportOptions::default()).expect("a valid model").model;
    for (number, mesh) in random.meshes.iter().enumerate() {
        let primitive = model.primitive(number);
        let name = if number % 2 == 0 { format!("part {number}") } else { format!("mesh {number}") };
        assert_eq!((&model.mesh_instances()[number].name, &primitive.name), (&name, &name));
        let stored: Vec<[f32; 2]> = mesh.vertices.iter().map(|vertex| vertex.uv.map(|u| u as f32)).collect();
        assert_eq!(primitive.texture_coordinates, [stored]);
        let material = primitive.material.expect("a material");
        assert_eq!(model.materials()[material].name, format!("shader {}", number % 2));
    }
    assert_eq!(model.materials().len(), random.meshes.len().min(2));
    assert_eq!(model.skeleton().len(), random.joints.len());
    for (joint, expected) in model.skeleton().joints().zip(&random.joints) {
        assert_eq!(model.skeleton().name(joint), expected.name);
        assert_eq!(model.skeleton().parent(joint).map(JointId::index), expected.parent);
    }
}

#[test]
fn line_ends_and_whitespace_change_nothing() {
    let text = RandomModel::new(4).mesh_text();
    let of = |text: &str| {
        skin_model(&load_bytes(text.as_bytes(), &ImportOptions::default()).expect("valid text").model, None)
    };
    let without_comments: Vec<&str> = text.lines().filter_map(|line| line.split("//").next()).collect();
    let others = [
        text.replace('\n', "\r\n"),
        text.replace('\n', "\r"),
        text.trim_end().to_owned(),
        without_comments.join(" "),
        text.replace(" ( ", "(").replace(" )", ")/* */"),
    ];
    let expected = of(&text);
    for other in others {
        assert_eq!(of(&other), expected);
    }
}

#[test]
fn clips_with_one_frame_or_without_motion_hold_a_pose() {
    let mut random = RandomModel::new(6);
    for (frames, name) in [(1, "one"), (3, "still")] {
        random.stand_still(frames);
        let anim = file(&format!("{name}.md5anim"), &random.anim_text());
        let options =
            ImportOptions::default().clips(vec![ClipFile::Path(anim)]).repairs(RepairPolicy::Refuse);
        let model = load_bytes(random.mesh_text().as_bytes(), &options).expect("a valid model").model;
        let clip = &model.clips()[0];
        assert!(
            (f64::from(clip.end()) - (frames - 1) as f64 / random.frame_rate).abs() < 1e-6,
            "{}",
            clip.end()
        );
        for seconds in [0.0, 0.01, 9.0] {
            let found = skin_model(&model, Some((clip, seconds))).0;
            assert_near(&found, &random.positions(&Frame::At(0.0)), name);
        }
    }
}
