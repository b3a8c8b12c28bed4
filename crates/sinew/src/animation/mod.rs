//! Animation: clips and their events, sampling, blending, blend spaces, playback, transitions, root
//! motion, pose modifiers.

mod additive;
mod animator;
mod blend;
mod blend_space;
mod clip;
mod clip_set;
mod error;
mod ik;
mod interpolate;
mod mask;
mod modifiers;
mod overrides;
mod passage;
mod playhead;
mod root_motion;
mod track_name;

pub use additive::Additive;
pub use animator::{Animator, FiredEvent, Playback, Reference};
pub(crate) use animator::{SampledPose, Sampler};
pub use blend::Layer;
pub use blend_space::BlendSpace;
pub use clip::{
    Clip, ClipEvent, ClipOptions, Cursor, Interpolation, KeyData, Keys, PassedEvent, SampledJoint, Track,
    TrackData,
};
pub use clip_set::ClipSet;
pub use error::AnimationError;
pub use ik::{Aim, AimUp, Aimed, ChainIk, ChainReach, Pole, Reach, TwoBone};
pub use mask::Mask;
pub(crate) use modifiers::SpringScratch;
pub use modifiers::{
    Attachment, BoneLength, CloneModifier, ColliderShape, FootPlacement, GroundHit, Leg, ModifierContext,
    ModifierId, ModifierStack, PoseModifier, Spring, SpringBones, SpringCollider, SpringError, SpringFault,
    SpringJoint, SpringPlace, SpringSource,
};
pub use overrides::{ModelRotation, Override};
pub use passage::Passage;
pub use playhead::{Playhead, Repeat};
pub use root_motion::{Motion, RootMotion, RootMotionAccumulator, RootParts, RootRotation};
pub use sinew_kernels::Factor;
pub use track_name::TrackName;
