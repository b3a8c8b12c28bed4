//! sinew for C and C++. `header/` generates `include/sinew.h` from this crate.
//!
//! Every function returns a code and turns pointers into slices; everything else is in
//! `sinew-handles`. This crate is a foreign edge, so it has unsafe code: each pointer argument
//! comes with its length, and the caller promises that so much memory is there. Lengths, alignment,
//! nulls, texts and struct sizes are checked before anything is read.

#![allow(
    clippy::missing_safety_doc,
    reason = "all functions have the contract of the header's first comment: pointers are valid for their lengths"
)]

mod arrays;
mod blend_space;
mod builder;
mod chains;
mod crowd;
mod feet;
mod files;
mod general;
mod history;
mod instance;
mod model;
mod modifiers;
#[cfg(all(sinew_no_backtrace, target_os = "linux"))]
mod no_backtrace;
mod playback;
mod pointers;
mod skinned_mesh;
mod types;

pub use blend_space::*;
pub use builder::*;
pub use chains::*;
pub use crowd::*;
pub use feet::*;
pub use files::*;
pub use general::*;
pub use history::*;
pub use instance::*;
pub use model::*;
pub use modifiers::*;
pub use playback::*;
pub use sinew_handles::records::*;
pub use sinew_handles::{Code, LoadSettings};
pub use skinned_mesh::*;
pub use types::*;
