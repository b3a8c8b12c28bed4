//! Imports FBX for [`sinew`], by the C library `ufbx`.
//!
//! Not part of `sinew-io`, since it links C code. A program adds it to a loader:
//!
//! ```no_run
//! use sinew_fbx::FbxImporter;
//! use sinew_io::{ImportOptions, Loader};
//!
//! let loader = Loader::default().with(FbxImporter);
//! let model = loader.load("dancer.fbx", &ImportOptions::default())?.model;
//! # Ok::<(), sinew_io::Error>(())
//! ```
//!
//! The model is in meters, with +Y up, whatever the file's units and axes are. Rotation orders,
//! pivots, geometric transforms and inherit modes become plain transforms, with helper nodes where
//! these cannot express them. Blend shapes, also those in between, become morph targets. Each
//! animation stack becomes a clip with all of its layers, baked at the file's keys and frame rate;
//! it starts at zero.

#![forbid(unsafe_code)]

mod animations;
mod blend_shapes;
mod import;
mod materials;
mod meshes;
mod nodes;
mod vertices;
mod weights;

pub use import::FbxImporter;
