//! What was played and is no longer: memory for the next time.

use super::playing::Playing;
use crate::{Model, Pose};

/// Memory by clip, and of what added clips were compared with.
#[derive(Clone, Debug)]
pub(super) struct Spare {
    of_clips: Vec<OfClip>,
    references: Vec<Pose>,
}

#[derive(Clone, Debug, Default)]
struct OfClip {
    spare: Vec<Playing>,
    /// How many were ever made.
    made: usize,
}

impl Spare {
    pub(super) fn new(clips: usize) -> Self {
        Self { of_clips: vec![OfClip::default(); clips], references: Vec::new() }
    }

    /// A clip at its start. Takes memory only when as many of it as ever are played already.
    pub(super) fn take(&mut self, model: &Model, clip: usize) -> Playing {
        let of_clip = &mut self.of_clips[clip];
        match of_clip.spare.pop() {
            Some(mut playing) => {
                playing.begin(&model.clips()[clip]);
                playing
            }
            None => {
                of_clip.made += 1;
                // Room to put all of them back without asking for memory then.
                of_clip.spare.reserve(of_clip.made);
                Playing::new(model, clip)
            }
        }
    }

    /// A pose to compare with, whatever is in it.
    pub(super) fn reference(&mut self, model: &Model) -> Pose {
        self.references.pop().unwrap_or_else(|| model.skeleton().rest_pose())
    }

    pub(super) fn put(&mut self, mut playing: Playing) {
        self.references.extend(playing.reference.take());
        self.of_clips[playing.clip()].spare.push(playing);
    }
}
