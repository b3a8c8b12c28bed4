//! A clip while it is played.

use crate::error::check_len;
use crate::{
    Clip, Cursor, Error, JointParts, Layer, Mask, Model, Motion, Playhead, Pose, Repeat, RootMotion,
    RootParts, Transform,
};

/// A clip while an instance plays it: where it is, how fast, and how much it counts.
///
/// A number that is not finite changes nothing.
#[derive(Clone, Debug)]
pub struct Playing {
    model: Model,
    pub(super) clip: usize,
    pub(super) head: Playhead,
    pub(super) cursor: Cursor,
    pub(super) weight: f32,
    pub(super) fade: Fade,
    pub(super) mask: Option<Mask>,
    pub(super) reference: Option<Pose>,
    pub(super) root: Option<Root>,
}

/// What an additive clip is compared with.
#[derive(Clone, Copy, Debug, Default)]
pub enum Reference<'a> {
    /// Its own first frame.
    #[default]
    FirstFrame,
    /// A pose of the same skeleton.
    Pose(&'a Pose),
}

/// How much of the weight counts, and how that changes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fade {
    /// From 0 to 1.
    pub(super) level: f32,
    /// For each second; the clip is dropped when it has fallen to zero.
    pub(super) rate: f32,
}

/// The joint whose motion is taken out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Root {
    joint: usize,
    motion: RootMotion,
}

impl Playing {
    pub(super) fn new(model: &Model, clip: usize) -> Self {
        let of = &model.clips()[clip];
        Self {
            model: model.clone(),
            clip,
            head: Playhead::new(of, Repeat::Loop),
            cursor: of.cursor(),
            weight: 1.0,
            fade: Fade::FULL,
            mask: None,
            reference: None,
            root: None,
        }
    }

    /// As new, in the same memory.
    pub(super) fn begin(&mut self, clip: &Clip) {
        self.head = Playhead::new(clip, Repeat::Loop);
        self.weight = 1.0;
        self.fade = Fade::FULL;
        self.mask = None;
        self.reference = None;
        self.root = None;
    }

    /// Which of the model's clips.
    #[must_use]
    pub fn clip(&self) -> usize {
        self.clip
    }

    /// Where it is, in seconds of the clip's own time.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.head.time()
    }

    /// Whether it has come to its end and stays there; see [`Repeat::Clamp`].
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.head.is_finished()
    }

    /// How much it counts now: its weight, as far as it has faded in or out.
    #[must_use]
    pub fn share(&self) -> f32 {
        self.weight * self.fade.level
    }

    /// The joint whose motion is taken out, if any.
    pub(super) fn root(&self) -> Option<usize> {
        self.root.map(|root| root.joint)
    }

    /// How much it counts at a joint: its own root, or else that of others.
    pub(super) fn share_at(&self, root: Option<usize>) -> f32 {
        let factor = match (&self.mask, self.root().or(root)) {
            (Some(mask), Some(joint)) => mask.factors()[joint],
            _ => 1.0,
        };
        self.share() * factor
    }

    /// Plays so many times as fast; backwards when negative.
    pub fn speed(&mut self, speed: f32) -> &mut Self {
        if speed.is_finite() {
            self.head.speed = f64::from(speed);
        }
        self
    }

    /// Goes to a time of the clip. While it repeats, its end is its start.
    pub fn at(&mut self, seconds: f64) -> &mut Self {
        self.head.seek(seconds);
        self
    }

    /// What happens at the ends of the clip: it begins anew, which is the default, or stays there.
    pub fn repeat(&mut self, repeat: Repeat) -> &mut Self {
        self.head.repeat = repeat;
        self
    }

    /// Counts so much, zero or more, one being all. Where the weights of clips that are blended sum to more than one, they
    /// are divided by the sum; where they sum to less, the rest pose has what is left.
    pub fn weight(&mut self, weight: f32) -> &mut Self {
        if weight.is_finite() {
            self.weight = weight.max(0.0);
        }
        self
    }

    /// Moves only some joints, or each only so much.
    ///
    /// # Errors
    ///
    /// When the mask is of another skeleton.
    pub fn masked(&mut self, mask: Mask) -> Result<&mut Self, Error> {
        check_len("factors of the mask", self.model.skeleton().len(), mask.len())?;
        self.mask = Some(mask);
        Ok(self)
    }

    /// Comes in over so many seconds.
    pub fn fade_in(&mut self, seconds: f32) -> &mut Self {
        if seconds.is_finite() {
            self.fade = Fade::to(0.0, 1.0, seconds);
        }
        self
    }

    /// Goes out over so many seconds, and is dropped then.
    pub fn fade_out(&mut self, seconds: f32) -> &mut Self {
        if seconds.is_finite() {
            self.fade = Fade::to(self.fade.level, 0.0, seconds);
        }
        self
    }

    /// Takes some of a joint's motion out of the pose. [`Instance::take_motion`](crate::Instance::take_motion) hands it over.
    ///
    /// # Errors
    ///
    /// When there is no such joint.
    pub fn root_motion(&mut self, joint: usize, parts: RootParts) -> Result<&mut Self, Error> {
        let (model, len) = (&self.model, self.model.skeleton().len());
        if joint >= len {
            return Err(Error::JointOutOfRange { joint, len });
        }
        let clip = &model.clips()[self.clip];
        let [start, end] = [clip.start(), clip.end()].map(|seconds| root_at(model, clip, joint, seconds));
        self.root = Some(Root { joint, motion: RootMotion { start, end, parts } });
        Ok(self)
    }

    /// Goes on by so many seconds, and gives the motion that was taken out.
    pub(super) fn advance(&mut self, model: &Model, seconds: f64) -> Motion {
        let clip = &model.clips()[self.clip];
        let from = self.root.map(|root| root_at(model, clip, root.joint, self.head.seconds()));
        let laps = self.head.advance(seconds);
        self.fade.step(seconds as f32);
        let (Some(Root { joint, motion }), Some(from)) = (self.root, from) else { return Motion::IDENTITY };
        let to = root_at(model, clip, joint, self.head.seconds());
        motion.between(&from, &to, laps.clamp(i32::MIN.into(), i32::MAX.into()) as i32)
    }

    /// Writes what the clip moves, where it is now, into a pose.
    pub(super) fn sample(&mut self, model: &Model, pose: &mut Pose) {
        let (clip, seconds) = (&model.clips()[self.clip], self.head.seconds());
        clip.sample(seconds, &mut self.cursor, pose).expect("made for the clip");
        if let Some(Root { joint, motion }) = self.root {
            pose.set_transform(joint, &motion.without(&root_at(model, clip, joint, seconds)));
        }
    }

    /// The same of its own model.
    pub(super) fn sample_own(&mut self, pose: &mut Pose) {
        let model = self.model.clone();
        self.sample(&model, pose);
    }

    /// Whether it is blended, and counts.
    pub(super) fn is_layer(&self) -> bool {
        self.reference.is_none() && self.share() > 0.0
    }

    /// Nothing else counts beside it.
    pub(super) fn is_all(&self) -> bool {
        self.share() >= 1.0 && self.mask.is_none()
    }

    /// Nothing is left of it, and nothing will come.
    pub(super) fn is_over(&self) -> bool {
        self.fade.is_over()
    }

    /// How it counts, with a pose that it was sampled into.
    pub(super) fn layer<'a>(&'a self, pose: &'a Pose) -> Layer<'a> {
        Layer { pose, weight: self.share(), mask: self.mask.as_ref() }
    }
}

/// Where a clip has a joint; at rest as far as it does not move it.
fn root_at(model: &Model, clip: &Clip, joint: usize, seconds: f32) -> Transform {
    let JointParts { rotation, translation, scale } = clip.joint_at(joint, seconds);
    let rest = model.skeleton().rest().transform(joint);
    Transform {
        rotation: rotation.unwrap_or(rest.rotation),
        translation: translation.unwrap_or(rest.translation),
        scale: scale.unwrap_or(rest.scale),
    }
}

impl Fade {
    /// All of the weight, for good.
    pub(super) const FULL: Self = Self { level: 1.0, rate: 0.0 };

    /// From one level to another in so many seconds; at once where there is no time.
    fn to(level: f32, goal: f32, seconds: f32) -> Self {
        let rate = (goal - level) / seconds;
        // A clip that is to go has a rate below zero, also where nothing is left of it.
        let going = if goal > 0.0 { 0.0 } else { -1.0 };
        if seconds > 0.0 && rate.is_finite() {
            Self { level, rate: if rate == 0.0 { going } else { rate } }
        } else {
            Self { level: goal, rate: going }
        }
    }

    pub(super) fn step(&mut self, seconds: f32) {
        // Time beyond f32 is infinite, and zero times that is no number.
        if self.rate == 0.0 {
            return;
        }
        self.level = (self.level + self.rate * seconds).clamp(0.0, 1.0);
    }

    /// Nothing is left of it, and nothing will come.
    pub(super) fn is_over(&self) -> bool {
        self.level == 0.0 && self.rate < 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_stays_between_zero_and_one_however_long_a_step_is() {
        let fades = [Fade::FULL, Fade::to(0.0, 1.0, 2.0), Fade::to(1.0, 0.0, 2.0), Fade::to(0.5, 0.0, 0.0)];
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
