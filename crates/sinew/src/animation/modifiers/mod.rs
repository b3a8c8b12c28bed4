//! Pose modifiers: what changes a pose between clips and skin, in an ordered stack.

mod attachment;
mod context;
mod modifier;
mod springs;
mod stack;

pub use attachment::Attachment;
pub use context::ModifierContext;
pub use modifier::{CloneModifier, PoseModifier};
pub(crate) use springs::SpringScratch;
pub use springs::{
    BoneLength, ColliderShape, Spring, SpringBones, SpringCollider, SpringError, SpringFault, SpringJoint,
    SpringPlace, SpringSource,
};
pub use stack::{ModifierId, ModifierStack};
