//! Bounds of models at rest and over clips contain the vertices of all samples.

use sinew::model::ModelError;
use sinew::skinning::SkinMethod;
use sinew::{Aabb, Clip, InstanceOptions, Model};

use crate::support::bounds_check::contains;
use crate::support::one_vertex_model::{SlideKeys, one_vertex_model};
use crate::support::scene_cache::scene_model;

const RATE: f32 = 30.0;

fn figure() -> Model {
    scene_model("@figure:1000")
}

/// The sample times of a clip: from its first key at a fixed rate, and its last key.
fn sample_times(clip: &Clip) -> Vec<f32> {
    let (start, end) = (f64::from(clip.start()), f64::from(clip.end()));
    let steps = ((end - start) * f64::from(RATE)).ceil() as u32;
    (0..=steps).map(|step| (start + f64::from(step) / f64::from(RATE)).min(end) as f32).collect()
}

fn volume(bounds: &Aabb) -> f64 {
    (0..3).map(|axis| f64::from(bounds.max[axis]) - f64::from(bounds.min[axis])).product()
}

/// Asserts that bounds contain each vertex of each sample. Returns the exact box of all vertices.
fn assert_contains_samples(model: &Model, clip: &Clip, skin_method: SkinMethod, bounds: &Aabb) -> Aabb {
    let mut instance = model.instance_with(&InstanceOptions::default().with_skin_method(skin_method));
    let mut cursor = clip.cursor();
    let mut smallest = Aabb::EMPTY;
    for seconds in sample_times(clip) {
        let pose = instance.pose_mut();
        pose.copy_from(model.skeleton().rest()).expect("the skeleton's own");
        clip.sample(seconds, &mut cursor, pose).expect("a clip of the skeleton");
        let skinned = instance.skin();
        for mesh_instance in 0..skinned.len() {
            for vertex in 0..model.primitive(mesh_instance).mesh.len() {
                let point = skinned.position(mesh_instance, vertex);
                assert!(
                    contains(bounds, point),
                    "{seconds} s: vertex {vertex}, {point:?} outside of {bounds:?}"
                );
            }
        }
        smallest = smallest.union(&skinned.bounds());
    }
    smallest
}

#[test]
fn clip_bounds_contain_every_sampled_vertex() {
    let model = figure();
    for (index, clip) in model.clips().iter().enumerate() {
        for skin_method in [SkinMethod::Linear, SkinMethod::DualQuaternion] {
            let bounds = model.clip_bounds(index, RATE, skin_method).expect("a valid rate");
            let smallest = assert_contains_samples(&model, clip, skin_method, &bounds);
            let larger = volume(&bounds) / volume(&smallest);
            assert!(larger < 2.5, "{}: {larger} times the smallest box", clip.name());
        }
    }
}

#[test]
fn rest_bounds_contain_the_rest_mesh() {
    let model = figure();
    let bounds = model.rest_bounds();
    let mut instance = model.instance();
    let skinned = instance.skin();
    for vertex in 0..model.primitive(0).mesh.len() {
        assert!(contains(&bounds, skinned.position(0, vertex)), "vertex {vertex}");
    }
    assert!(volume(&bounds) < 1.5 * volume(&skinned.bounds()));
}

/// One vertex that a clip moves along x, and up by a morph target. A second clip moves nothing.
fn sliding_vertex() -> Model {
    one_vertex_model(&SlideKeys {
        times: [1.0, 3.0],
        translations: [[1.0, 0.0, 0.0], [5.0, 0.0, 0.0]],
        morph_weights: [-1.0, 2.0],
    })
}

#[test]
fn clip_bounds_include_the_morph_weights_of_that_clip_only() {
    let model = sliding_vertex();
    for skin_method in [SkinMethod::Linear, SkinMethod::DualQuaternion] {
        let bounds = model.clip_bounds(0, RATE, skin_method).expect("a valid rate");
        for (found, expected) in [(bounds.min, [1.0_f32, -1.0, 0.0]), (bounds.max, [5.0, 2.0, 0.0])] {
            assert!((0..3).all(|axis| (found[axis] - expected[axis]).abs() < 1e-3), "{bounds:?}");
        }
        assert_contains_samples(&model, &model.clips()[0], skin_method, &bounds);
        let still = model.clip_bounds(1, RATE, skin_method).expect("a valid rate");
        assert!(contains(&still, [0.0; 3]) && volume(&still) < 1e-6, "{still:?}");
    }
    assert!(contains(&model.rest_bounds(), [0.0; 3]));
}

#[test]
fn invalid_clips_and_sample_rates_are_rejected() {
    let model = sliding_vertex();
    let rejection = |clip: usize, rate: f32| model.clip_bounds(clip, rate, SkinMethod::Linear).unwrap_err();
    assert_eq!(rejection(2, RATE), ModelError::ClipOutOfRange { clip: 2, len: 2 });
    for rate in [0.0, -1.0, f32::NAN, f32::INFINITY, 1e8] {
        assert!(matches!(rejection(0, rate), ModelError::BadRate { seconds: 2.0, .. }), "{rate}");
    }
}
