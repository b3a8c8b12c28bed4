//! Poses that clips are sampled into. They remember the clip, to avoid resetting to the rest pose.

use super::part::Source;
use crate::animation::ClipSet;
use crate::skeleton::Pose;

/// A pose, and the clip that it was sampled from.
#[derive(Clone, Debug)]
pub(crate) struct SampledPose {
    pub(crate) pose: Pose,
    /// The clip of the last sample, if nothing else has changed the pose since. Joints that the
    /// clip does not animate are then still at rest.
    clip: Option<usize>,
}

impl SampledPose {
    pub(crate) fn new(set: &ClipSet) -> Self {
        Self { pose: set.skeleton().rest_pose(), clip: None }
    }

    /// Mutable access to the pose.
    pub(crate) fn pose_mut(&mut self) -> &mut Pose {
        self.clip = None;
        &mut self.pose
    }

    pub(crate) fn reset(&mut self, set: &ClipSet) {
        self.pose_mut().copy_from(set.skeleton().rest()).expect(SAME_SKELETON);
    }

    /// Samples a part of a playback. Resets to the rest pose first, unless the last sample was from
    /// the same clip.
    pub(super) fn sample(&mut self, set: &ClipSet, source: &mut Source<'_>) {
        let clip = source.part.clip;
        if self.clip != Some(clip) {
            self.reset(set);
        }
        source.part.sample(set, source.root, source.seconds, &mut self.pose);
        self.clip = source.root.is_none().then_some(clip);
    }
}

/// Working memory for blending playbacks into one pose.
#[derive(Clone, Debug)]
pub(crate) struct Sampler {
    pub(super) scratch: LayerScratch,
    /// A second result, from which transitions take velocities.
    pub(super) probe: SampledPose,
}

/// Working memory for layers.
#[derive(Clone, Debug)]
pub(super) struct LayerScratch {
    /// Two layers at a time: more would not fit into the L1 cache.
    pub(super) layers: [SampledPose; 2],
    /// The sum of weights at each joint, used if a layer has a mask.
    pub(super) sums: Vec<f64>,
}

impl Sampler {
    pub(crate) fn new(set: &ClipSet) -> Self {
        let layers = [SampledPose::new(set), SampledPose::new(set)];
        let scratch = LayerScratch { layers, sums: vec![0.0; set.skeleton().len()] };
        Self { scratch, probe: SampledPose::new(set) }
    }
}

pub(super) const SAME_SKELETON: &str = "all poses were created for the set's skeleton";
