//! From time to palettes, one copy after the other.

use sinew::{Cursor, Factor, Matrix, Morphed, Palette, Pose};

use super::{Plan, Subject};

const FITS: &str = "all of it was made for this model";

/// How far one copy is behind the next, so that no two move alike.
const BETWEEN: f64 = 0.37;

/// Where one copy is: memory that is taken once and written each frame.
#[derive(Clone, Debug)]
pub struct Animated {
    /// Of each skin.
    pub palettes: Vec<Palette>,
    /// Of each joint.
    pub model_from_joint: Vec<Matrix>,
    /// Of each part that has morph targets.
    pub morphed: Vec<Option<Morphed>>,
    /// Of the pose.
    pub morph_weights: Vec<f32>,
    cursors: [Option<(usize, Cursor)>; 2],
}

/// Poses in the making: one for each thread.
#[derive(Clone, Debug)]
pub struct Poser {
    pose: Pose,
    layers: [Pose; 2],
}

impl Animated {
    /// Memory for one copy.
    #[must_use]
    pub fn new(subject: &Subject) -> Self {
        let model = &subject.model;
        let morphed = |part: usize| {
            let mesh = subject.mesh(part);
            (mesh.morph_count() > 0).then(|| Morphed::new(mesh))
        };
        Self {
            palettes: model.skins().iter().map(Palette::new).collect(),
            model_from_joint: model.skeleton().model_matrices(),
            morphed: (0..subject.parts()).map(morphed).collect(),
            morph_weights: model.skeleton().rest().morph_weights().to_vec(),
            cursors: [None, None],
        }
    }
}

impl Poser {
    /// Memory for one pose at a time.
    #[must_use]
    pub fn new(subject: &Subject) -> Self {
        let rest = || subject.model.skeleton().rest_pose();
        Self { pose: rest(), layers: [rest(), rest()] }
    }

    /// Takes some copies to a time; the first of them has this number.
    ///
    /// # Panics
    ///
    /// When the copies or the poser were made for another subject, or the plan is not for it.
    pub fn animate(
        &mut self,
        subject: &Subject,
        plan: Plan,
        seconds: f64,
        (first, copies): (usize, &mut [Animated]),
    ) {
        for (index, copy) in copies.iter_mut().enumerate() {
            let seconds = seconds + BETWEEN * (first + index) as f64;
            self.pose(subject, plan, seconds, &mut copy.cursors);
            let model = &subject.model;
            model.skeleton().to_model(&self.pose, .., &mut copy.model_from_joint).expect(FITS);
            for (palette, skin) in copy.palettes.iter_mut().zip(model.skins()) {
                palette.update(&copy.model_from_joint, skin).expect(FITS);
            }
            copy.morph_weights.copy_from_slice(self.pose.morph_weights());
            for (part, morphed) in copy.morphed.iter_mut().enumerate() {
                let Some(morphed) = morphed else { continue };
                let weights = &copy.morph_weights[model.parts()[part].morph_weights.clone()];
                // Weights that are not finite move nothing.
                let _ = subject.mesh(part).morph(weights, morphed);
            }
        }
    }

    fn pose(
        &mut self,
        subject: &Subject,
        plan: Plan,
        seconds: f64,
        cursors: &mut [Option<(usize, Cursor)>; 2],
    ) {
        let skeleton = subject.model.skeleton();
        match plan {
            Plan::Rest => self.pose.copy_from(skeleton.rest()).expect(FITS),
            Plan::Rule(rule) => rule.pose(skeleton, seconds as f32, &mut self.pose).expect(FITS),
            Plan::Clips { first, second: None } => {
                sample(subject, first, seconds, &mut cursors[0], &mut self.pose);
            }
            Plan::Clips { first, second: Some((second, share)) } => {
                let ([one, other], [a, b]) = (&mut self.layers, cursors);
                sample(subject, first, seconds, a, one);
                sample(subject, second, seconds, b, other);
                self.pose.nlerp(one, other, Factor::All(share)).expect(FITS);
            }
        }
    }
}

/// A clip over and over.
fn sample(
    subject: &Subject,
    clip: usize,
    seconds: f64,
    cursor: &mut Option<(usize, Cursor)>,
    pose: &mut Pose,
) {
    let own = &subject.model.clips()[clip];
    if cursor.as_ref().is_none_or(|&(other, _)| other != clip) {
        *cursor = Some((clip, own.cursor()));
    }
    let (start, length) = (f64::from(own.start()), f64::from(own.end() - own.start()));
    let time = if length > 0.0 { start + seconds.rem_euclid(length) } else { start };
    pose.copy_from(subject.model.skeleton().rest()).expect(FITS);
    if let Some((_, cursor)) = cursor {
        own.sample(time as f32, cursor, pose).expect(FITS);
    }
}
