//! A pool of playbacks, so that replaying a clip does not allocate.

use super::playback::Playback;
use crate::animation::ClipSet;
use crate::skeleton::Pose;

/// Idle playbacks by clip, and idle reference poses of additive playbacks.
#[derive(Clone, Debug)]
pub(super) struct PlaybackPool {
    by_clip: Vec<ClipPlaybacks>,
    references: Vec<Pose>,
}

#[derive(Clone, Debug, Default)]
struct ClipPlaybacks {
    idle: Vec<Playback>,
    /// The number of playbacks that were ever created.
    created: usize,
}

impl PlaybackPool {
    pub(super) fn new(clips: usize) -> Self {
        Self { by_clip: vec![ClipPlaybacks::default(); clips], references: Vec::new() }
    }

    /// A playback at the start of a clip. Allocates only if all playbacks of the clip are in use.
    pub(super) fn acquire(&mut self, set: &ClipSet, clip: usize) -> Playback {
        let clip_pool = &mut self.by_clip[clip];
        match clip_pool.idle.pop() {
            Some(mut playback) => {
                playback.restart(&set.clips()[clip]);
                playback
            }
            None => {
                clip_pool.created += 1;
                // Room for all of them, so that `release` does not allocate.
                clip_pool.idle.reserve(clip_pool.created);
                Playback::new(set, clip)
            }
        }
    }

    /// A reference pose with unspecified contents.
    pub(super) fn acquire_reference(&mut self, set: &ClipSet) -> Pose {
        self.references.pop().unwrap_or_else(|| set.skeleton().rest_pose())
    }

    pub(super) fn release(&mut self, mut playback: Playback) {
        self.references.extend(playback.reference.take());
        self.by_clip[playback.clip()].idle.push(playback);
    }
}
