//! Instances: models that move, each with memory of its own.

mod animate;
mod bounds;
mod cast;
mod change;
mod posed;
mod skin;

pub use cast::Hit;
pub use change::JointMut;
pub use posed::{Instance, InstanceOptions};
pub use skin::{JointBlend, SkinnedModel};
