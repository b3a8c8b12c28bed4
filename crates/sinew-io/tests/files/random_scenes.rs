//! The vertices of random documents match an independent evaluation in `f64`.

use crate::support::glb_writer::SceneFile;
use crate::support::pose_model::pose_model;
use crate::support::random_scene::Scene;
use crate::support::scene_oracle;
use sinew::Model;
use sinew_io::{Import, ImportOptions};
use sinew_testkit::random::Random;

const SCENES: u64 = 400;

fn model(scene: &Scene) -> Import {
    let bytes = SceneFile::new(scene).bytes();
    sinew_io::load_bytes(&bytes, &ImportOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// The largest distance of a vertex from its expected position, relative to the size of the model;
/// `None` if rounding decides the pose.
fn error(scene: &Scene, model: &Model, clip: Option<(usize, f32)>) -> Option<f64> {
    let expected = scene_oracle::positions(scene, clip)?;
    let found = pose_model(model, clip).positions;
    assert_eq!(found.len(), expected.len());
    let size = expected.iter().flatten().flatten().fold(1.0_f64, |size, part| size.max(part.abs()));
    let mut largest = 0.0_f64;
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.as_flattened().iter().zip(expected.as_flattened()) {
            assert!(found.is_finite());
            largest = largest.max((f64::from(*found) - expected).abs() / size);
        }
    }
    Some(largest)
}

#[test]
fn vertices_match_the_specification() {
    let (mut largest, mut compared) = (0.0_f64, 0);
    for seed in 0..SCENES {
        let scene = Scene::new(seed);
        let model = model(&scene).model;
        assert_eq!(model.clips().len(), scene.clips.len());
        let mut random = Random::new(seed);
        let clips =
            (0..scene.clips.len()).flat_map(|clip| [0.0, 0.4, 1.3, 9.0].map(|time| Some((clip, time))));
        for clip in [None].into_iter().chain(clips) {
            let clip = clip.map(|(clip, time): (usize, f32)| (clip, time * random.between(0.5, 1.0)));
            if let Some(error) = error(&scene, &model, clip) {
                assert!(error < 1e-5, "seed {seed}, clip {clip:?}: {error:.2e}");
                largest = largest.max(error);
                compared += 1;
            }
        }
    }
    eprintln!("{compared} poses of {SCENES} scenes, largest error {largest:.2e}");
    assert!(compared > SCENES);
}

#[test]
fn random_documents_have_no_unexpected_warnings() {
    for seed in 0..SCENES {
        for warning in model(&Scene::new(seed)).report.warnings() {
            // Random scenes may contain joints twice in a skin, joints outside the scene, and
            // rotation curves through zero.
            let excused = ["lists again", "not in the scene", "of length zero"];
            assert!(excused.iter().any(|words| warning.found.contains(words)), "seed {seed}: {warning}");
        }
    }
}

#[test]
fn names_and_hierarchies_are_kept() {
    for seed in 0..SCENES {
        let scene = Scene::new(seed);
        let model = model(&scene).model;
        let skeleton = model.skeleton();
        assert_eq!(skeleton.len(), scene.nodes.len());
        for (index, node) in scene.nodes.iter().enumerate() {
            let joint = skeleton.joint(&format!("node {index}")).unwrap();
            let parent = node.parent.map(|parent| format!("node {parent}"));
            assert_eq!(skeleton.parent(joint).map(|parent| skeleton.name(parent)), parent.as_deref());
        }
        for (index, mesh_instance) in model.mesh_instances().iter().enumerate() {
            assert_eq!(mesh_instance.name, skeleton.name(mesh_instance.joint));
            let names: Vec<_> = model.primitive(index).mesh.morph_names().collect();
            assert_eq!(names, ["smile", "frown", ""][..mesh_instance.morph_weights.len()]);
        }
        for (index, clip) in model.clips().iter().enumerate() {
            assert_eq!(clip.name(), format!("clip {index}"));
        }
    }
}
