//! The pose of a model at a time of a clip.

use sinew::animation::{Cursor, KeyData};
use sinew::skinning::NormalTransform;
use sinew::{Instance, Model};

use crate::text::BUILT_FOR_MODEL;

/// Samples one clip of a model, or its rest pose, into an instance.
pub(crate) struct ClipSampler {
    clip: Option<(usize, Cursor)>,
}

impl ClipSampler {
    /// For this clip, or for the rest pose.
    pub(crate) fn new(model: &Model, clip: Option<usize>) -> Self {
        Self { clip: clip.map(|clip| (clip, model.clips()[clip].cursor())) }
    }

    /// Poses an instance of the model at a time in the clip. Joints without tracks are at rest.
    pub(crate) fn sample(&mut self, seconds: f64, instance: &mut Instance) {
        let model = instance.model().clone();
        let pose = instance.pose_mut();
        pose.copy_from(model.skeleton().rest()).expect(BUILT_FOR_MODEL);
        if let Some((clip, cursor)) = &mut self.clip {
            model.clips()[*clip].sample(seconds as f32, cursor, pose).expect(BUILT_FOR_MODEL);
        }
    }
}

/// How to transform the normals of a model: by cofactors if any joint has a non-uniform scale.
pub(crate) fn normal_transform(model: &Model) -> NormalTransform {
    if has_nonuniform_scale(model) { NormalTransform::Cofactor } else { NormalTransform::BlendedMatrix }
}

/// Scale factors that differ by less, relative to the first, are equal: files round them.
const UNIFORM: f32 = 1e-4;

/// Whether any joint has different scale factors along its axes, at rest or in a clip.
fn has_nonuniform_scale(model: &Model) -> bool {
    let nonuniform = |[x, y, z]: [f32; 3]| (x - y).abs().max((x - z).abs()) > UNIFORM * x.abs();
    let rest = model.skeleton().rest();
    let tracks = || model.clips().iter().flat_map(|clip| clip.tracks());
    model.skeleton().joints().any(|joint| nonuniform(rest.transform(joint).scale))
        || tracks().any(|track| match track.keys {
            KeyData::Scales { values, .. } => values.into_iter().any(nonuniform),
            _ => false,
        })
}
