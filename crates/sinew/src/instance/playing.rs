//! A clip while it is played.

use crate::{Clip, Cursor, Mask, Model, Playhead, Pose, Repeat, RootParts};

/// A clip while an instance plays it: where it is, how fast, and how much it counts.
///
/// A number that is not finite changes nothing.
#[derive(Clone, Debug)]
pub struct Playing {
    pub(super) clip: usize,
    pub(super) head: Playhead,
    pub(super) cursor: Cursor,
    /// As the clip has it now; the rest pose where it has nothing.
    pub(super) pose: Pose,
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

/// The joint whose motion is handed over.
#[derive(Clone, Copy, Debug)]
pub(super) struct Root {
    pub(super) joint: usize,
    pub(super) parts: RootParts,
}

impl Playing {
    pub(super) fn new(model: &Model, clip: usize) -> Self {
        let of = &model.clips()[clip];
        Self {
            clip,
            head: Playhead::new(of),
            cursor: of.cursor(),
            pose: model.skeleton().rest_pose(),
            weight: 1.0,
            fade: Fade::FULL,
            mask: None,
            reference: None,
            root: None,
        }
    }

    /// As new, in the same memory.
    pub(super) fn begin(&mut self, clip: &Clip) {
        self.head = Playhead::new(clip);
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
        self.head.seconds()
    }

    /// How much it counts now: its weight, as far as it has faded in or out.
    #[must_use]
    pub fn share(&self) -> f32 {
        self.weight * self.fade.level
    }

    /// Plays so many times as fast; backwards when negative.
    pub fn speed(&mut self, speed: f32) -> &mut Self {
        self.head.set_speed(speed);
        self
    }

    /// Goes to a time of the clip.
    pub fn at(&mut self, seconds: f64) -> &mut Self {
        self.head.seek(seconds);
        self
    }

    /// What happens at the ends of the clip: it begins anew, which is the default, or stays there.
    pub fn repeat(&mut self, repeat: Repeat) -> &mut Self {
        self.head.set_repeat(repeat);
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
    pub fn masked(&mut self, mask: Mask) -> &mut Self {
        self.mask = Some(mask);
        self
    }

    /// Comes in over so many seconds.
    pub fn fade_in(&mut self, seconds: f32) -> &mut Self {
        self.fade = Fade::over(0.0, 1.0, seconds);
        self
    }

    /// Goes out over so many seconds, and is dropped then.
    pub fn fade_out(&mut self, seconds: f32) -> &mut Self {
        self.fade = Fade::over(self.fade.level, -1.0, seconds);
        self
    }

    /// Takes parts of a joint's motion out of the pose, and hands it over by
    /// [`Instance::take_motion`](crate::Instance::take_motion). A joint that is not there changes nothing.
    pub fn root_motion(&mut self, joint: usize, parts: RootParts) -> &mut Self {
        if joint < self.pose.len() {
            self.root = Some(Root { joint, parts });
        }
        self
    }
}

impl Fade {
    /// All of the weight, for good.
    pub(super) const FULL: Self = Self { level: 1.0, rate: 0.0 };

    /// From a level on, at once where there is no time.
    fn over(level: f32, direction: f32, seconds: f32) -> Self {
        if seconds > 0.0 {
            Self { level, rate: direction / seconds }
        } else {
            Self { level: direction.max(0.0), rate: direction }
        }
    }

    pub(super) fn step(&mut self, seconds: f32) {
        self.level = (self.level + self.rate * seconds).clamp(0.0, 1.0);
    }

    /// Nothing is left of it, and nothing will come.
    pub(super) fn is_over(&self) -> bool {
        self.level == 0.0 && self.rate < 0.0
    }
}

/// What was played and is no longer: memory for the next time, by clip.
#[derive(Clone, Debug)]
pub(super) struct Spare {
    of_clips: Vec<Vec<Playing>>,
}

impl Spare {
    pub(super) fn new(clips: usize) -> Self {
        Self { of_clips: vec![Vec::new(); clips] }
    }

    /// A clip at its start. Takes memory only when as many of it as ever are played already.
    pub(super) fn take(&mut self, model: &Model, clip: usize) -> Playing {
        match self.of_clips[clip].pop() {
            Some(mut playing) => {
                playing.begin(&model.clips()[clip]);
                playing
            }
            None => {
                // Room to put it back without asking for memory then.
                self.of_clips[clip].reserve(1);
                Playing::new(model, clip)
            }
        }
    }

    pub(super) fn put(&mut self, playing: Playing) {
        self.of_clips[playing.clip].push(playing);
    }
}
