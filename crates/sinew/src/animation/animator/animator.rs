//! The animator: plays clips of a set and blends them into one pose.

use super::blended_motion::BlendedMotion;
use super::playback::{Playback, Reference};
use super::pool::PlaybackPool;
use super::sampled_pose::{SAME_SKELETON, SampledPose, Sampler};
use crate::animation::blend::{BATCH, WeightSums, batch_part};
use crate::animation::{Additive, AnimationError, ClipSet, Motion, RootMotionAccumulator};
use crate::skeleton::Pose;

/// Plays clips of a set, each with its own time, weight and fade, and blends them into one pose.
/// Every [`Instance`](crate::Instance) and every member of a [`Crowd`](crate::Crowd) has one.
///
/// A clip's memory is allocated when the clip is first played and is reused afterwards.
#[derive(Clone, Debug)]
pub struct Animator {
    set: ClipSet,
    playbacks: Vec<Playback>,
    pool: PlaybackPool,
    /// Root motion that was extracted and not yet taken.
    root_motion: RootMotionAccumulator,
}

impl Animator {
    pub(crate) fn new(set: &ClipSet) -> Self {
        let pool = PlaybackPool::new(set.clips().len());
        Self { set: set.clone(), playbacks: Vec::new(), pool, root_motion: RootMotionAccumulator::START }
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
        self.stop();
        Ok(self.start(clip))
    }

    /// Cross-fades to a clip: it plays from its start and fades in over `seconds`, while all other
    /// playbacks fade out and are then removed.
    ///
    /// # Errors
    ///
    /// When no clip has the name, or several clips have it.
    pub fn fade_to(&mut self, name: &str, seconds: f32) -> Result<&mut Playback, AnimationError> {
        let clip = self.set.find(name)?;
        for playback in &mut self.playbacks {
            playback.fade_out(seconds);
        }
        Ok(self.start(clip).fade_in(seconds))
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
        self.playbacks.push(playback);
        self.playbacks.last_mut().expect("one was pushed")
    }

    /// Stops all playbacks. The next step gives the rest pose.
    pub fn stop(&mut self) {
        while let Some(playback) = self.playbacks.pop() {
            self.pool.release(playback);
        }
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
    /// not finite counts as zero.
    pub(crate) fn advance(&mut self, seconds: f64) {
        let seconds = if seconds.is_finite() { seconds } else { 0.0 };
        let mut blended = BlendedMotion::default();
        let root = self.playbacks.iter().find_map(Playback::root);
        for playback in &mut self.playbacks {
            let motion = playback.advance(&self.set, seconds);
            // Additive layers do not move the root. A mask scales how much a playback moves it.
            if root.is_some() && playback.reference.is_none() {
                blended.add(&motion, playback.effective_weight_at(root));
            }
        }
        if root.is_some() {
            self.root_motion.advance(&blended.mean());
        }
        self.drop_faded();
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
    /// `set`. If `set` is not the animator's own, the output is the rest pose. Playbacks with an
    /// effective weight of zero are not sampled.
    pub(crate) fn pose(&mut self, set: &ClipSet, sampler: &mut Sampler, output: &mut SampledPose) {
        if !self.set.is_same(set) {
            return output.reset(set);
        }
        let mut layers = self.playbacks.iter_mut().filter(|playback| playback.is_layer());
        match (layers.next(), layers.next()) {
            (None, _) => output.reset(&self.set),
            (Some(only), None) if only.replaces_all() => output.sample(&self.set, only),
            _ => self.blend_layers(sampler, output.pose_mut()),
        }
        for playback in self.playbacks.iter_mut().filter(|playback| playback.effective_weight() > 0.0) {
            if playback.reference.is_some() {
                let [sampled, _] = &mut sampler.layers;
                sampled.sample(&self.set, playback);
                let Some(reference) = &playback.reference else { continue };
                let (weight, mask) = (playback.effective_weight(), playback.mask.as_ref());
                let layer = Additive { pose: &sampled.pose, reference, weight, mask };
                output.pose_mut().add(&layer).expect(SAME_SKELETON);
            }
        }
    }

    fn blend_layers(&mut self, sampler: &mut Sampler, pose: &mut Pose) {
        let Self { set, playbacks, .. } = self;
        let rest = set.skeleton().rest();
        let layers = || playbacks.iter().filter(|playback| playback.is_layer());
        let (count, masked) = (layers().count(), layers().any(|playback| playback.mask.is_some()));
        let sum = layers().map(|playback| f64::from(playback.effective_weight())).sum();
        let scaled = rest.scaled || layers().any(|playback| set.clips()[playback.clip()].has_scales());
        pose.begin_blend(rest, scaled, sum);
        if masked {
            sampler.sums.fill(0.0);
            layers().for_each(|playback| playback.layer(rest).add_weights(0, &mut sampler.sums));
        }
        let Sampler { layers: [one, other], sums } = sampler;
        let mut layers = playbacks.iter_mut().filter(|playback| playback.is_layer());
        let mut done = 0;
        while let Some(first) = layers.next() {
            one.sample(set, first);
            let mut some = [first.layer(&one.pose); 2];
            let mut len = 1;
            if let Some(second) = layers.next() {
                other.sample(set, second);
                some[1] = second.layer(&other.pose);
                len = 2;
            }
            let part = batch_part(done == 0, done + len == count);
            done += len;
            some[..len].iter().for_each(|layer| pose.add_morph_weights(layer, sum));
            if !masked {
                pose.blend_batch(0..pose.len(), part, rest, &some[..len], &WeightSums::Uniform(sum));
                continue;
            }
            for start in (0..pose.len()).step_by(BATCH) {
                let range = start..pose.len().min(start + BATCH);
                let sums = WeightSums::PerJoint(&sums[range.clone()]);
                pose.blend_batch(range, part, rest, &some[..len], &sums);
            }
        }
    }
}
