//! The bounds of a model over a clip.

use sinew_kernels::{Aabb, Matrix};

use super::palettes::{Palettes, PosedMeshes};
use crate::model::{ClipSampler, Model, ModelError};
use crate::skeleton::Pose;
use crate::skinning::SkinMethod;

/// The maximum number of samples of a clip.
const MAX_SAMPLES: f64 = (1 << 24) as f64;

impl Model {
    /// An AABB of all vertices at rest, computed from joints alone. See
    /// [`JointBounds::aabb`](crate::bounds::JointBounds::aabb).
    #[must_use]
    pub fn rest_bounds(&self) -> Aabb {
        let mut scratch = Scratch::new(self, SkinMethod::Linear);
        scratch.bounds(self)
    }

    /// An AABB of all vertices over a clip, computed from joints alone. It is the union of the
    /// AABBs at samples from the first key frame on, `rate` per second, and at the last key frame.
    /// Joints that the clip does not animate are at rest.
    ///
    /// It contains all vertices at all samples. Between samples, a vertex may leave it by as much
    /// as its path deviates from a straight line.
    ///
    /// # Errors
    ///
    /// If the model has no such clip, or the rate is not above zero or gives more than 2^24
    /// samples.
    pub fn clip_bounds(&self, clip: usize, rate: f32, skin_method: SkinMethod) -> Result<Aabb, ModelError> {
        let Some(sampled) = self.clips().get(clip) else {
            return Err(ModelError::ClipOutOfRange { clip, len: self.clips().len() });
        };
        let (start, end) = (f64::from(sampled.start()), f64::from(sampled.end()));
        let samples = ((end - start) * f64::from(rate)).ceil();
        if !(rate > 0.0 && samples < MAX_SAMPLES) {
            return Err(ModelError::BadRate { found: rate, seconds: (end - start) as f32 });
        }
        let mut scratch = Scratch::new(self, skin_method);
        let mut sampler = ClipSampler::new(self, Some(clip))?;
        let mut all = Aabb::EMPTY;
        for sample in 0..=samples as u32 {
            let seconds = (start + f64::from(sample) / f64::from(rate)).min(end) as f32;
            sampler.sample(self, seconds, &mut scratch.pose)?;
            all = all.union(&scratch.bounds(self));
        }
        Ok(all)
    }
}

/// Buffers for posing a model.
struct Scratch {
    pose: Pose,
    model_from_joint: Vec<Matrix>,
    palettes: Palettes,
}

impl Scratch {
    fn new(model: &Model, skin_method: SkinMethod) -> Self {
        Self {
            pose: model.skeleton().rest_pose(),
            model_from_joint: model.skeleton().identity_matrices(),
            palettes: Palettes::new(model, skin_method),
        }
    }

    /// The AABB of the model in the pose.
    fn bounds(&mut self, model: &Model) -> Aabb {
        let Self { pose, model_from_joint, palettes } = self;
        model.skeleton().to_model(pose, .., model_from_joint).expect("matrices of the skeleton");
        palettes.update(model, model_from_joint);
        PosedMeshes { model, palettes, morph_weights: pose.morph_weights() }.bounds()
    }
}
