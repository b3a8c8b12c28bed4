//! Sessions without a picture: bad files, unsupported choices, and picking.

use sinew_viewer::draw::Frame;
use sinew_viewer::methods::MethodKind;
use sinew_viewer::session::Session;
use sinew_viewer::settings::{CYLINDERS, FIGURE, Layer, Settings, Threads, Weights};

fn settings(model: &str) -> Settings {
    let mut settings = Settings { playing: false, ..Settings::default() };
    settings.set("model", model).expect("any name");
    settings.set("copies", "2").expect("a number");
    settings
}

#[test]
fn a_bad_file_gives_a_message_and_shows_the_figure_instead() {
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
        let (mut session, message) = Session::new(&mut settings).expect("the figure");
        let message = message.unwrap_or_else(|| panic!("{name}: no message"));
        assert!(!message.contains('\n') && message.contains(name), "{message}");
        assert_eq!(settings.model, FIGURE);
        session.step(&mut settings, 0.1);
        session.fill(&settings, &mut Frame::default());
    }
    std::fs::remove_dir_all(&folder).expect("the folder again");
}

#[test]
fn a_model_that_cannot_be_loaded_leaves_the_current_one() {
    let mut settings = settings("@figure:300");
    let (mut session, message) = Session::new(&mut settings).expect("a figure");
    assert_eq!(message, None);
    settings.model = "no-such-file.glb".to_owned();
    let message = session.apply_settings(&mut settings).expect("there is no such file");
    assert!(message.contains("no-such-file.glb"), "{message}");
    assert_eq!((session.subject.name.as_str(), settings.model.as_str()), ("@figure:300", "@figure:300"));
}

#[test]
fn every_method_this_machine_supports_can_skin_the_cylinders() {
    let mut settings = settings(CYLINDERS);
    let (mut session, _) = Session::new(&mut settings).expect("cylinders");
    for method in MethodKind::ALL {
        let refused = session.availability.unavailable_reason(method).is_some();
        let absent = method
            .to_method(sinew::runtime::backend::fastest())
            .is_some_and(|method| method.unsupported_reason().is_some());
        assert_eq!(refused, absent, "{}", method.name());
        settings.method = method;
        let message = session.apply_settings(&mut settings);
        assert_eq!(message.is_some(), refused, "{message:?}");
        let times = session.step(&mut settings, 1.0 / 60.0);
        assert!(times.total >= 0.0);
    }
}

#[test]
fn a_method_that_cannot_skin_a_model_is_rejected_with_the_reason() {
    let Some(data) = std::env::var_os("SINEW_DATA") else {
        eprintln!("skipped: models (SINEW_DATA is not set)");
        return;
    };
    let models = std::path::Path::new(&data).join("khronos-sample-assets");
    let file = models.join("AnimatedMorphCube/glTF-Binary/AnimatedMorphCube.glb");
    let mut settings = settings(&file.display().to_string());
    settings.method = MethodKind::Gpu;
    let (mut session, message) = Session::new(&mut settings).expect("a model");
    assert!(message.is_some_and(|message| message.contains("morph targets")));
    assert_eq!(settings.method, MethodKind::Blocks);
    // The same happens to a setting that the window's disabled button does not allow.
    settings.method = MethodKind::Standard;
    assert!(session.apply_settings(&mut settings).is_some_and(|message| message.contains("morph targets")));
    assert_eq!(settings.method, MethodKind::Blocks);
}

#[test]
fn models_of_every_format_play_clips_with_any_number_of_weights() {
    let Some(data) = std::env::var_os("SINEW_DATA") else {
        eprintln!("skipped: models (SINEW_DATA is not set)");
        return;
    };
    for (name, method) in [
        ("khronos-sample-assets/Fox/glTF-Binary/Fox.glb", MethodKind::Gpu),
        ("khronos-sample-assets/CesiumMan/glTF/CesiumMan.gltf", MethodKind::Friendly),
        ("kaykit-adventurers/Knight.glb", MethodKind::DualQuaternions),
        ("unvanquished-md5/level4/tyrant_view.md5mesh", MethodKind::Blocks),
    ] {
        let path = std::path::Path::new(&data).join(name).display().to_string();
        let mut settings = settings(&path);
        settings.method = method;
        let (mut session, message) = Session::new(&mut settings).expect(name);
        assert!(message.is_none() || !cfg!(target_arch = "x86_64"), "{name}: {message:?}");
        assert_eq!(settings.clip.is_some(), !session.subject.model.clips().is_empty(), "{name}");
        for weights in Weights::ALL {
            settings.weights = weights;
            assert_eq!(session.apply_settings(&mut settings), None, "{name}, {weights:?}");
            session.step(&mut settings, 0.1);
            session.fill(&settings, &mut Frame::default());
        }
    }
}

#[test]
fn a_click_hits_the_joint_under_it_and_nothing_beside_it() {
    let mut settings = settings("@cylinder");
    settings.copies = Some(1);
    settings.motion = sinew_viewer::settings::Motion::Sine;
    let (mut session, _) = Session::new(&mut settings).expect("a cylinder");
    session.step(&mut settings, 0.0);
    let positions = session.joint_positions(0);
    let middle = positions[positions.len() / 2];
    let matrix = session.camera.clip_from_world(1.0);
    let at = sinew_viewer::draw::project_point(&matrix, middle).expect("before the camera");
    session.click(1.0, at);
    let hit = session.hit.clone().expect("the cylinder is there");
    let away = hit.joint.abs_diff(positions.len() / 2);
    assert!(away <= 1, "joint {} in place of {}", hit.joint, positions.len() / 2);
    assert_eq!(hit.joint_name, session.subject.model.skeleton().name(sinew::JointId::new(hit.joint)));
    session.click(1.0, [0.99, 0.99]);
    assert_eq!(session.hit, None);
}

#[test]
fn overlays_do_not_depend_on_the_method() {
    let layers = [Layer::Silhouette, Layer::Normals, Layer::Bones, Layer::Bounds, Layer::Shadow];
    let lines = |method: MethodKind| {
        let mut settings = settings("@figure:300");
        settings.method = method;
        layers.iter().for_each(|&layer| settings.layers.set(layer, true));
        let (mut session, _) = Session::new(&mut settings).expect("a figure");
        let mut frame = Frame::default();
        session.step(&mut settings, 0.3);
        session.fill(&settings, &mut frame);
        (frame.lines_on_top.len(), frame.volumes.volumes.len(), frame.lines.is_empty())
    };
    let expected = lines(MethodKind::Blocks);
    assert_eq!((expected.1, expected.2), (2, false));
    for method in [MethodKind::Gpu, MethodKind::Standard, MethodKind::Vertices] {
        assert_eq!(lines(method), expected, "{}", method.name());
    }
}

#[test]
fn weights_apply_to_a_cylinder_whose_name_has_them() {
    let mut settings = settings("@cylinder:varying");
    let (mut session, message) = Session::new(&mut settings).expect("a cylinder");
    assert_eq!((message, session.subject.max_influences()), (None, 4));
    for weights in 1..=4 {
        settings.weights = Weights::AtMost(weights);
        assert_eq!(session.apply_settings(&mut settings), None);
        assert_eq!(session.subject.max_influences(), weights);
    }
    // A figure has weights of its own.
    settings.weights = Weights::Varying;
    settings.choose_model("@figure:300");
    assert_eq!(session.apply_settings(&mut settings), None);
    assert_eq!(settings.weights, Weights::AtMost(4));
}

#[test]
fn threads_wait_for_each_other_and_never_longer_than_a_frame() {
    for threads in Threads::ALL {
        let mut settings = settings(CYLINDERS);
        settings.threads = threads;
        let (mut session, _) = Session::new(&mut settings).expect("cylinders");
        for _ in 0..3 {
            session.step(&mut settings, 1.0 / 60.0);
        }
        let shares = session.thread_shares();
        assert_eq!(shares.len() > 1, threads != Threads::Off, "{threads:?}");
        let sums = shares.iter().map(|shares| shares.animate + shares.skin + shares.wait());
        assert!(sums.into_iter().all(|sum| (0.99..=1.2).contains(&sum)), "{threads:?}: {shares:?}");
    }
}
