//! Plays clips on an instance, through its [`Animator`].

use super::Instance;
use crate::animation::{
    AnimationError, Animator, BlendSpace, FiredEvent, ModifierContext, ModifierStack, Motion, Playback,
    Reference,
};

impl Instance {
    /// The animator.
    #[must_use]
    pub fn animator(&self) -> &Animator {
        &self.animator
    }

    /// Mutable access to the animator. If it is replaced by one of another model, nothing is
    /// played.
    pub fn animator_mut(&mut self) -> &mut Animator {
        &mut self.animator
    }

    /// Plays a clip from its start, looping, and stops all others.
    ///
    /// # Errors
    ///
    /// If no clip has the name, or several have it.
    pub fn play(&mut self, name: &str) -> Result<&mut Playback, AnimationError> {
        self.animator.play(name)
    }

    /// Plays a clip from its start while all others fade out over this time and are then removed.
    ///
    /// # Errors
    ///
    /// If no clip has the name, or several have it.
    pub fn fade_to(&mut self, name: &str, seconds: f32) -> Result<&mut Playback, AnimationError> {
        self.animator.fade_to(name, seconds)
    }

    /// Changes to a clip at once and lets the difference from the old pose decay over this time:
    /// nothing jumps, in position or in velocity. See [`Animator::inertialize_to`].
    ///
    /// # Errors
    ///
    /// If no clip has the name, several have it, or the time is negative or not finite.
    pub fn inertialize_to(&mut self, name: &str, seconds: f32) -> Result<&mut Playback, AnimationError> {
        self.animator.inertialize_to(name, seconds)
    }

    /// Plays a blend space from its start, looping, and stops all others.
    ///
    /// # Errors
    ///
    /// If the blend space is of another model.
    pub fn play_space(&mut self, space: &BlendSpace) -> Result<&mut Playback, AnimationError> {
        self.animator.play_space(space)
    }

    /// Plays a clip in addition to the others. They are blended by their weights.
    ///
    /// # Errors
    ///
    /// If no clip has the name, or several have it.
    pub fn blend(&mut self, name: &str) -> Result<&mut Playback, AnimationError> {
        self.animator.blend(name)
    }

    /// Plays a clip additively: adds its difference from the reference to the blended pose.
    ///
    /// # Errors
    ///
    /// If no clip has the name, several have it, or the reference is a pose of another skeleton.
    pub fn add(&mut self, name: &str, reference: Reference<'_>) -> Result<&mut Playback, AnimationError> {
        self.animator.add(name, reference)
    }

    /// Plays the clip with this index from its start, in addition to the others.
    ///
    /// # Panics
    ///
    /// If there is no such clip.
    pub fn start(&mut self, clip: usize) -> &mut Playback {
        self.animator.start(clip)
    }

    /// Stops all clips. The next step gives the rest pose.
    pub fn stop(&mut self) {
        self.animator.stop();
    }

    /// The playbacks, in the order in which they were started.
    pub fn playbacks_mut(&mut self) -> &mut [Playback] {
        self.animator.playbacks_mut()
    }

    /// The events of clips that fired in the last step. See [`Animator::events`].
    pub fn events(&self) -> impl Iterator<Item = FiredEvent<'_>> {
        self.animator.events()
    }

    /// The root motion since the last call, in the space of the root's parent. The caller moves the
    /// whole instance by it. See [`Playback::set_root_motion`].
    pub fn take_root_motion(&mut self) -> Motion {
        self.animator.take_root_motion()
    }

    /// The modifiers that change the pose in each step, after the clips.
    #[must_use]
    pub fn modifiers(&self) -> &ModifierStack {
        &self.modifiers
    }

    /// Mutable access to the modifiers. Changes take effect in the next step. A stack that is
    /// replaced by one of another model does nothing.
    pub fn modifiers_mut(&mut self) -> &mut ModifierStack {
        &mut self.modifiers
    }

    /// Advances the animation: samples and blends all playbacks, runs the modifiers and computes
    /// model-space matrices. Infinite or NaN seconds count as zero.
    pub fn step(&mut self, seconds: f32) {
        let set = self.model.clip_set();
        self.animator.advance(f64::from(seconds), set, &mut self.sampler, &mut self.posed);
        self.animator.pose(self.model.clip_set(), &mut self.sampler, &mut self.posed);
        self.matrices.invalidate_from(0);
        self.run_modifiers(seconds);
    }

    /// Runs the modifiers on the current pose by some seconds and computes model-space matrices.
    /// For programs that set the pose themselves; [`step`](Self::step) does it too.
    pub fn run_modifiers(&mut self, seconds: f32) {
        if !self.modifiers.is_empty() && self.modifiers.is_for(self.model.clip_set()) {
            let (skeleton, pose) = (self.model.skeleton(), self.posed.pose_mut());
            let (matrices, scratch) = (&mut self.matrices, &mut self.scratch);
            let seconds = f64::from(seconds);
            let mut context = ModifierContext::new(skeleton, pose, matrices, seconds, &self.world, scratch);
            self.modifiers.run(&mut context);
            self.skinning.state.stale = true;
        }
        self.refresh();
    }
}
