//! Bounds of models at rest and over clips: no vertex of any sample is outside.

use crate::held::within;
use sinew::{
    Aabb, Bone, Clip, Deltas, Error, Influences, InstanceOptions, Interpolation, JointBlend, Keys, Mesh,
    MeshSource, Model, ModelSource, MorphSource, Part, Skeleton, Skin, Surface, Track, Transform,
};

use crate::made;

const RATE: f32 = 30.0;

fn figure() -> Model {
    made::model("@figure:1000")
}

/// The seconds of all samples of a clip: from its first key on, and the last key.
fn samples(clip: &Clip) -> Vec<f32> {
    let (start, end) = (f64::from(clip.start()), f64::from(clip.end()));
    let steps = ((end - start) * f64::from(RATE)).ceil() as u32;
    (0..=steps).map(|step| (start + f64::from(step) / f64::from(RATE)).min(end) as f32).collect()
}

fn volume(bounds: &Aabb) -> f64 {
    (0..3).map(|axis| f64::from(bounds.max[axis]) - f64::from(bounds.min[axis])).product()
}

/// Demands that each vertex of each sample is within, and gives the smallest box around them.
fn hold(model: &Model, clip: &Clip, joint_blend: JointBlend, bounds: &Aabb) -> Aabb {
    let mut instance = model.instance_with(&InstanceOptions { joint_blend, ..InstanceOptions::default() });
    let mut cursor = clip.cursor();
    let mut smallest = Aabb::EMPTY;
    for seconds in samples(clip) {
        let pose = instance.pose_mut();
        pose.copy_from(model.skeleton().rest()).expect("the skeleton's own");
        clip.sample(seconds, &mut cursor, pose).expect("a clip of the skeleton");
        let skinned = instance.skin();
        for part in 0..skinned.len() {
            for vertex in 0..model.surface(part).mesh.len() {
                let point = skinned.position(part, vertex);
                assert!(
                    within(bounds, point),
                    "{seconds} s: vertex {vertex}, {point:?} outside of {bounds:?}"
                );
            }
        }
        smallest = smallest.union(&skinned.bounds());
    }
    smallest
}

#[test]
fn a_figure_stays_within_the_bounds_of_its_clips() {
    let model = figure();
    for (index, clip) in model.clips().iter().enumerate() {
        for joint_blend in [JointBlend::Linear, JointBlend::Duals] {
            let bounds = model.clip_bounds(index, RATE, joint_blend).expect("a sound rate");
            let smallest = hold(&model, clip, joint_blend, &bounds);
            let larger = volume(&bounds) / volume(&smallest);
            assert!(larger < 2.5, "{}: {larger} times the smallest box", clip.name());
        }
    }
}

#[test]
fn a_figure_at_rest_is_within_the_bounds_of_rest() {
    let model = figure();
    let bounds = model.rest_bounds();
    let mut instance = model.instance();
    let skinned = instance.skin();
    for vertex in 0..model.surface(0).mesh.len() {
        assert!(within(&bounds, skinned.position(0, vertex)), "vertex {vertex}");
    }
    assert!(volume(&bounds) < 1.5 * volume(&skinned.bounds()));
}

/// One vertex that a clip moves along x, and up by a morph target; a second clip moves nothing.
fn dot() -> Model {
    let skeleton = Skeleton::new(&[Bone::new("root", None, Transform::IDENTITY)]).expect("sound");
    let skeleton = skeleton.with_morph_weights(&[0.0]).expect("sound");
    let skin = Skin::new(&skeleton, &[0]).expect("sound");
    let influences = Influences::Listed { counts: &[1], joints: &[0], weights: &[1.0] };
    let up = MorphSource { positions: Deltas::Dense(&[[0.0, 1.0, 0.0]]), ..MorphSource::default() };
    let source = MeshSource { morphs: &[up], ..MeshSource::new(&[[0.0; 3]], influences) };
    let surface = Surface {
        name: String::new(),
        mesh: Mesh::new(&source, &skin).expect("sound"),
        texture_coordinates: Vec::new(),
        colours: Vec::new(),
        material: None,
    };
    let slide = Keys::Translations { joint: 0, values: &[[1.0, 0.0, 0.0], [5.0, 0.0, 0.0]] };
    let rise = Keys::Weights { first: 0, count: 1, values: &[-1.0, 2.0] };
    let track = |keys| Track { times: &[1.0, 3.0], keys, interpolation: Interpolation::Linear };
    let clips = vec![
        Clip::new("slide", &skeleton, &[track(slide), track(rise)]).expect("sound"),
        Clip::new("still", &skeleton, &[]).expect("sound"),
    ];
    let part = Part { name: String::new(), joint: 0, surface: 0, skin: 0, morph_weights: 0..1 };
    Model::new(ModelSource {
        skins: vec![skin],
        surfaces: vec![surface],
        parts: vec![part],
        clips,
        ..ModelSource::new(skeleton)
    })
    .expect("sound")
}

#[test]
fn morph_weights_of_a_clip_count_and_other_clips_are_at_rest() {
    let model = dot();
    for joint_blend in [JointBlend::Linear, JointBlend::Duals] {
        let bounds = model.clip_bounds(0, RATE, joint_blend).expect("a sound rate");
        for (found, expected) in [(bounds.min, [1.0_f32, -1.0, 0.0]), (bounds.max, [5.0, 2.0, 0.0])] {
            assert!((0..3).all(|axis| (found[axis] - expected[axis]).abs() < 1e-3), "{bounds:?}");
        }
        hold(&model, &model.clips()[0], joint_blend, &bounds);
        let still = model.clip_bounds(1, RATE, joint_blend).expect("a sound rate");
        assert!(within(&still, [0.0; 3]) && volume(&still) < 1e-6, "{still:?}");
    }
    assert!(within(&model.rest_bounds(), [0.0; 3]));
}

#[test]
fn clips_and_rates_that_are_none_are_refused() {
    let model = dot();
    let refused = |clip: usize, rate: f32| model.clip_bounds(clip, rate, JointBlend::Linear).unwrap_err();
    assert_eq!(refused(2, RATE), Error::ClipOutOfRange { clip: 2, len: 2 });
    for rate in [0.0, -1.0, f32::NAN, f32::INFINITY, 1e8] {
        assert!(matches!(refused(0, rate), Error::BadRate { seconds: 2.0, .. }), "{rate}");
    }
}
