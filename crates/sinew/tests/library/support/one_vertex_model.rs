//! A model of one vertex, one joint and one morph target, whose motion can be read off directly.

use sinew::animation::{Interpolation, Keys, Track};
use sinew::mesh::{Deltas, MorphSource};
use sinew::model::{MeshInstance, ModelSource, Primitive};
use sinew::{Bone, Clip, Influences, Mesh, MeshSource, Model, Skeleton, Skin, Transform};

/// Two keys of the clip "slide".
pub(crate) struct SlideKeys {
    pub(crate) times: [f32; 2],
    /// Translations of the joint.
    pub(crate) translations: [[f32; 3]; 2],
    /// Weights of the morph target, which moves the vertex by one along y.
    pub(crate) morph_weights: [f32; 2],
}

/// The vertex at the origin. The clip "slide" moves it, the clip "still" has no tracks.
pub(crate) fn one_vertex_model(keys: &SlideKeys) -> Model {
    let skeleton = Skeleton::new(&[Bone::new("root", None, Transform::IDENTITY)]).expect("valid");
    let skeleton = skeleton.with_morph_weights(&[0.0]).expect("valid");
    let root = skeleton.joint("root").expect("valid");
    let skin = Skin::new(&skeleton, &[root]).expect("valid");
    let influences = Influences::Variable { counts: &[1], joints: &[0], weights: &[1.0] };
    let up = MorphSource { positions: Deltas::Dense(&[[0.0, 1.0, 0.0]]), ..MorphSource::default() };
    let source = MeshSource { morphs: &[up], ..MeshSource::new(&[[0.0; 3]], influences) };
    let primitive = Primitive::new("", Mesh::new(&source, &skin).expect("valid"));
    let slide = Keys::Translations { joint: root, values: &keys.translations };
    let rise = Keys::Weights { first: 0, count: 1, values: &keys.morph_weights };
    let track = |values| Track { times: &keys.times, keys: values, interpolation: Interpolation::Linear };
    let clips = vec![
        Clip::new("slide", &skeleton, &[track(slide), track(rise)]).expect("valid"),
        Clip::new("still", &skeleton, &[]).expect("valid"),
    ];
    let mesh_instance = MeshInstance { morph_weights: 0..1, ..MeshInstance::new("", root) };
    Model::new(ModelSource {
        skins: vec![skin],
        primitives: vec![primitive],
        mesh_instances: vec![mesh_instance],
        clips,
        ..ModelSource::new(skeleton)
    })
    .expect("valid")
}
