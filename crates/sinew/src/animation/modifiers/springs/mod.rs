//! Spring bones as VRMC_springBone 1.0 defines them: chains of joints that swing after the body.

mod error;
mod rig;
mod simulate;
mod source;
mod spring_bones;

pub use error::{SpringError, SpringFault, SpringPlace};
pub(crate) use simulate::SpringScratch;
pub use source::{BoneLength, ColliderShape, Spring, SpringCollider, SpringJoint, SpringSource};
pub use spring_bones::SpringBones;
