//! The animator and its playbacks: from elapsed time to a pose.

mod animator;
mod blended_motion;
mod playback;
mod pool;
mod sampled_pose;

pub use animator::Animator;
pub use playback::{Playback, Reference};
pub(crate) use sampled_pose::{SampledPose, Sampler};
