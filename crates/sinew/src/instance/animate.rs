//! Playing clips: from time to a pose. What is played is a [`Player`]'s.

use super::Instance;
use crate::{Error, Motion, Player, Playing, Reference};

impl Instance {
    /// All that it plays. A player of another model in its place plays nothing.
    pub fn player(&mut self) -> &mut Player {
        &mut self.player
    }

    /// Plays a clip from its start, over and over, in place of all that was played.
    ///
    /// # Errors
    ///
    /// When no clip has the name, or several have it.
    pub fn play(&mut self, name: &str) -> Result<&mut Playing, Error> {
        self.player.play(name)
    }

    /// Plays a clip from its start while all that was played fades out over so many seconds, and is dropped then.
    ///
    /// # Errors
    ///
    /// When no clip has the name, or several have it.
    pub fn fade_to(&mut self, name: &str, seconds: f32) -> Result<&mut Playing, Error> {
        self.player.fade_to(name, seconds)
    }

    /// Plays a clip beside what is played: weights say how much each counts.
    ///
    /// # Errors
    ///
    /// When no clip has the name, or several have it.
    pub fn blend(&mut self, name: &str) -> Result<&mut Playing, Error> {
        self.player.blend(name)
    }

    /// Plays a clip on top of what is played: what it differs by from the reference is added.
    ///
    /// # Errors
    ///
    /// When no clip has the name, or several have it, or the reference is a pose of another skeleton.
    pub fn add(&mut self, name: &str, reference: Reference<'_>) -> Result<&mut Playing, Error> {
        self.player.add(name, reference)
    }

    /// Plays the clip of this number, beside what is played, from its start.
    ///
    /// # Panics
    ///
    /// When there is no such clip.
    pub fn start(&mut self, clip: usize) -> &mut Playing {
        self.player.start(clip)
    }

    /// Plays nothing: the next step gives the rest pose.
    pub fn stop(&mut self) {
        self.player.stop();
    }

    /// What is played, in the order in which it was started.
    pub fn playing(&mut self) -> &mut [Playing] {
        self.player.playing()
    }

    /// How the roots of clips have moved since this was last asked, in the space of the root's parent: the caller moves the
    /// whole instance by it. See [`Playing::root_motion`].
    pub fn take_motion(&mut self) -> Motion {
        self.player.take_motion()
    }

    /// Goes on by so many seconds: samples what is played, blends it, and takes it to model space. What is not a finite
    /// number of seconds counts as none.
    pub fn step(&mut self, seconds: f32) {
        self.player.advance(f64::from(seconds));
        self.player.pose(&self.model, &mut self.sampler, &mut self.posed);
        self.stale = 0;
        self.refresh();
    }
}
