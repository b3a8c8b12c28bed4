//! Instances of models, each with its own animation state and buffers.

mod animate;
mod bounds;
mod cast;
mod edit;
mod instance;
mod skin;

pub use cast::Hit;
pub(crate) use cast::build_bvhs;
pub use edit::JointMut;
pub use instance::{Instance, InstanceOptions};
pub use skin::SkinnedModel;
