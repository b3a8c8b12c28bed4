//! Crowds: many instances of few models, animated eight at a time, skinned on all threads.

mod adjust;
mod animate;
mod frame;
mod gathered;
mod member;
mod members;
mod parallel;
mod skin;
mod skinned;
mod slots;
mod view;

pub use adjust::Adjustment;
pub use gathered::{Crowd, CrowdOptions, PaletteSpace};
pub use member::Member;
pub use skinned::SkinnedMember;
pub use slots::MemberId;
