//! The animator and its playbacks: from elapsed time to a pose.

mod animator;
mod blend_playbacks;
mod blended_motion;
mod events;
mod fade;
mod inertialization;
mod part;
mod playback;
mod pool;
mod root_velocity;
mod sampled_pose;

pub use animator::Animator;
pub use events::FiredEvent;
pub use playback::{Playback, Reference};
pub(crate) use sampled_pose::{SampledPose, Sampler};
