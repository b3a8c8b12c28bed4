//! A pool of playbacks, so that replaying a clip or a blend space does not allocate.

use super::playback::Playback;
use crate::animation::{BlendSpace, ClipSet};
use crate::skeleton::Pose;

/// The number of blend spaces whose idle playbacks are kept.
const MAX_IDLE_SPACES: usize = 16;

/// Idle playbacks by clip and by blend space, and idle reference poses of additive playbacks.
#[derive(Clone, Debug)]
pub(super) struct PlaybackPool {
    by_clip: Vec<IdlePlaybacks>,
    by_space: Vec<(BlendSpace, IdlePlaybacks)>,
    #[expect(clippy::vec_box, reason = "a playback takes the box, so that acquiring does not allocate")]
    references: Vec<Box<Pose>>,
}

#[derive(Clone, Debug, Default)]
struct IdlePlaybacks {
    idle: Vec<Playback>,
    /// The number of playbacks that were ever created.
    created: usize,
}

impl IdlePlaybacks {
    /// A playback as it was created. Allocates only if all are in use.
    fn acquire(&mut self, create: impl FnOnce() -> Playback) -> Playback {
        match self.idle.pop() {
            Some(mut playback) => {
                playback.restart();
                playback
            }
            None => {
                self.created += 1;
                // Room for all of them, so that `release` does not allocate.
                self.idle.reserve(self.created);
                create()
            }
        }
    }
}

impl PlaybackPool {
    pub(super) fn new(clips: usize) -> Self {
        Self { by_clip: vec![IdlePlaybacks::default(); clips], by_space: Vec::new(), references: Vec::new() }
    }

    /// A playback at the start of a clip. Allocates only if all playbacks of the clip are in use.
    pub(super) fn acquire(&mut self, set: &ClipSet, clip: usize) -> Playback {
        self.by_clip[clip].acquire(|| Playback::new(set, clip))
    }

    /// A playback at the start of a blend space. Allocates only if all playbacks of the space are
    /// in use, or it was not played before.
    pub(super) fn acquire_space(&mut self, set: &ClipSet, space: &BlendSpace) -> Playback {
        let index = self.by_space.iter().position(|(known, _)| known.is_same(space)).unwrap_or_else(|| {
            if self.by_space.len() >= MAX_IDLE_SPACES {
                // Forget one that is not played.
                let unused = self.by_space.iter().position(|(_, all)| all.idle.len() == all.created);
                unused.map(|index| self.by_space.remove(index));
            }
            self.by_space.push((space.clone(), IdlePlaybacks::default()));
            self.by_space.len() - 1
        });
        self.by_space[index].1.acquire(|| Playback::of_space(set, space))
    }

    /// A reference pose with unspecified contents.
    pub(super) fn acquire_reference(&mut self, set: &ClipSet) -> Box<Pose> {
        self.references.pop().unwrap_or_else(|| Box::new(set.skeleton().rest_pose()))
    }

    pub(super) fn release(&mut self, mut playback: Playback) {
        self.references.extend(playback.reference.take());
        let Some(space) = &playback.space else {
            return self.by_clip[playback.clip()].idle.push(playback);
        };
        if let Some((_, all)) = self.by_space.iter_mut().find(|(known, _)| known.is_same(&space.space)) {
            all.idle.push(playback);
        }
    }
}
