//! The show without a picture: bad files, choices that cannot be, and what a click meets.

use sinew_viewer::draw::Frame;
use sinew_viewer::methods::{KINDS, Kind};
use sinew_viewer::settings::{CYLINDERS, Layer, Settings};
use sinew_viewer::show::Show;

fn settings(model: &str) -> Settings {
    let mut settings = Settings { playing: false, ..Settings::default() };
    settings.set("model", model).expect("any name");
    settings.set("copies", "2").expect("a number");
    settings
}

#[test]
fn a_bad_file_is_told_and_the_cylinders_are_shown_in_its_place() {
    let folder = std::env::temp_dir().join(format!("sinew-viewer-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    for (name, bytes) in [
        ("empty.glb", &b""[..]),
        ("short.glb", &b"glTF\x02\0\0\0\x40\0\0\0"[..]),
        ("words.gltf", &b"this is no JSON"[..]),
        ("nothing.gltf", &br#"{"asset":{"version":"2.0"}}"#[..]),
        ("odd.md5mesh", &b"MD5Version 10\nnumJoints -3\n"[..]),
    ] {
        let path = folder.join(name);
        std::fs::write(&path, bytes).expect("a file");
        let mut settings = settings(&path.display().to_string());
        let (mut show, told) = Show::new(&mut settings).expect("the cylinders");
        let told = told.unwrap_or_else(|| panic!("{name}: nothing was told"));
        assert!(!told.contains('\n') && told.contains(name), "{told}");
        assert_eq!(settings.model, CYLINDERS);
        show.step(&mut settings, 0.1);
        show.fill(&settings, &mut Frame::default());
    }
    std::fs::remove_dir_all(&folder).expect("the folder again");
}

#[test]
fn a_model_that_cannot_be_had_leaves_the_one_that_is_shown() {
    let mut settings = settings("@figure:300");
    let (mut show, told) = Show::new(&mut settings).expect("a figure");
    assert_eq!(told, None);
    settings.model = "no-such-file.glb".to_owned();
    let told = show.follow(&mut settings).expect("there is no such file");
    assert!(told.contains("no-such-file.glb"), "{told}");
    assert_eq!((show.subject.name.as_str(), settings.model.as_str()), ("@figure:300", "@figure:300"));
}

#[test]
fn every_method_of_this_machine_can_be_chosen_for_the_cylinders() {
    let mut settings = settings(CYLINDERS);
    let (mut show, _) = Show::new(&mut settings).expect("cylinders");
    for kind in KINDS {
        let refused = show.refusals.of(kind).is_some();
        let absent = kind.on(sinew::backend::fastest()).is_some_and(|method| method.absence().is_some());
        assert_eq!(refused, absent, "{}", kind.name());
        settings.kind = kind;
        let told = show.follow(&mut settings);
        assert_eq!(told.is_some(), refused, "{told:?}");
        let times = show.step(&mut settings, 1.0 / 60.0);
        assert!(times.both >= 0.0);
    }
}

#[test]
fn a_method_without_room_for_a_model_is_refused_with_the_reason() {
    let Some(data) = std::env::var_os("SINEW_DATA") else {
        eprintln!("skipped: models (SINEW_DATA is not set)");
        return;
    };
    let models = std::path::Path::new(&data).join("khronos-sample-assets");
    let file = models.join("AnimatedMorphCube/glTF-Binary/AnimatedMorphCube.glb");
    let mut settings = settings(&file.display().to_string());
    settings.kind = Kind::Gpu;
    let (mut show, told) = Show::new(&mut settings).expect("a model");
    assert!(told.is_some_and(|told| told.contains("morph targets")));
    assert_eq!(settings.kind, Kind::Blocks);
    // A click on a button that is grey would do the same.
    settings.kind = Kind::Standard;
    assert!(show.follow(&mut settings).is_some_and(|told| told.contains("morph targets")));
    assert_eq!(settings.kind, Kind::Blocks);
}

#[test]
fn models_of_every_kind_are_shown_with_their_clips_and_any_number_of_weights() {
    let Some(data) = std::env::var_os("SINEW_DATA") else {
        eprintln!("skipped: models (SINEW_DATA is not set)");
        return;
    };
    for (name, method) in [
        ("khronos-sample-assets/Fox/glTF-Binary/Fox.glb", Kind::Gpu),
        ("khronos-sample-assets/CesiumMan/glTF/CesiumMan.gltf", Kind::Friendly),
        ("kaykit-adventurers/Knight.glb", Kind::Duals),
        ("unvanquished-md5/level4/tyrant_view.md5mesh", Kind::Blocks),
    ] {
        let path = std::path::Path::new(&data).join(name).display().to_string();
        let mut settings = settings(&path);
        settings.kind = method;
        let (mut show, told) = Show::new(&mut settings).expect(name);
        assert!(told.is_none() || !cfg!(target_arch = "x86_64"), "{name}: {told:?}");
        assert_eq!(settings.clip.is_some(), !show.subject.model.clips().is_empty(), "{name}");
        for weights in 1..=4 {
            settings.weights = weights;
            assert_eq!(show.follow(&mut settings), None, "{name}, {weights} weights");
            show.step(&mut settings, 0.1);
            show.fill(&settings, &mut Frame::default());
        }
    }
}

#[test]
fn a_click_meets_the_joint_that_is_there_and_beside_it_nothing() {
    let mut settings = settings("@cylinder");
    settings.copies = Some(1);
    settings.motion = sinew_viewer::settings::Motion::Sine;
    let (mut show, _) = Show::new(&mut settings).expect("a cylinder");
    show.step(&mut settings, 0.0);
    let places = show.joint_places(0);
    let middle = places[places.len() / 2];
    let matrix = show.view.clip_from_world(1.0);
    let at = sinew_viewer::draw::seen(&matrix, middle).expect("before the camera");
    show.click(1.0, at);
    let hit = show.hit.clone().expect("the cylinder is there");
    let away = hit.joint.abs_diff(places.len() / 2);
    assert!(away <= 1, "joint {} in place of {}", hit.joint, places.len() / 2);
    assert_eq!(hit.joint_name, show.subject.model.skeleton().name(hit.joint));
    show.click(1.0, [0.99, 0.99]);
    assert_eq!(show.hit, None);
}

#[test]
fn what_is_drawn_over_the_surface_does_not_depend_on_who_skins_it() {
    let layers = [Layer::Silhouette, Layer::Normals, Layer::Bones, Layer::Bounds, Layer::Shadow];
    let lines = |kind: Kind| {
        let mut settings = settings("@figure:300");
        settings.kind = kind;
        layers.iter().for_each(|&layer| settings.shown.set(layer, true));
        let (mut show, _) = Show::new(&mut settings).expect("a figure");
        let mut frame = Frame::default();
        show.step(&mut settings, 0.3);
        show.fill(&settings, &mut frame);
        (frame.lines_on_top.len(), frame.volumes.each.len(), frame.lines.is_empty())
    };
    let expected = lines(Kind::Blocks);
    assert_eq!((expected.1, expected.2), (2, false));
    for kind in [Kind::Gpu, Kind::Standard, Kind::Vertices] {
        assert_eq!(lines(kind), expected, "{}", kind.name());
    }
}
