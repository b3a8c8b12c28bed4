//! What skins the scene: every method by name, and threads that share the work.

mod crew;
mod kind;
mod refusals;

pub use crew::{Crew, Order, Times, Work};
pub use kind::{Family, KINDS, Kind};
pub use refusals::{Refusals, max_influences, no_row, no_threads};
