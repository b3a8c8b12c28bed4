//! What a model plays.

use super::motions::Motions;
use super::playing::{Playing, Reference};
use super::sampled::{MADE, Posed, Sampler};
use super::spare::Spare;
use crate::blend::{BATCH, Sums, part_of};
use crate::{Additive, Error, Model, Motion, Pose, Travel};

/// What a model plays: clips, each with its time, weight and fade, blended and added to one pose. An
/// [`Instance`](crate::Instance) has one, and each figure of a [`Crowd`](crate::Crowd).
///
/// Memory is taken when a clip is first played, and kept for the next time.
#[derive(Clone, Debug)]
pub struct Player {
    model: Model,
    playing: Vec<Playing>,
    spare: Spare,
    /// What was taken out of the roots and not yet handed over.
    travel: Travel,
}

impl Player {
    pub(crate) fn new(model: &Model) -> Self {
        let spare = Spare::new(model.clips().len());
        Self { model: model.clone(), playing: Vec::new(), spare, travel: Travel::START }
    }

    /// What it plays clips of.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.model
    }

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
        let mut pose = self.spare.reference(&self.model);
        pose.copy_from(match reference {
            Reference::FirstFrame => self.model.skeleton().rest(),
            Reference::Pose(pose) => pose,
        })?;
        let playing = self.start(clip);
        if matches!(reference, Reference::FirstFrame) {
            playing.sample_own(&mut pose);
        }
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

    /// How the roots of clips have moved since this was last asked, in the space of the root's parent: the caller moves the
    /// whole figure by it. See [`Playing::root_motion`].
    pub fn take_motion(&mut self) -> Motion {
        std::mem::take(&mut self.travel).motion()
    }

    /// Goes on by so many seconds, and drops what has faded. What is not a finite number of seconds counts as none.
    pub(crate) fn advance(&mut self, seconds: f64) {
        let seconds = if seconds.is_finite() { seconds } else { 0.0 };
        let mut motions = Motions::default();
        let root = self.playing.iter().find_map(Playing::root);
        for playing in &mut self.playing {
            let motion = playing.advance(&self.model, seconds);
            // What is added on top moves no root, and a mask says how much of the root is moved.
            if root.is_some() && playing.reference.is_none() {
                motions.add(&motion, playing.share_at(root));
            }
        }
        if root.is_some() {
            self.travel.advance(&motions.mean());
        }
        self.drop_faded();
    }

    fn drop_faded(&mut self) {
        let mut place = 0;
        while place < self.playing.len() {
            if self.playing[place].is_over() {
                let playing = self.playing.remove(place);
                self.spare.put(playing);
            } else {
                place += 1;
            }
        }
    }

    /// What all that is played comes to, where it is now, in memory that was made for a model; of another one than the
    /// player's nothing moves. What counts for nothing is not even looked at.
    pub(crate) fn pose(&mut self, model: &Model, sampler: &mut Sampler, posed: &mut Posed) {
        if !self.model.is(model) {
            return posed.rest(model);
        }
        let mut layers = self.playing.iter_mut().filter(|playing| playing.is_layer());
        match (layers.next(), layers.next()) {
            (None, _) => posed.rest(&self.model),
            (Some(only), None) if only.is_all() => posed.sample(&self.model, only),
            _ => self.blend_layers(sampler, posed.change()),
        }
        for playing in self.playing.iter_mut().filter(|playing| playing.share() > 0.0) {
            if playing.reference.is_some() {
                let [sampled, _] = &mut sampler.layers;
                sampled.sample(&self.model, playing);
                let Some(reference) = &playing.reference else { continue };
                let (weight, mask) = (playing.share(), playing.mask.as_ref());
                let layer = Additive { pose: &sampled.pose, reference, weight, mask };
                posed.change().add(&layer).expect(MADE);
            }
        }
    }

    fn blend_layers(&mut self, sampler: &mut Sampler, pose: &mut Pose) {
        let Self { model, playing, .. } = self;
        let rest = model.skeleton().rest();
        let layers = || playing.iter().filter(|playing| playing.is_layer());
        let (count, masked) = (layers().count(), layers().any(|playing| playing.mask.is_some()));
        let sum = layers().map(|playing| f64::from(playing.share())).sum();
        let scaled = rest.scaled || layers().any(|playing| model.clips()[playing.clip()].has_scales());
        pose.begin_blend(rest, scaled, sum);
        if masked {
            sampler.sums.fill(0.0);
            layers().for_each(|playing| playing.layer(rest).add_weights(0, &mut sampler.sums));
        }
        let Sampler { layers: [one, other], sums } = sampler;
        let mut layers = playing.iter_mut().filter(|playing| playing.is_layer());
        let mut done = 0;
        while let Some(first) = layers.next() {
            one.sample(model, first);
            let mut some = [first.layer(&one.pose); 2];
            let mut len = 1;
            if let Some(second) = layers.next() {
                other.sample(model, second);
                some[1] = second.layer(&other.pose);
                len = 2;
            }
            let part = part_of(done == 0, done + len == count);
            done += len;
            some[..len].iter().for_each(|layer| pose.blend_morph_weights(layer, sum));
            if !masked {
                pose.blend_part(0..pose.len(), part, rest, &some[..len], &Sums::Same(sum));
                continue;
            }
            for start in (0..pose.len()).step_by(BATCH) {
                let range = start..pose.len().min(start + BATCH);
                let sums = Sums::Each(&sums[range.clone()]);
                pose.blend_part(range, part, rest, &some[..len], &sums);
            }
        }
    }
}
