//! Every operation of sinew over handles, slices and error codes: the layer that the C and
//! JavaScript bindings share.
//!
//! A foreign program cannot hold references. It holds a [`Handle`], a number that names an object
//! of this process: a model, an instance, a crowd. Functions take handles and slices and return a
//! [`Result`] whose [`Error`] has a code and a text. The bindings above only turn pointers into
//! slices and results into codes.
//!
//! - **A handle cannot hurt.** It holds kind, slot and generation. Zero, an invented number, a
//!   handle of another kind and one of a destroyed object are errors.
//! - **Nothing waits.** An object that another thread changes, or that a call further up the stack
//!   uses, is [`Code::Busy`]. Models, masks and blend spaces are only read, by any number of threads
//!   at the same time.
//! - **Nothing panics outward.** [`catch`] turns a panic into [`Code::Internal`]; the object that
//!   it interrupted can then only be destroyed.
//! - **Memory is bounded by what the caller passes.** Counts that allocate have limits.
//!
//! Functions that no frame calls are not inlined: the C library compiles this crate for size, but
//! not what is inlined into its own functions.
//!
//! Without features there are no importers and no threads, which keeps a WebAssembly module small.

#![forbid(unsafe_code)]

mod aim_reach;
#[cfg(feature = "io")]
mod bake;
mod blend_space;
mod builder;
mod crowd;
mod error;
mod events;
mod feet;
mod handle;
mod history;
mod instance;
#[cfg(feature = "io")]
mod load;
mod mask;
mod model;
mod modifiers;
mod objects;
mod playback;
pub mod records;
mod skin;
mod skinned_mesh;
mod springs;
mod table;

pub use aim_reach::*;
#[cfg(feature = "io")]
pub use bake::*;
pub use blend_space::*;
pub use builder::*;
pub use crowd::*;
pub use error::{Code, Error, catch, with_last_error};
pub use events::*;
pub use feet::*;
pub use handle::{Handle, Kind};
pub use history::*;
pub use instance::*;
#[cfg(feature = "io")]
pub use load::*;
pub use mask::*;
pub use model::*;
pub use modifiers::*;
pub use objects::destroy;
pub use playback::*;
pub use skinned_mesh::*;
pub use springs::*;
