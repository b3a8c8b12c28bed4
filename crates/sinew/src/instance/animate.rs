//! Playing clips: from time to a pose.

use super::motions::Motions;
use super::playing::Playing;
use super::{Instance, Reference};
use crate::{Additive, Error, Layer, Motion};

impl Instance {
    /// Plays a clip from its start, over and over, in place of all that was played.
    ///
    /// # Errors
    ///
    /// When no clip has the name, or several have it.
    pub fn play(&mut self, name: &str) -> Result<&mut Playing, Error> {
        let clip = self.model.clip(name)?;
        self.stop();
        Ok(self.start(clip))
    }

    /// Plays a clip from its start while all that was played fades out over so many seconds, and is dropped then.
    ///
    /// # Errors
    ///
    /// When no clip has the name, or several have it.
    pub fn fade_to(&mut self, name: &str, seconds: f32) -> Result<&mut Playing, Error> {
        let clip = self.model.clip(name)?;
        for playing in &mut self.playing {
            playing.fade_out(seconds);
        }
        Ok(self.start(clip).fade_in(seconds))
    }

    /// Plays a clip beside what is played: weights say how much each counts.
    ///
    /// # Errors
    ///
    /// When no clip has the name, or several have it.
    pub fn blend(&mut self, name: &str) -> Result<&mut Playing, Error> {
        let clip = self.model.clip(name)?;
        Ok(self.start(clip))
    }

    /// Plays a clip on top of what is played: what it differs by from the reference is added.
    ///
    /// # Errors
    ///
    /// When no clip has the name, or several have it, or the reference is a pose of another skeleton.
    pub fn add(&mut self, name: &str, reference: Reference<'_>) -> Result<&mut Playing, Error> {
        let clip = self.model.clip(name)?;
        let mut pose = self.model.skeleton().rest_pose();
        match reference {
            Reference::Pose(of_caller) => pose.copy_from(of_caller)?,
            Reference::FirstFrame => {
                let clip = &self.model.clips()[clip];
                clip.sample(clip.start(), &mut clip.cursor(), &mut pose)?;
            }
        }
        let playing = self.start(clip);
        playing.reference = Some(pose);
        Ok(playing)
    }

    /// Plays the clip of this number, beside what is played, from its start.
    ///
    /// # Panics
    ///
    /// When there is no such clip.
    pub fn start(&mut self, clip: usize) -> &mut Playing {
        let playing = self.spare.take(&self.model, clip);
        self.playing.push(playing);
        self.playing.last_mut().expect("one was pushed")
    }

    /// Plays nothing: the next step gives the rest pose.
    pub fn stop(&mut self) {
        while let Some(playing) = self.playing.pop() {
            self.spare.put(playing);
        }
    }

    /// What is played, in the order in which it was started.
    pub fn playing(&mut self) -> &mut [Playing] {
        &mut self.playing
    }

    /// Goes on by so many seconds: samples what is played, blends it, and takes it to model space. What is not a finite
    /// number of seconds counts as none.
    pub fn step(&mut self, seconds: f32) {
        let seconds = if seconds.is_finite() { seconds } else { 0.0 };
        let mut motions = Motions::default();
        let root = self.playing.iter().find_map(Playing::root);
        for playing in &mut self.playing {
            let motion = playing.step(&self.model, seconds);
            // What is added on top moves no root, and a mask says how much of the root is moved.
            if playing.reference.is_none() {
                motions.add(&motion, playing.share_at(root));
            }
        }
        self.travel.advance(&motions.mean());
        self.drop_faded();
        self.pose_anew();
        self.stale = 0;
        self.refresh();
    }

    /// How the roots of clips have moved since this was last asked, in the space of the root's parent: the caller moves the
    /// whole instance by it. See [`Playing::root_motion`].
    pub fn take_motion(&mut self) -> Motion {
        std::mem::take(&mut self.travel).motion()
    }

    fn drop_faded(&mut self) {
        let mut place = 0;
        while place < self.playing.len() {
            if self.playing[place].fade.is_over() {
                let playing = self.playing.remove(place);
                self.spare.put(playing);
            } else {
                place += 1;
            }
        }
    }

    fn pose_anew(&mut self) {
        let Self { pose, playing, model, .. } = self;
        if let [only] = &playing[..]
            && only.is_all()
        {
            return pose.copy_from(&only.pose).expect(MADE);
        }
        let rest = model.skeleton().rest();
        let layers = playing.iter().filter(|playing| playing.reference.is_none()).map(|playing| Layer {
            pose: &playing.pose,
            weight: playing.share(),
            mask: playing.mask.as_ref(),
        });
        pose.blend_layers(rest, layers).expect(MADE);
        for playing in playing.iter() {
            let Some(reference) = &playing.reference else { continue };
            let weight = playing.share();
            let mask = playing.mask.as_ref();
            pose.add(&Additive { pose: &playing.pose, reference, weight, mask }).expect(MADE);
        }
    }
}

const MADE: &str = "all poses were made for the model's skeleton";
