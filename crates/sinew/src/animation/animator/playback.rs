//! A playback: one clip, or one blend space, that is being played.

use super::blended_motion::BlendedMotion;
use super::events::Fired;
use super::fade::Fade;
use super::part::{Part, Source, Timebase, range};
use crate::animation::{
    AnimationError, BlendSpace, ClipSet, Mask, Motion, Passage, Playhead, Repeat, RootParts,
};
use crate::length::check_len;
use crate::skeleton::{JointId, Pose, check_joint};

/// A clip or a [`BlendSpace`] that an animator is playing: its time, speed, weight and fade.
///
/// Setters ignore numbers that are not finite.
#[derive(Clone, Debug)]
pub struct Playback {
    set: ClipSet,
    /// The clip, or the first one of a blend space.
    part: Part,
    /// The other clips of a blend space.
    more_parts: Vec<Part>,
    pub(super) space: Option<Box<SpaceState>>,
    playhead: Playhead,
    weight: f32,
    fade: Fade,
    pub(super) mask: Option<Mask>,
    pub(super) reference: Option<Box<Pose>>,
    /// The joint whose root motion is extracted.
    root: Option<JointId>,
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

/// The state of a blend space that is being played.
#[derive(Clone, Debug)]
pub(super) struct SpaceState {
    pub(super) space: BlendSpace,
    speed: f64,
    /// The length of a cycle at the current position, in seconds.
    length: f64,
}

impl Playback {
    pub(super) fn new(set: &ClipSet, clip: usize) -> Self {
        Self {
            set: set.clone(),
            part: Part::new(set, clip),
            more_parts: Vec::new(),
            space: None,
            playhead: Playhead::new(&set.clips()[clip], Repeat::Loop),
            weight: 1.0,
            fade: Fade::FULL,
            mask: None,
            reference: None,
            root: None,
        }
    }

    /// A playback of a blend space, at the position of all zeros.
    pub(super) fn of_space(set: &ClipSet, space: &BlendSpace) -> Self {
        let mut playback = Self::new(set, space.clips()[0]);
        playback.more_parts = space.clips()[1..].iter().map(|&clip| Part::new(set, clip)).collect();
        playback.space = Some(Box::new(SpaceState { space: space.clone(), speed: 1.0, length: 0.0 }));
        playback.restart();
        playback
    }

    /// Resets everything to the state after `new` and keeps the memory.
    pub(super) fn restart(&mut self) {
        self.parts_mut().for_each(Part::restart);
        self.playhead = Playhead::new(&self.set.clips()[self.part.clip], Repeat::Loop);
        if let Some(space) = &mut self.space {
            space.speed = 1.0;
            self.playhead = Playhead::of_phase(Repeat::Loop);
            let weights = space.space.weights_at([0.0; 2]);
            self.set_part_weights(weights);
        }
        self.weight = 1.0;
        self.fade = Fade::FULL;
        self.mask = None;
        self.reference = None;
        self.root = None;
    }

    fn parts(&self) -> impl Iterator<Item = &Part> {
        std::iter::once(&self.part).chain(&self.more_parts)
    }

    fn parts_mut(&mut self) -> impl Iterator<Item = &mut Part> {
        std::iter::once(&mut self.part).chain(&mut self.more_parts)
    }

    fn timebase(&self) -> Timebase {
        if self.space.is_some() { Timebase::Phase } else { Timebase::Seconds }
    }

    /// The clip's index in the set; the one with the largest weight of a blend space.
    #[must_use]
    pub fn clip(&self) -> usize {
        let heavier = |one: &Part, other: &Part| one.weight < other.weight;
        self.parts()
            .reduce(|one, other| if heavier(one, other) { other } else { one })
            .map_or(0, |it| it.clip)
    }

    /// The current time in the clip, in seconds; in a blend space, in its current cycle.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        match &self.space {
            Some(space) => self.playhead.fraction() * space.length,
            None => self.playhead.time(),
        }
    }

    /// The part of the clip, or of the blend space's cycle, that has been played, from 0 to 1.
    #[must_use]
    pub fn phase(&self) -> f64 {
        self.playhead.fraction()
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
        self.root
    }

    /// The effective weight at a joint: the playback's own root if it has one, or the given root.
    pub(super) fn effective_weight_at(&self, root: Option<JointId>) -> f32 {
        let factor = match (&self.mask, self.root.or(root)) {
            (Some(mask), Some(joint)) => mask.factors()[joint.index()],
            _ => 1.0,
        };
        self.effective_weight() * factor
    }

    /// Sets the playback speed as a factor; negative plays in reverse.
    pub fn set_speed(&mut self, speed: f32) -> &mut Self {
        if speed.is_finite() {
            match &mut self.space {
                Some(space) => {
                    space.speed = f64::from(speed);
                    self.playhead.speed = space.cycles_per_second();
                }
                None => self.playhead.speed = f64::from(speed),
            }
        }
        self
    }

    /// Moves to a time of the clip, in seconds. With [`Repeat::Loop`] the end of the clip is its
    /// start.
    ///
    /// No event between fires. Events at this time fire with the next step.
    pub fn seek(&mut self, seconds: f64) -> &mut Self {
        match &self.space {
            Some(space) if space.length > 0.0 => self.playhead.seek(seconds / space.length),
            Some(_) => {}
            None => self.playhead.seek(seconds),
        }
        self
    }

    /// Moves to a part of the clip, or of the blend space's cycle: 0 is its start, 1 its end. With
    /// the [`phase`](Self::phase) of another playback, two clips of a cycle stay in step.
    pub fn seek_phase(&mut self, phase: f64) -> &mut Self {
        let [start, end] = match &self.space {
            Some(_) => [0.0, 1.0],
            None => range(&self.set.clips()[self.part.clip]),
        };
        self.playhead.seek(start + phase * (end - start));
        self
    }

    /// Sets what happens at the ends of the clip. The default is [`Repeat::Loop`].
    pub fn set_repeat(&mut self, repeat: Repeat) -> &mut Self {
        self.playhead.repeat = repeat;
        self
    }

    /// Moves to a position in the blend space: one coordinate or two. The phase stays the same. The
    /// initial position is zero.
    ///
    /// # Errors
    ///
    /// When this is the playback of a clip, the space has another number of dimensions, or a
    /// coordinate is not finite. The position does not change then.
    pub fn set_blend_position(&mut self, position: &[f32]) -> Result<&mut Self, AnimationError> {
        let space = self.space.as_ref().ok_or(AnimationError::NotABlendSpace)?;
        let weights = space.space.weights(position)?;
        self.set_part_weights(weights);
        Ok(self)
    }

    /// Sets the weights of the blend space's clips and the length of its cycle.
    fn set_part_weights(&mut self, weights: [(usize, f32); 3]) {
        let (mut length, mut sum) = (0.0, 0.0);
        for (index, part) in std::iter::once(&mut self.part).chain(&mut self.more_parts).enumerate() {
            part.weight =
                weights.iter().filter(|&&(point, _)| point == index).map(|&(_, weight)| weight).sum();
            let [start, end] = range(&self.set.clips()[part.clip]);
            if end > start {
                length += f64::from(part.weight) * (end - start);
                sum += f64::from(part.weight);
            }
        }
        if let Some(state) = &mut self.space {
            state.length = if sum > 0.0 { length / sum } else { 0.0 };
            self.playhead.speed = state.cycles_per_second();
        }
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
        check_joint(joint, self.set.skeleton().len())?;
        for part in std::iter::once(&mut self.part).chain(&mut self.more_parts) {
            part.set_root(&self.set, joint, parts);
        }
        self.root = Some(joint);
        Ok(self)
    }

    /// Advances the playback, appends the events that it reaches, and returns the extracted root
    /// motion.
    pub(super) fn advance(&mut self, set: &ClipSet, seconds: f64, fired: &mut Vec<Fired>) -> Motion {
        let before = self.playhead;
        let passage = self.playhead.pass(seconds);
        self.fade.step(seconds as f32);
        self.fire(set, passage, fired);
        self.motion(set, &before, &self.playhead, passage.laps())
    }

    /// The root motion over a number of seconds from now, up to the ends of the clip.
    pub(super) fn motion_ahead(&self, set: &ClipSet, seconds: f64) -> Motion {
        self.motion(set, &self.playhead, &self.playhead.peek(seconds), 0)
    }

    fn motion(&self, set: &ClipSet, before: &Playhead, after: &Playhead, laps: i64) -> Motion {
        let Some(joint) = self.root else { return Motion::IDENTITY };
        let timebase = self.timebase();
        let of_part = |part: &Part| {
            let times = [before, after].map(|playhead| part.seconds(set, timebase, playhead));
            part.motion(set, joint, times, laps)
        };
        if self.space.is_none() {
            return of_part(&self.part);
        }
        let mut blended = BlendedMotion::default();
        for part in self.parts().filter(|part| part.weight > 0.0) {
            blended.add(&of_part(part), part.weight);
        }
        blended.mean()
    }

    /// Appends the events that a step has reached. Clips of a blend space that have no weight fire
    /// none.
    fn fire(&self, set: &ClipSet, passage: Passage, fired: &mut Vec<Fired>) {
        let (weight, reverse) = (self.effective_weight(), !passage.is_forward());
        for part in self.parts().filter(|part| part.weight > 0.0) {
            let source = &set.clips()[part.clip];
            if source.events().is_empty() {
                continue;
            }
            let weight = weight * part.weight;
            let clip = part.clip;
            let to_fired = |(index, passes)| Fired { clip, index, passes, weight, reverse };
            let [start, end] = range(source);
            match self.timebase() {
                Timebase::Seconds => {
                    fired.extend(source.events_in(&passage).map(|it| to_fired((it.index, it.passes))));
                }
                Timebase::Phase => {
                    let phase = |offset: f64| if end > start { offset / (end - start) } else { 0.0 };
                    let passed = source.events_at(passage, phase);
                    fired.extend(passed.map(|it| to_fired((it.index, it.passes))));
                }
            }
        }
    }

    /// The largest number of events that one step can fire.
    pub(super) fn max_events(&self) -> usize {
        self.parts().map(|part| self.set.clips()[part.clip].events().len()).sum()
    }

    /// The parts that have weight, for sampling a number of seconds from now, up to the ends of the
    /// clip.
    pub(super) fn sources<'a>(
        &'a mut self,
        set: &'a ClipSet,
        ahead: f64,
    ) -> impl Iterator<Item = Source<'a>> + use<'a> {
        let (timebase, weight) = (self.timebase(), self.effective_weight_after(ahead));
        let playhead = if ahead == 0.0 { self.playhead } else { self.playhead.peek(ahead) };
        let Self { part, more_parts, mask, root, .. } = self;
        let (mask, root) = (mask.as_ref(), *root);
        std::iter::once(part).chain(more_parts).filter_map(move |part| {
            let weight = weight * part.weight;
            let seconds = part.seconds(set, timebase, &playhead);
            (weight > 0.0).then_some(Source { part, seconds, root, weight, mask })
        })
    }

    /// The clips and weights of the parts that are blended and have weight, in the order of
    /// [`sources`](Self::sources). None of an additive playback.
    pub(super) fn layers(&self, ahead: f64) -> impl Iterator<Item = (usize, f32)> {
        let weight = if self.reference.is_none() { self.effective_weight_after(ahead) } else { 0.0 };
        self.parts().map(move |part| (part.clip, weight * part.weight)).filter(|&(_, weight)| weight > 0.0)
    }

    fn effective_weight_after(&self, seconds: f64) -> f32 {
        if seconds == 0.0 { self.effective_weight() } else { self.weight * self.fade.level_after(seconds) }
    }

    /// Whether a step would loop.
    pub(super) fn would_loop(&self, seconds: f64) -> bool {
        self.playhead.would_loop(seconds)
    }

    /// Samples the clip at the current time into a pose.
    pub(super) fn sample_own(&mut self, pose: &mut Pose) {
        let seconds = self.part.seconds(&self.set, self.timebase(), &self.playhead);
        self.part.sample(&self.set, self.root, seconds, pose);
    }

    /// Whether the playback has faded out for good.
    pub(super) fn is_faded_out(&self) -> bool {
        self.fade.is_faded_out()
    }
}

impl SpaceState {
    fn cycles_per_second(&self) -> f64 {
        if self.length > 0.0 { self.speed / self.length } else { 0.0 }
    }
}
