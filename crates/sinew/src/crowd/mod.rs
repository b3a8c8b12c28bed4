//! Crowds: many instances of few models, animated and skinned on all threads.

mod animate;
mod cast;
mod crowd;
mod error;
mod frame;
mod frustum_culling;
mod member;
mod member_ids;
mod members;
mod parallel;
mod skin;
mod skinned_member;

pub use crowd::{Crowd, CrowdOptions, PaletteSpace};
pub use error::CrowdError;
pub use member::Member;
pub use member_ids::MemberId;
pub use skinned_member::SkinnedMember;
