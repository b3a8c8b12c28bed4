//! The scene as the settings want it: what is loaded, who skins it, and what of it is drawn. Knows of no window.

mod filling;
mod made;
mod running;
mod whole;

pub use whole::{Show, Stages};
