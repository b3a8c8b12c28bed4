//! Random documents become models whose vertices are where an independent evaluation in doubles has them.

use crate::posed::posed;
use crate::written::evaluated;
use crate::written::glb::Parts;
use crate::written::scene::Scene;
use sinew::Model;
use sinew_io::{Options, Read};
use sinew_testkit::random::Random;

const SCENES: u64 = 400;

fn model(scene: &Scene) -> Read {
    let bytes = Parts::new(scene).bytes();
    sinew_io::read_bytes(&bytes, &Options::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// The largest distance of a vertex from where it should be, beside its distance from the origin; `None` where rounding
/// decides.
fn error(scene: &Scene, model: &Model, clip: Option<(usize, f32)>) -> Option<f64> {
    let expected = evaluated::positions(scene, clip)?;
    let found = posed(model, clip).positions;
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
fn vertices_are_where_the_specification_has_them() {
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
fn nothing_is_odd_about_documents_by_rule() {
    for seed in 0..SCENES {
        for oddity in model(&Scene::new(seed)).report.oddities() {
            // What rules do not exclude: joints twice in a skin, or not in the scene, and curves through zero.
            let excused = ["already", "not in the scene", "of length zero"];
            assert!(excused.iter().any(|words| oddity.found.contains(words)), "seed {seed}: {oddity}");
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
        for (index, part) in model.parts().iter().enumerate() {
            assert_eq!(part.name, skeleton.name(part.joint));
            let names: Vec<_> = model.surface(index).mesh.morph_names().collect();
            assert_eq!(names, ["smile", "frown", ""][..part.morph_weights.len()]);
        }
        for (index, clip) in model.clips().iter().enumerate() {
            assert_eq!(clip.name(), format!("clip {index}"));
        }
    }
}
