//! What is in the file is in the model.

use std::path::{Path, PathBuf};

use sinew::Up;
use sinew_io::{ClipFile, Oddities, Options, read_bytes, read_with};

use super::rule::{Frame, Rule};
use super::skinned::{assert_near, skinned};

/// A file of this text in the folder for such files.
fn file(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("a file");
    path
}

#[test]
fn models_and_clips_by_rule_are_where_the_rule_has_them() {
    for seed in 1..=12 {
        let rule = Rule::new(seed);
        let mesh = file(&format!("rule_{seed}.md5mesh"), &rule.mesh_text());
        let anim = file(&format!("rule_{seed}.md5anim"), &rule.anim_text());
        let options =
            Options { clips: vec![ClipFile::Path(anim)], oddities: Oddities::Refuse, ..Options::default() };
        let model = read_with(&mesh, &options).expect("a sound model").model;
        assert_eq!((model.up(), model.skeleton().len()), (Up::Z, rule.joints.len()));
        assert_eq!(model.parts().len(), rule.meshes.len());
        assert_near(&skinned(&model, None).0, &rule.positions(&Frame::Bind), &format!("seed {seed}, bind"));
        let (clip, last) = (&model.clips()[0], (rule.frames.len() - 1) as f64);
        assert_eq!(clip.name(), format!("rule_{seed}"));
        assert!((f64::from(clip.end()) - last / rule.frame_rate).abs() < 1e-6);
        for step in 0..=10 {
            let seconds = (f64::from(step) / 10.0 * last / rule.frame_rate) as f32;
            let found = skinned(&model, Some((clip, seconds))).0;
            let expected = rule.positions(&Frame::At((f64::from(seconds) * rule.frame_rate).min(last)));
            assert_near(&found, &expected, &format!("seed {seed}, {seconds} s"));
        }
    }
}

#[test]
fn texture_coordinates_names_and_materials_are_as_stored() {
    let rule = Rule::new(3);
    let model = read_bytes(rule.mesh_text().as_bytes(), &Options::default()).expect("a sound model").model;
    for (number, mesh) in rule.meshes.iter().enumerate() {
        let surface = model.surface(number);
        let name = if number % 2 == 0 { format!("part {number}") } else { format!("mesh {number}") };
        assert_eq!((&model.parts()[number].name, &surface.name), (&name, &name));
        let stored: Vec<[f32; 2]> = mesh.vertices.iter().map(|vertex| vertex.uv.map(|u| u as f32)).collect();
        assert_eq!(surface.texture_coordinates, [stored]);
        let material = surface.material.expect("a material");
        assert_eq!(model.materials()[material].name, format!("shader {}", number % 2));
    }
    assert_eq!(model.materials().len(), rule.meshes.len().min(2));
    for (joint, of_rule) in rule.joints.iter().enumerate() {
        assert_eq!(model.skeleton().name(joint), of_rule.name);
        assert_eq!(model.skeleton().parent(joint), of_rule.parent);
    }
}

#[test]
fn line_ends_and_space_change_nothing() {
    let text = Rule::new(4).mesh_text();
    let of =
        |text: &str| skinned(&read_bytes(text.as_bytes(), &Options::default()).expect("sound").model, None);
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
fn a_clip_of_one_frame_and_a_clip_without_motion_hold_a_pose() {
    let mut rule = Rule::new(6);
    for (frames, name) in [(1, "one"), (3, "still")] {
        rule.stand_still(frames);
        let anim = file(&format!("{name}.md5anim"), &rule.anim_text());
        let options =
            Options { clips: vec![ClipFile::Path(anim)], oddities: Oddities::Refuse, ..Options::default() };
        let model = read_bytes(rule.mesh_text().as_bytes(), &options).expect("a sound model").model;
        let clip = &model.clips()[0];
        assert!(
            (f64::from(clip.end()) - (frames - 1) as f64 / rule.frame_rate).abs() < 1e-6,
            "{}",
            clip.end()
        );
        for seconds in [0.0, 0.01, 9.0] {
            let found = skinned(&model, Some((clip, seconds))).0;
            assert_near(&found, &rule.positions(&Frame::At(0.0)), name);
        }
    }
}
