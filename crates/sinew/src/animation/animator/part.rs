//! A part of a playback: its clip, or one of a blend space's.

use crate::animation::{Clip, ClipSet, Cursor, Mask, Motion, Playhead, RootMotion, RootParts, SampledJoint};
use crate::skeleton::{JointId, Pose, Transform};

/// A clip of a playback and its state.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) clip: usize,
    cursor: Cursor,
    /// The part of the playback's weight: one for a single clip.
    pub(super) weight: f32,
    root: Option<RootMotion>,
}

/// How the playhead of a playback measures time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Timebase {
    /// In seconds of the clip.
    Seconds,
    /// In cycles: every clip has the same phase.
    Phase,
}

impl Part {
    pub(super) fn new(set: &ClipSet, clip: usize) -> Self {
        Self { clip, cursor: set.clips()[clip].cursor(), weight: 1.0, root: None }
    }

    pub(super) fn restart(&mut self) {
        self.weight = 1.0;
        self.root = None;
    }

    /// The time in the clip that a playhead is at.
    pub(super) fn seconds(&self, set: &ClipSet, timebase: Timebase, playhead: &Playhead) -> f32 {
        match timebase {
            Timebase::Seconds => playhead.seconds(),
            Timebase::Phase => {
                let [start, end] = range(&set.clips()[self.clip]);
                (start + playhead.fraction() * (end - start)) as f32
            }
        }
    }

    pub(super) fn set_root(&mut self, set: &ClipSet, joint: JointId, parts: RootParts) {
        let clip = &set.clips()[self.clip];
        let [start, end] = [clip.start(), clip.end()].map(|seconds| sample_root(set, clip, joint, seconds));
        self.root = Some(RootMotion { start, end, parts });
    }

    /// The motion of the root between two times of the clip.
    pub(super) fn motion(&self, set: &ClipSet, joint: JointId, times: [f32; 2], laps: i64) -> Motion {
        let Some(motion) = self.root else { return Motion::IDENTITY };
        let clip = &set.clips()[self.clip];
        let [from, to] = times.map(|seconds| sample_root(set, clip, joint, seconds));
        motion.between(&from, &to, laps.clamp(i32::MIN.into(), i32::MAX.into()) as i32)
    }

    /// Samples the clip into a pose, without the root motion that is extracted.
    pub(super) fn sample(&mut self, set: &ClipSet, root: Option<JointId>, seconds: f32, pose: &mut Pose) {
        let clip = &set.clips()[self.clip];
        clip.sample(seconds, &mut self.cursor, pose)
            .expect("the cursor and the pose were created for the clip");
        if let (Some(joint), Some(motion)) = (root, self.root) {
            pose.set_transform(joint, &motion.residual(&sample_root(set, clip, joint, seconds)));
        }
    }
}

/// A part of a playback that has weight, at a time.
#[derive(Debug)]
pub(super) struct Source<'a> {
    pub(super) part: &'a mut Part,
    pub(super) seconds: f32,
    pub(super) root: Option<JointId>,
    pub(super) weight: f32,
    pub(super) mask: Option<&'a Mask>,
}

/// The start and the end of a clip.
pub(super) fn range(clip: &Clip) -> [f64; 2] {
    [clip.start(), clip.end()].map(f64::from)
}

/// A joint's transform in a clip. Channels without tracks have their rest values.
fn sample_root(set: &ClipSet, clip: &Clip, joint: JointId, seconds: f32) -> Transform {
    let SampledJoint { rotation, translation, scale } = clip.sample_joint(joint, seconds);
    let rest = set.skeleton().rest().transform(joint);
    Transform {
        rotation: rotation.unwrap_or(rest.rotation),
        translation: translation.unwrap_or(rest.translation),
        scale: scale.unwrap_or(rest.scale),
    }
}
