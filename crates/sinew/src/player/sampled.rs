//! Poses that clips are sampled into, and what is left of them from the last time.

use super::playing::Playing;
use crate::{Model, Pose};

/// A pose, and whether all that a clip does not move is at rest in it.
#[derive(Clone, Debug)]
pub(crate) struct Posed {
    pub(crate) pose: Pose,
    /// The clip that it was sampled from last, if nothing else has changed it since.
    clip: Option<usize>,
}

impl Posed {
    pub(crate) fn new(model: &Model) -> Self {
        Self { pose: model.skeleton().rest_pose(), clip: None }
    }

    /// Its pose, to be changed in any way.
    pub(crate) fn change(&mut self) -> &mut Pose {
        self.clip = None;
        &mut self.pose
    }

    pub(crate) fn rest(&mut self, model: &Model) {
        self.change().copy_from(model.skeleton().rest()).expect(MADE);
    }

    /// A clip where it is now. Where it was the same clip the last time, nothing has to be copied.
    pub(super) fn sample(&mut self, model: &Model, playing: &mut Playing) {
        if self.clip != Some(playing.clip()) {
            self.rest(model);
        }
        playing.sample(model, &mut self.pose);
        self.clip = playing.root().is_none().then_some(playing.clip());
    }
}

/// Memory for clips on their way into one pose.
#[derive(Clone, Debug)]
pub(crate) struct Sampler {
    /// Layers, two at a time: more of them would leave the nearest cache.
    pub(super) layers: [Posed; 2],
    /// What weights sum to at each joint, where masks make them differ.
    pub(super) sums: Vec<f64>,
}

impl Sampler {
    pub(crate) fn new(model: &Model) -> Self {
        Self { layers: [Posed::new(model), Posed::new(model)], sums: vec![0.0; model.skeleton().len()] }
    }
}

pub(super) const MADE: &str = "all poses were made for the model's skeleton";
