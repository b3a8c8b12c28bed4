//! Spring bones as VRMC_springBone 1.0 defines them: chains of joints that swing after the body.

mod error;
mod planner;
mod rig;
mod scratch;
mod source;
mod spring_bones;

pub use error::{SpringError, SpringFault, SpringPlace};
pub(crate) use scratch::SpringScratch;
pub use sinew_kernels::{BoneLength, ColliderShape};
pub use source::{Spring, SpringCollider, SpringJoint, SpringSource};
pub use spring_bones::SpringBones;
