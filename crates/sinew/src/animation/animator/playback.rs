//! A playback: one clip that is being played.

use crate::animation::{
    AnimationError, Clip, ClipSet, Cursor, Layer, Mask, Motion, Playhead, Repeat, RootMotion, RootParts,
    SampledJoint,
};
use crate::length::check_len;
use crate::skeleton::{JointId, Pose, Transform, check_joint};

/// A clip that an animator is playing: its time, speed, weight and fade.
///
/// Setters ignore numbers that are not finite.
#[derive(Clone, Debug)]
pub struct Playback {
    set: ClipSet,
    pub(super) clip: usize,
    pub(super) playhead: Playhead,
    pub(super) cursor: Cursor,
    pub(super) weight: f32,
    pub(super) fade: Fade,
    pub(super) mask: Option<Mask>,
    pub(super) reference: Option<Pose>,
    pub(super) root: Option<ExtractedRoot>,
}

/// The reference pose of an additive clip.
#[derive(Clone, Copy, Debug, Default)]
pub enum Reference<'a> {
    /// The clip's first frame.
    #[default]
    FirstFrame,
    /// A pose of the same skeleton.
    Pose(&'a Pose),
}

/// A factor of the weight that changes over time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fade {
    /// The factor, from 0 to 1.
    pub(super) level: f32,
    /// The change per second. A playback with a negative rate is removed when its level reaches
    /// zero.
    pub(super) rate: f32,
}

/// The joint whose root motion is extracted.
#[derive(Clone, Copy, Debug)]
pub(super) struct ExtractedRoot {
    joint: JointId,
    motion: RootMotion,
}

impl Playback {
    pub(super) fn new(set: &ClipSet, clip: usize) -> Self {
        let source = &set.clips()[clip];
        Self {
            set: set.clone(),
            clip,
            playhead: Playhead::new(source, Repeat::Loop),
            cursor: source.cursor(),
            weight: 1.0,
            fade: Fade::FULL,
            mask: None,
            reference: None,
            root: None,
        }
    }

    /// Resets everything to the state after `new` and keeps the memory.
    pub(super) fn restart(&mut self, clip: &Clip) {
        self.playhead = Playhead::new(clip, Repeat::Loop);
        self.weight = 1.0;
        self.fade = Fade::FULL;
        self.mask = None;
        self.reference = None;
        self.root = None;
    }

    /// The clip's index in the set.
    #[must_use]
    pub fn clip(&self) -> usize {
        self.clip
    }

    /// The current time in the clip, in seconds.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.playhead.time()
    }

    /// Whether playback has stopped at the end of the clip; see [`Repeat::Clamp`].
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.playhead.is_finished()
    }

    /// The current weight: the set weight times the fade level.
    #[must_use]
    pub fn effective_weight(&self) -> f32 {
        self.weight * self.fade.level
    }

    /// The joint whose root motion is extracted, if any.
    pub(super) fn root(&self) -> Option<JointId> {
        self.root.map(|root| root.joint)
    }

    /// The effective weight at a joint: the playback's own root if it has one, or the given root.
    pub(super) fn effective_weight_at(&self, root: Option<JointId>) -> f32 {
        let factor = match (&self.mask, self.root().or(root)) {
            (Some(mask), Some(joint)) => mask.factors()[joint.index()],
            _ => 1.0,
        };
        self.effective_weight() * factor
    }

    /// Sets the playback speed as a factor; negative plays in reverse.
    pub fn set_speed(&mut self, speed: f32) -> &mut Self {
        if speed.is_finite() {
            self.playhead.speed = f64::from(speed);
        }
        self
    }

    /// Moves to a time of the clip, in seconds. With [`Repeat::Loop`] the end of the clip is its
    /// start.
    pub fn seek(&mut self, seconds: f64) -> &mut Self {
        self.playhead.seek(seconds);
        self
    }

    /// Sets what happens at the ends of the clip. The default is [`Repeat::Loop`].
    pub fn set_repeat(&mut self, repeat: Repeat) -> &mut Self {
        self.playhead.repeat = repeat;
        self
    }

    /// Sets the weight, which is one by default; negative counts as zero. Where the weights of
    /// blended playbacks sum to more than one, they are divided by the sum. Where they sum to less,
    /// the rest pose gets the remaining weight.
    pub fn set_weight(&mut self, weight: f32) -> &mut Self {
        if weight.is_finite() {
            self.weight = weight.max(0.0);
        }
        self
    }

    /// Sets a mask that limits which joints the clip affects, and how strongly.
    ///
    /// # Errors
    ///
    /// When the mask belongs to a skeleton with a different number of joints.
    pub fn set_mask(&mut self, mask: Mask) -> Result<&mut Self, AnimationError> {
        check_len("factors of the mask", self.set.skeleton().len(), mask.len())?;
        self.mask = Some(mask);
        Ok(self)
    }

    /// Fades in from zero over a number of seconds.
    pub fn fade_in(&mut self, seconds: f32) -> &mut Self {
        if seconds.is_finite() {
            self.fade = Fade::new(0.0, 1.0, seconds);
        }
        self
    }

    /// Fades out over a number of seconds. The playback is then removed.
    pub fn fade_out(&mut self, seconds: f32) -> &mut Self {
        if seconds.is_finite() {
            self.fade = Fade::new(self.fade.level, 0.0, seconds);
        }
        self
    }

    /// Extracts the root motion of a joint from the pose.
    /// [`Instance::take_root_motion`](crate::Instance::take_root_motion) returns it.
    ///
    /// # Errors
    ///
    /// When the joint does not exist.
    pub fn set_root_motion(&mut self, joint: JointId, parts: RootParts) -> Result<&mut Self, AnimationError> {
        let set = &self.set;
        check_joint(joint, set.skeleton().len())?;
        let clip = &set.clips()[self.clip];
        let [start, end] = [clip.start(), clip.end()].map(|seconds| sample_root(set, clip, joint, seconds));
        self.root = Some(ExtractedRoot { joint, motion: RootMotion { start, end, parts } });
        Ok(self)
    }

    /// Advances the playback and returns the extracted root motion.
    pub(super) fn advance(&mut self, set: &ClipSet, seconds: f64) -> Motion {
        let clip = &set.clips()[self.clip];
        let from = self.root.map(|root| sample_root(set, clip, root.joint, self.playhead.seconds()));
        let laps = self.playhead.advance(seconds);
        self.fade.step(seconds as f32);
        let (Some(ExtractedRoot { joint, motion }), Some(from)) = (self.root, from) else {
            return Motion::IDENTITY;
        };
        let to = sample_root(set, clip, joint, self.playhead.seconds());
        motion.between(&from, &to, laps.clamp(i32::MIN.into(), i32::MAX.into()) as i32)
    }

    /// Samples the clip at the current time into a pose.
    pub(super) fn sample(&mut self, set: &ClipSet, pose: &mut Pose) {
        let (clip, seconds) = (&set.clips()[self.clip], self.playhead.seconds());
        clip.sample(seconds, &mut self.cursor, pose)
            .expect("the cursor and the pose were created for the clip");
        if let Some(ExtractedRoot { joint, motion }) = self.root {
            pose.set_transform(joint, &motion.residual(&sample_root(set, clip, joint, seconds)));
        }
    }

    /// Samples the clip of the playback's own set into a pose.
    pub(super) fn sample_own(&mut self, pose: &mut Pose) {
        let set = self.set.clone();
        self.sample(&set, pose);
    }

    /// Whether this is a blended playback, not an additive one, with a weight above zero.
    pub(super) fn is_layer(&self) -> bool {
        self.reference.is_none() && self.effective_weight() > 0.0
    }

    /// Whether the playback has full weight at every joint.
    pub(super) fn replaces_all(&self) -> bool {
        self.effective_weight() >= 1.0 && self.mask.is_none()
    }

    /// Whether the playback has faded out for good.
    pub(super) fn is_faded_out(&self) -> bool {
        self.fade.is_faded_out()
    }

    /// The blend layer for a pose that the playback was sampled into.
    pub(super) fn layer<'a>(&'a self, pose: &'a Pose) -> Layer<'a> {
        Layer { pose, weight: self.effective_weight(), mask: self.mask.as_ref() }
    }
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

impl Fade {
    /// Full weight, without change.
    pub(super) const FULL: Self = Self { level: 1.0, rate: 0.0 };

    /// A fade from a level to a goal over a number of seconds, immediate if `seconds` is not above
    /// zero.
    fn new(level: f32, goal: f32, seconds: f32) -> Self {
        let rate = (goal - level) / seconds;
        // The rate of a fade-out is negative even if the level is already zero, so that the
        // playback is removed.
        let rate_at_goal = if goal > 0.0 { 0.0 } else { -1.0 };
        if seconds > 0.0 && rate.is_finite() {
            Self { level, rate: if rate == 0.0 { rate_at_goal } else { rate } }
        } else {
            Self { level: goal, rate: rate_at_goal }
        }
    }

    pub(super) fn step(&mut self, seconds: f32) {
        // A step that overflows `f32` is infinite, and zero times infinity is NaN.
        if self.rate == 0.0 {
            return;
        }
        self.level = (self.level + self.rate * seconds).clamp(0.0, 1.0);
    }

    /// Whether the level is zero and cannot rise again.
    pub(super) fn is_faded_out(&self) -> bool {
        self.level == 0.0 && self.rate < 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fade_level_stays_between_zero_and_one_for_any_step() {
        let fades =
            [Fade::FULL, Fade::new(0.0, 1.0, 2.0), Fade::new(1.0, 0.0, 2.0), Fade::new(0.5, 0.0, 0.0)];
        for (fade, end) in fades.into_iter().zip([1.0, 1.0, 0.0, 0.0]) {
            for seconds in [3.0, f32::MAX, f32::INFINITY] {
                let mut fade = fade;
                for _ in 0..3 {
                    fade.step(seconds);
                    assert_eq!(fade.level, end, "{fade:?} after {seconds} s");
                }
                fade.step(-seconds);
                assert!((0.0..=1.0).contains(&fade.level), "{fade:?} after -{seconds} s");
            }
        }
    }
}
