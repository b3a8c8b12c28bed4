//! Animation: from time to palettes, for each copy.

use sinew::animation::Factor;
use sinew::mesh::Morphed;
use sinew::model::ClipSampler;
use sinew::{Matrix, Palette, Pose};

use super::{AnimationSource, Subject};

const FITS: &str = "poses and matrices were created for this model";

/// Time offset in seconds between copies, so that no two move alike.
const COPY_TIME_OFFSET: f64 = 0.37;

/// The animated state of one copy. Memory is allocated once and written each frame.
#[derive(Clone, Debug)]
pub struct AnimatedCopy {
    /// One palette per skin.
    pub palettes: Vec<Palette>,
    /// Model matrices, one per joint.
    pub model_from_joint: Vec<Matrix>,
    /// For each mesh instance, the mesh after morphing; `None` without morph targets.
    pub morphed: Vec<Option<Morphed>>,
    /// Morph weights of the pose.
    pub morph_weights: Vec<f32>,
    /// Of the two clips that may be blended.
    samplers: [ClipSampler; 2],
}

/// Scratch poses for sampling: one sampler per thread.
#[derive(Clone, Debug)]
pub struct PoseSampler {
    pose: Pose,
    layers: [Pose; 2],
}

impl AnimatedCopy {
    /// Allocates memory for one copy.
    #[must_use]
    pub fn new(subject: &Subject) -> Self {
        let model = &subject.model;
        let morphed = |mesh_instance: usize| {
            let mesh = subject.mesh(mesh_instance);
            (mesh.morph_count() > 0).then(|| Morphed::new(mesh))
        };
        Self {
            palettes: model.skins().iter().map(Palette::new).collect(),
            model_from_joint: model.skeleton().identity_matrices(),
            morphed: (0..subject.mesh_instances()).map(morphed).collect(),
            morph_weights: model.skeleton().rest().morph_weights().to_vec(),
            samplers: Default::default(),
        }
    }
}

impl PoseSampler {
    /// Allocates memory for sampling a subject.
    #[must_use]
    pub fn new(subject: &Subject) -> Self {
        let rest = || subject.model.skeleton().rest_pose();
        Self { pose: rest(), layers: [rest(), rest()] }
    }

    /// Animates consecutive copies, of which the first has the index `first`.
    ///
    /// # Panics
    ///
    /// If the copies, the sampler or the source belong to another subject.
    pub fn animate(
        &mut self,
        subject: &Subject,
        source: AnimationSource,
        seconds: f64,
        (first, copies): (usize, &mut [AnimatedCopy]),
    ) {
        for (index, copy) in copies.iter_mut().enumerate() {
            let seconds = seconds + COPY_TIME_OFFSET * (first + index) as f64;
            self.pose(subject, source, seconds, &mut copy.samplers);
            let model = &subject.model;
            model.skeleton().to_model(&self.pose, .., &mut copy.model_from_joint).expect(FITS);
            for (palette, skin) in copy.palettes.iter_mut().zip(model.skins()) {
                palette.update(&copy.model_from_joint, skin).expect(FITS);
            }
            copy.morph_weights.copy_from_slice(self.pose.morph_weights());
            for (mesh_instance, morphed) in copy.morphed.iter_mut().enumerate() {
                let Some(morphed) = morphed else { continue };
                let weights =
                    &copy.morph_weights[model.mesh_instances()[mesh_instance].morph_weights.clone()];
                // Morphing rejects weights that are not finite; the mesh then keeps its shape.
                let _ = subject.mesh(mesh_instance).morph(weights, morphed);
            }
        }
    }

    fn pose(
        &mut self,
        subject: &Subject,
        source: AnimationSource,
        seconds: f64,
        samplers: &mut [ClipSampler; 2],
    ) {
        let skeleton = subject.model.skeleton();
        match source {
            AnimationSource::Rest => self.pose.copy_from(skeleton.rest()).expect(FITS),
            AnimationSource::Procedural(motion) => {
                motion.pose(skeleton, seconds as f32, &mut self.pose).expect(FITS)
            }
            AnimationSource::Clips { first, second: None } => {
                sample_looped(subject, first, seconds, &mut samplers[0], &mut self.pose);
            }
            AnimationSource::Clips { first, second: Some((second, weight)) } => {
                let ([first_pose, second_pose], [a, b]) = (&mut self.layers, samplers);
                sample_looped(subject, first, seconds, a, first_pose);
                sample_looped(subject, second, seconds, b, second_pose);
                self.pose.nlerp(first_pose, second_pose, Factor::All(weight)).expect(FITS);
            }
        }
    }
}

/// Samples a clip that repeats.
fn sample_looped(subject: &Subject, clip: usize, seconds: f64, sampler: &mut ClipSampler, pose: &mut Pose) {
    let model = &subject.model;
    let time = model.clips()[clip].looped_time(seconds);
    sampler.set_clip(model, Some(clip)).expect(FITS);
    sampler.sample(model, time as f32, pose).expect(FITS);
}
