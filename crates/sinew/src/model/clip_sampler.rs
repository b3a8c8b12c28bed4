//! Samples the pose of a model at a time of one of its clips.

use super::{Instance, Model, ModelError};
use crate::animation::Cursor;
use crate::skeleton::Pose;

/// Samples one clip of a model, or its rest pose, at any time.
///
/// Unlike an [`Animator`](crate::Animator), it has no clock and does not blend. It is for tools
/// that bake, draw or query a model at a given time. Sampling does not allocate.
///
/// ```
/// # fn model() -> Result<sinew::Model, sinew::Error> {
/// #     use sinew::animation::{Interpolation, Keys, Track};
/// #     use sinew::model::ModelSource;
/// #     use sinew::{Bone, Clip, Skeleton, Transform};
/// #     let skeleton = Skeleton::new(&[Bone::new("root", None, Transform::IDENTITY)])?;
/// #     let joint = skeleton.joint("root")?;
/// #     let keys = Keys::Translations { joint, values: &[[0.0; 3], [2.0, 0.0, 0.0]] };
/// #     let track = Track { times: &[0.0, 1.0], keys, interpolation: Interpolation::Linear };
/// #     let clips = vec![Clip::new("walk", &skeleton, &[track])?];
/// #     Ok(sinew::Model::new(ModelSource { clips, ..ModelSource::new(skeleton) })?)
/// # }
/// use sinew::model::ClipSampler;
///
/// let model = model()?; // From a file, or built in code.
/// let root = model.skeleton().joint("root")?;
/// let mut sampler = ClipSampler::new(&model, Some(model.clip("walk")?))?;
/// let mut pose = model.skeleton().rest_pose();
/// sampler.sample(&model, 0.25, &mut pose)?;
/// assert_eq!(pose.translation(root), [0.5, 0.0, 0.0]);
///
/// // Or pose an instance.
/// let mut fox = model.instance();
/// fox.sample_clip(&mut sampler, 0.75)?;
/// assert_eq!(fox.pose().translation(root), [1.5, 0.0, 0.0]);
/// # Ok::<(), sinew::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct ClipSampler {
    /// `None` for the rest pose.
    clip: Option<(usize, Cursor)>,
}

impl ClipSampler {
    /// Creates a sampler of a clip, by its index; `None` samples the rest pose.
    ///
    /// # Errors
    ///
    /// If the model has no such clip.
    pub fn new(model: &Model, clip: Option<usize>) -> Result<Self, ModelError> {
        let mut sampler = Self::default();
        sampler.set_clip(model, clip)?;
        Ok(sampler)
    }

    /// The index of the clip, or `None` for the rest pose.
    #[must_use]
    pub fn clip(&self) -> Option<usize> {
        self.clip.as_ref().map(|&(clip, _)| clip)
    }

    /// Sets the clip, by its index; `None` samples the rest pose. Allocates a cursor unless the
    /// index stays the same.
    ///
    /// # Errors
    ///
    /// If the model has no such clip. The sampler does not change then.
    pub fn set_clip(&mut self, model: &Model, clip: Option<usize>) -> Result<(), ModelError> {
        if self.clip() == clip {
            return Ok(());
        }
        let cursor = |clip: usize| match model.clips().get(clip) {
            Some(sampled) => Ok((clip, sampled.cursor())),
            None => Err(clip_out_of_range(model, clip)),
        };
        self.clip = clip.map(cursor).transpose()?;
        Ok(())
    }

    /// Writes the pose at a time of the clip, in seconds. Joints and morph weights without tracks
    /// are at rest. Times are clamped to the first and last key frame of each track;
    /// [`Clip::looped_time`](crate::Clip::looped_time) converts times of a looping clip.
    ///
    /// # Errors
    ///
    /// If the sampler or the pose was created for another model.
    pub fn sample(&mut self, model: &Model, seconds: f32, pose: &mut Pose) -> Result<(), ModelError> {
        pose.copy_from(model.skeleton().rest())?;
        let Some((clip, cursor)) = &mut self.clip else { return Ok(()) };
        match model.clips().get(*clip) {
            Some(sampled) => Ok(sampled.sample(seconds, cursor, pose)?),
            None => Err(clip_out_of_range(model, *clip)),
        }
    }
}

impl Instance {
    /// Poses the instance at a time of the sampler's clip. The next step overwrites it. See
    /// [`ClipSampler::sample`].
    ///
    /// # Errors
    ///
    /// If the sampler was created for another model.
    pub fn sample_clip(&mut self, sampler: &mut ClipSampler, seconds: f32) -> Result<(), ModelError> {
        let (model, pose) = self.model_and_pose_mut();
        sampler.sample(model, seconds, pose)
    }
}

fn clip_out_of_range(model: &Model, clip: usize) -> ModelError {
    ModelError::ClipOutOfRange { clip, len: model.clips().len() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::animation::{Clip, Interpolation, Keys, Track};
    use crate::model::ModelSource;
    use crate::skeleton::{Bone, JointId, Skeleton, Transform};

    /// Joints with different rest translations. Clip `i` animates joint `i`; the last one has two
    /// timelines.
    fn model(clips: usize) -> Model {
        let bone = |joint: usize| Bone {
            parent: joint.checked_sub(1),
            rest: Transform { translation: [1.0, joint as f32, 0.0], ..Transform::IDENTITY },
            ..Bone::new("", None, Transform::IDENTITY)
        };
        let bones: Vec<Bone> = (0..4).map(bone).collect();
        let skeleton = Skeleton::new(&bones).expect("a chain");
        let clip = |index: usize| {
            let joint = JointId::new(index);
            let keys = Keys::Translations { joint, values: &[[0.0; 3], [8.0, 4.0, 2.0]] };
            let move_joint = Track { times: &[0.5, 1.5], keys, interpolation: Interpolation::Linear };
            let keys = Keys::Rotations { joint, values: &[[0.0, 0.0, 0.0, 1.0], [0.0, 0.6, 0.0, 0.8]] };
            let turn_joint = Track { times: &[0.0, 2.0], keys, interpolation: Interpolation::Linear };
            let tracks = if index == 2 { vec![move_joint, turn_joint] } else { vec![move_joint] };
            Clip::new("", &skeleton, &tracks).expect("a valid clip")
        };
        let clips = (0..clips).map(clip).collect();
        Model::new(ModelSource { clips, ..ModelSource::new(skeleton) }).expect("a valid model")
    }

    fn sampled(sampler: &mut ClipSampler, model: &Model, seconds: f32) -> Vec<Transform> {
        let mut pose = model.skeleton().rest_pose();
        pose.set_translation(JointId::new(3), [9.0; 3]);
        sampler.sample(model, seconds, &mut pose).expect("the same model");
        pose.transforms().collect()
    }

    #[test]
    fn sampling_matches_clip_sample_over_the_rest_pose() {
        let model = model(3);
        for (index, clip) in model.clips().iter().enumerate() {
            let mut sampler = ClipSampler::new(&model, Some(index)).expect("a clip");
            for seconds in [-1.0, 0.0, 0.7, 1.0, 0.6, 1.5, 9.0] {
                let mut pose = model.skeleton().rest_pose();
                clip.sample(seconds, &mut clip.cursor(), &mut pose).expect("the same skeleton");
                assert_eq!(sampled(&mut sampler, &model, seconds), pose.transforms().collect::<Vec<_>>());
                let mut instance = model.instance();
                instance.sample_clip(&mut sampler, seconds).expect("the same model");
                assert!(instance.pose().transforms().eq(pose.transforms()));
            }
        }
    }

    #[test]
    fn without_a_clip_it_samples_the_rest_pose() {
        let model = model(1);
        let rest: Vec<_> = model.skeleton().rest().transforms().collect();
        assert_eq!(sampled(&mut ClipSampler::default(), &model, 1.0), rest);
    }

    #[test]
    fn changing_the_clip_leaves_no_trace_of_the_previous_one() {
        let model = model(3);
        let mut sampler = ClipSampler::new(&model, Some(0)).expect("a clip");
        sampled(&mut sampler, &model, 1.0);
        sampler.set_clip(&model, Some(1)).expect("a clip");
        assert_eq!(sampler.clip(), Some(1));
        let mut fresh = ClipSampler::new(&model, Some(1)).expect("a clip");
        assert_eq!(sampled(&mut sampler, &model, 1.0), sampled(&mut fresh, &model, 1.0));
    }

    #[test]
    fn sampling_an_instance_updates_its_matrices() {
        let model = model(1);
        let mut instance = model.instance();
        let mut sampler = ClipSampler::new(&model, Some(0)).expect("a clip");
        instance.sample_clip(&mut sampler, 1.5).expect("the same model");
        assert_eq!(instance.model_matrices()[0].rows.map(|row| row[3]), [8.0, 4.0, 2.0]);
    }

    #[test]
    fn a_clip_out_of_range_is_an_error() {
        let model = model(2);
        let expected = Err(ModelError::ClipOutOfRange { clip: 2, len: 2 });
        assert_eq!(ClipSampler::new(&model, Some(2)).map(|_| ()), expected);
        let mut sampler = ClipSampler::new(&model, Some(1)).expect("a clip");
        assert_eq!(sampler.set_clip(&model, Some(2)), expected);
        assert_eq!(sampler.clip(), Some(1));
    }

    #[test]
    fn a_sampler_of_another_model_is_an_error() {
        let (one, other) = (model(1), model(3));
        let mut pose = one.skeleton().rest_pose();
        let mut sampler = ClipSampler::new(&other, Some(2)).expect("a clip");
        let expected = Err(ModelError::ClipOutOfRange { clip: 2, len: 1 });
        assert_eq!(sampler.sample(&one, 0.0, &mut pose), expected);
        let mut sampler = ClipSampler::new(&one, Some(0)).expect("a clip");
        let smaller = Skeleton::new(&[Bone::new("", None, Transform::IDENTITY)]).expect("a root");
        assert!(sampler.sample(&one, 0.0, &mut smaller.rest_pose()).is_err());
    }
}
