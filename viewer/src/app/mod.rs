//! The viewer: the show between its controls.

mod files;
mod following;
mod input;
mod telling;
mod viewer;

pub use viewer::{Heir, Viewer};
