//! How far a model reaches over a clip.

use super::palettes::{Palettes, PosedParts};
use crate::{Aabb, Error, JointBlend, Matrix, Model, Pose};

/// The most samples of a clip.
const MOST: f64 = (1 << 24) as f64;

impl Model {
    /// A box along the axes that holds all vertices at rest, from joints alone: see [`Mesh::bounds`](crate::Mesh::bounds).
    #[must_use]
    pub fn rest_bounds(&self) -> Aabb {
        let mut scratch = Scratch::new(self, JointBlend::Linear);
        scratch.bounds(self)
    }

    /// A box along the axes that holds all vertices over a clip, from joints alone: the smallest one around those of samples, from
    /// the first key on, so many a second, and the last key. Joints that the clip does not move are at rest.
    ///
    /// Every vertex of every sample is in it. Between samples one may leave it, by what it strays from the way between them.
    ///
    /// # Errors
    ///
    /// When there is no such clip, or the rate is not above zero or gives more than 2^24 samples.
    pub fn clip_bounds(&self, clip: usize, rate: f32, joint_blend: JointBlend) -> Result<Aabb, Error> {
        let Some(played) = self.clips().get(clip) else {
            return Err(Error::ClipOutOfRange { clip, len: self.clips().len() });
        };
        let (start, end) = (f64::from(played.start()), f64::from(played.end()));
        let samples = ((end - start) * f64::from(rate)).ceil();
        if !(rate > 0.0 && samples < MOST) {
            return Err(Error::BadRate { found: rate, seconds: (end - start) as f32 });
        }
        let mut scratch = Scratch::new(self, joint_blend);
        let mut cursor = played.cursor();
        let mut all = Aabb::EMPTY;
        for sample in 0..=samples as u32 {
            let seconds = (start + f64::from(sample) / f64::from(rate)).min(end) as f32;
            scratch.pose.copy_from(self.skeleton().rest())?;
            played.sample(seconds, &mut cursor, &mut scratch.pose)?;
            all = all.union(&scratch.bounds(self));
        }
        Ok(all)
    }
}

/// What a pose of a model goes through.
struct Scratch {
    pose: Pose,
    model_from_joint: Vec<Matrix>,
    palettes: Palettes,
}

impl Scratch {
    fn new(model: &Model, joint_blend: JointBlend) -> Self {
        Self {
            pose: model.skeleton().rest_pose(),
            model_from_joint: model.skeleton().model_matrices(),
            palettes: Palettes::new(model, joint_blend),
        }
    }

    /// Where the pose takes the model.
    fn bounds(&mut self, model: &Model) -> Aabb {
        let Self { pose, model_from_joint, palettes } = self;
        model.skeleton().to_model(pose, .., model_from_joint).expect("matrices of the skeleton");
        palettes.update(model, model_from_joint);
        PosedParts { model, palettes, morph_weights: pose.morph_weights() }.bounds()
    }
}
