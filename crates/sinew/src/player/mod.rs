//! Players: what a model plays, from time to a pose.

mod motions;
mod played;
mod playing;
mod sampled;
mod spare;

pub use played::Player;
pub use playing::{Playing, Reference};
pub(crate) use sampled::{Posed, Sampler};
