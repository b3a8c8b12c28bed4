//! The animator: plays clips of a set and blends them into one pose.

use super::blend_playbacks::blend_playbacks;
use super::blended_motion::BlendedMotion;
use super::events::{Fired, FiredEvent};
use super::inertialization::Inertialization;
use super::playback::{Playback, Reference};
use super::pool::PlaybackPool;
use super::sampled_pose::{SampledPose, Sampler};
use crate::animation::{AnimationError, BlendSpace, ClipSet, Motion, RootMotionAccumulator};

/// Plays clips and blend spaces of a set, each with its own time, weight and fade, and blends them
/// into one pose. Every [`Instance`](crate::Instance) and every member of a [`Crowd`](crate::Crowd)
/// has one.
///
/// There are two ways to change from one clip to another without a jump.
/// [`fade_to`](Self::fade_to) plays both and blends them for a while: a cross-fade.
/// [`inertialize_to`](Self::inertialize_to) plays only the new clip, and lets the difference
/// to the old pose decay: it costs one clip less to sample, keeps the velocity of every joint, and
/// may be interrupted at any time.
///
/// The memory for a clip, a blend space or a transition is allocated when it is first played and is
/// reused afterwards.
#[derive(Clone, Debug)]
pub struct Animator {
    set: ClipSet,
    playbacks: Vec<Playback>,
    pool: PlaybackPool,
    /// Root motion that was extracted and not yet taken.
    root_motion: RootMotionAccumulator,
    /// The events of the last step.
    fired: Vec<Fired>,
    /// Allocated by the first transition.
    inertialization: Option<Box<Inertialization>>,
}

impl Animator {
    pub(crate) fn new(set: &ClipSet) -> Self {
        let pool = PlaybackPool::new(set.clips().len());
        Self {
            set: set.clone(),
            playbacks: Vec::new(),
            pool,
            root_motion: RootMotionAccumulator::START,
            fired: Vec::new(),
            inertialization: None,
        }
    }

    /// The clips that the animator plays.
    #[must_use]
    pub fn clips(&self) -> &ClipSet {
        &self.set
    }

    /// Plays a clip in a loop from its start and stops all other playbacks.
    ///
    /// # Errors
    ///
    /// When no clip has the name, or several clips have it.
    pub fn play(&mut self, name: &str) -> Result<&mut Playback, AnimationError> {
        let clip = self.set.find(name)?;
        self.cut();
        Ok(self.start(clip))
    }

    /// Plays a blend space in a loop from its start and stops all other playbacks.
    ///
    /// # Errors
    ///
    /// When the blend space is of another set of clips.
    pub fn play_space(&mut self, space: &BlendSpace) -> Result<&mut Playback, AnimationError> {
        self.check_space(space)?;
        self.cut();
        self.start_space(space)
    }

    /// Cross-fades to a clip: it plays from its start and fades in over `seconds`, while all other
    /// playbacks fade out and are then removed.
    ///
    /// # Errors
    ///
    /// When no clip has the name, or several clips have it.
    pub fn fade_to(&mut self, name: &str, seconds: f32) -> Result<&mut Playback, AnimationError> {
        let clip = self.set.find(name)?;
        self.fade_out(seconds);
        Ok(self.start(clip).fade_in(seconds))
    }

    /// Cross-fades to a blend space. See [`fade_to`](Self::fade_to).
    ///
    /// # Errors
    ///
    /// When the blend space is of another set of clips.
    pub fn fade_to_space(
        &mut self,
        space: &BlendSpace,
        seconds: f32,
    ) -> Result<&mut Playback, AnimationError> {
        self.check_space(space)?;
        self.fade_out(seconds);
        Ok(self.start_space(space)?.fade_in(seconds))
    }

    fn fade_out(&mut self, seconds: f32) {
        for playback in &mut self.playbacks {
            playback.fade_out(seconds);
        }
    }

    /// Changes to a clip at once and carries the old motion over: the difference between the old
    /// pose and the new one, with its velocity, decays over `seconds`. No joint jumps, in position
    /// or in velocity, and neither does the root motion. All other playbacks are removed.
    ///
    /// The difference is taken at the start of the next step: until then the new playback may be
    /// changed, and others may be started. Zero seconds change without a transition.
    ///
    /// # Errors
    ///
    /// When no clip has the name, several clips have it, or the number of seconds is negative or
    /// not finite.
    pub fn inertialize_to(&mut self, name: &str, seconds: f32) -> Result<&mut Playback, AnimationError> {
        let clip = self.set.find(name)?;
        self.inertialize(seconds)?;
        Ok(self.start(clip))
    }

    /// Changes to a blend space at once and carries the old motion over. See
    /// [`inertialize_to`](Self::inertialize_to).
    ///
    /// # Errors
    ///
    /// When the blend space is of another set of clips, or the number of seconds is negative or not
    /// finite.
    pub fn inertialize_to_space(
        &mut self,
        space: &BlendSpace,
        seconds: f32,
    ) -> Result<&mut Playback, AnimationError> {
        self.check_space(space)?;
        self.inertialize(seconds)?;
        self.start_space(space)
    }

    /// Removes all playbacks and carries their motion over to those that are started before the
    /// next step, in any way, or to the rest pose. See [`inertialize_to`](Self::inertialize_to).
    ///
    /// # Errors
    ///
    /// When the number of seconds is negative or not finite.
    pub fn inertialize(&mut self, seconds: f32) -> Result<(), AnimationError> {
        if !(seconds >= 0.0 && seconds.is_finite()) {
            let what = "seconds of the inertialized transition";
            return Err(AnimationError::BadDuration { what, found: seconds });
        }
        if seconds == 0.0 {
            self.stop();
            return Ok(());
        }
        let set = &self.set;
        let state = self.inertialization.get_or_insert_with(|| Box::new(Inertialization::new(set)));
        if !state.is_pending() {
            std::mem::swap(&mut state.outgoing, &mut self.playbacks);
        }
        state.prepare(f64::from(seconds));
        self.release_playbacks();
        Ok(())
    }

    /// Whether an inertialized transition is in progress, or begins with the next step.
    #[must_use]
    pub fn is_inertializing(&self) -> bool {
        self.inertialization.as_ref().is_some_and(|state| state.is_active())
    }

    /// Plays a clip in addition to the current playbacks. The weights determine the blend.
    ///
    /// # Errors
    ///
    /// When no clip has the name, or several clips have it.
    pub fn blend(&mut self, name: &str) -> Result<&mut Playback, AnimationError> {
        let clip = self.set.find(name)?;
        Ok(self.start(clip))
    }

    /// Plays a clip as an additive layer: its difference to the reference is added to the blend of
    /// the other playbacks.
    ///
    /// # Errors
    ///
    /// When no clip has the name, several clips have it, or the reference pose belongs to a
    /// different skeleton.
    pub fn add(&mut self, name: &str, reference: Reference<'_>) -> Result<&mut Playback, AnimationError> {
        let clip = self.set.find(name)?;
        let mut pose = self.pool.acquire_reference(&self.set);
        pose.copy_from(match reference {
            Reference::FirstFrame => self.set.skeleton().rest(),
            Reference::Pose(pose) => pose,
        })?;
        let playback = self.start(clip);
        if matches!(reference, Reference::FirstFrame) {
            playback.sample_own(&mut pose);
        }
        playback.reference = Some(pose);
        Ok(playback)
    }

    /// Plays the clip with this index from its start, in addition to the current playbacks.
    ///
    /// # Panics
    ///
    /// When the clip does not exist.
    pub fn start(&mut self, clip: usize) -> &mut Playback {
        let playback = self.pool.acquire(&self.set, clip);
        self.push(playback)
    }

    /// Plays a blend space from its start, in addition to the current playbacks.
    ///
    /// # Errors
    ///
    /// When the blend space is of another set of clips.
    pub fn start_space(&mut self, space: &BlendSpace) -> Result<&mut Playback, AnimationError> {
        self.check_space(space)?;
        let playback = self.pool.acquire_space(&self.set, space);
        Ok(self.push(playback))
    }

    fn push(&mut self, playback: Playback) -> &mut Playback {
        self.playbacks.push(playback);
        // Room for all events of a step, so that it does not allocate.
        self.fired.clear();
        self.fired.reserve(self.playbacks.iter().map(Playback::max_events).sum());
        self.playbacks.last_mut().expect("one was pushed")
    }

    fn check_space(&self, space: &BlendSpace) -> Result<(), AnimationError> {
        if space.is_of(&self.set) { Ok(()) } else { Err(AnimationError::ForeignBlendSpace) }
    }

    /// Stops all playbacks and transitions. The next step gives the rest pose.
    pub fn stop(&mut self) {
        self.release_playbacks();
        let Some(state) = &mut self.inertialization else { return };
        state.cancel();
        state.outgoing.drain(..).for_each(|playback| self.pool.release(playback));
    }

    /// Stops all playbacks and the transition in progress, if any, but lets one begin that was
    /// asked for since the last step.
    fn cut(&mut self) {
        self.release_playbacks();
        if let Some(state) = &mut self.inertialization {
            state.cancel_active();
        }
    }

    fn release_playbacks(&mut self) {
        while let Some(playback) = self.playbacks.pop() {
            self.pool.release(playback);
        }
    }

    /// The events of clips that fired in the last step, playback after playback, each in the order
    /// in which time reached them. Starting a playback clears them.
    ///
    /// An event fires once whenever playback comes to its time or passes over it: forward, in
    /// reverse, in loops and in steps of any length. An event that one step passes several times is
    /// listed once, with the number of [`passes`](FiredEvent::passes). Starting a clip and
    /// [`seek`](Playback::seek) pass over nothing; events at the time they go to fire with the next
    /// step. See [`Playhead::pass`](crate::animation::Playhead::pass).
    ///
    /// In a blend space, each clip that has weight fires its own events, when the common phase
    /// reaches them: see [`FiredEvent::weight`].
    ///
    /// ```
    /// # use sinew::animation::{ClipEvent, Keys, Track};
    /// # use sinew::model::ModelSource;
    /// # use sinew::{Bone, Clip, Model, Skeleton, Transform};
    /// # let skeleton = Skeleton::new(&[Bone::new("root", None, Transform::IDENTITY)])?;
    /// # let keys = Keys::Translations { joint: skeleton.joint("root")?, values: &[[0.0; 3]; 2] };
    /// # let track = Track { times: &[0.0, 1.0], keys, interpolation: Default::default() };
    /// let walk = Clip::new("walk", &skeleton, &[track])?
    ///     .with_events(vec![ClipEvent::new("left foot", 0.25), ClipEvent::new("right foot", 0.75)])?;
    /// let model = Model::new(ModelSource { clips: vec![walk], ..ModelSource::new(skeleton) })?;
    /// let mut fox = model.instance();
    /// fox.play("walk")?;
    /// let mut steps = Vec::new();
    /// for _ in 0..4 {
    ///     fox.step(0.375);
    ///     steps.extend(fox.events().map(|fired| fired.event.name.clone()));
    /// }
    /// assert_eq!(steps, ["left foot", "right foot", "left foot"]);
    /// # Ok::<(), sinew::Error>(())
    /// ```
    pub fn events(&self) -> impl Iterator<Item = FiredEvent<'_>> {
        self.fired.iter().map(|fired| fired.resolve(&self.set))
    }

    /// Forgets the events of the last step.
    pub(crate) fn clear_events(&mut self) {
        self.fired.clear();
    }

    /// The current playbacks, in the order in which they were started.
    pub fn playbacks_mut(&mut self) -> &mut [Playback] {
        &mut self.playbacks
    }

    /// The root motion since the last call, in the space of the root's parent. The caller applies
    /// it to the whole character. See [`Playback::set_root_motion`].
    pub fn take_root_motion(&mut self) -> Motion {
        std::mem::take(&mut self.root_motion).motion()
    }

    /// Advances all playbacks and removes those that have faded out. A number of seconds that is
    /// not finite counts as zero. `set`, `sampler` and `output` are those for
    /// [`pose`](Self::pose); a transition that begins uses them as scratch memory.
    pub(crate) fn advance(
        &mut self,
        seconds: f64,
        set: &ClipSet,
        sampler: &mut Sampler,
        output: &mut SampledPose,
    ) {
        let seconds = if seconds.is_finite() { seconds } else { 0.0 };
        self.begin_transition(set, sampler, output);
        self.fired.clear();
        let mut blended = BlendedMotion::default();
        let root = self.playbacks.iter().find_map(Playback::root);
        for playback in &mut self.playbacks {
            let motion = playback.advance(&self.set, seconds, &mut self.fired);
            // Additive layers do not move the root. A mask scales how much a playback moves it.
            if root.is_some() && playback.reference.is_none() {
                blended.add(&motion, playback.effective_weight_at(root));
            }
        }
        if root.is_some() {
            self.root_motion.advance(&blended.mean());
        }
        if let Some(state) = &mut self.inertialization {
            let motion = state.advance(seconds);
            if motion != Motion::IDENTITY {
                self.root_motion.advance(&motion);
            }
        }
        self.drop_faded();
    }

    fn begin_transition(&mut self, set: &ClipSet, sampler: &mut Sampler, output: &mut SampledPose) {
        let Some(state) = self.inertialization.as_mut().filter(|state| state.is_pending()) else { return };
        if self.set.is_same(set) {
            state.begin(set, &mut self.playbacks, sampler, output);
        } else {
            state.cancel();
        }
        state.outgoing.drain(..).for_each(|playback| self.pool.release(playback));
    }

    fn drop_faded(&mut self) {
        let mut index = 0;
        while index < self.playbacks.len() {
            if self.playbacks[index].is_faded_out() {
                let playback = self.playbacks.remove(index);
                self.pool.release(playback);
            } else {
                index += 1;
            }
        }
    }

    /// Writes the current pose of all playbacks. `sampler` and `output` must have been created for
    /// `set`. If `set` is not the animator's own, the output is the rest pose. Until a transition
    /// begins, the pose is that of the playbacks that it leaves.
    pub(crate) fn pose(&mut self, set: &ClipSet, sampler: &mut Sampler, output: &mut SampledPose) {
        if !self.set.is_same(set) {
            return output.reset(set);
        }
        let Some(state) = self.inertialization.as_mut().filter(|state| state.is_active()) else {
            return blend_playbacks(&self.set, &mut self.playbacks, 0.0, &mut sampler.scratch, output);
        };
        let playbacks = if state.is_pending() { &mut state.outgoing } else { &mut self.playbacks };
        blend_playbacks(&self.set, playbacks, 0.0, &mut sampler.scratch, output);
        state.apply(0.0, output);
    }
}
