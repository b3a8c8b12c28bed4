//! Instances: models that move, each with memory of its own.

mod animate;
mod change;
mod posed;
mod skin;

pub use change::JointMut;
pub use posed::{Instance, InstanceOptions};
pub use skin::{JointBlend, SkinnedModel};
