//! The application: a session and the controls around it.

mod files;
mod input;
mod state_log;
mod update;
mod viewer;

pub use viewer::{HandOff, Viewer};
