//! Pose modifiers: what changes a pose between clips and skin, in an ordered stack.

mod attachment;
mod context;
mod modifier;
mod stack;

pub use attachment::Attachment;
pub use context::ModifierContext;
pub use modifier::{CloneModifier, PoseModifier};
pub use stack::{ModifierId, ModifierStack};
