//! The WebAssembly modules of the npm package `sinew3d`: the operations of `sinew-handles` as plain
//! exports over numbers and pointers into the module's memory.
//!
//! Only the package's JavaScript calls these functions. It passes memory that it got from
//! [`memory::sinew_alloc`] and keeps until it frees it; what a user passes is checked there for its
//! type and here for its value. Functions return 0, or the number of a [`sinew_handles::Code`],
//! whose text [`memory::sinew_error_text`] returns. Handles are doubles, which hold them exactly.
//!
//! Without features this is the module behind three.js meshes; the feature `importers` adds models
//! from files.

#[cfg(feature = "importers")]
pub mod importers;
pub mod memory;
pub mod mesh;
pub mod palette;
#[cfg(feature = "importers")]
pub mod playback;
pub mod rays;
