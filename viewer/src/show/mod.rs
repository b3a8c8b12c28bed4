//! The scene as the settings want it: what is loaded, who skins it, and what of it is drawn. Knows of no window.

mod filling;
mod made;
mod over;
mod running;
mod whole;

pub use filling::Filled;
pub use whole::{Show, Stages};
