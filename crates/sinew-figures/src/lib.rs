//! Procedural scenes: Davies' cylinder, a twisting cylinder, a human figure and a ponytail, with
//! their motions.
//! Programs, examples and tests get a skinned mesh from here without reading a file.
//!
//! Everything is computed with exactly rounded operations alone, so every target gets the same
//! bits.
//!
//! ```
//! use sinew::{Mesh, Palette, Skin, SkinOptions};
//! use sinew::mesh::Attributes;
//! use sinew::skinning::Skinned;
//!
//! let scene = sinew_figures::scene("@figure:2000")?;
//! let skin = Skin::new(&scene.skeleton, &scene.skin_joints)?;
//! let mut pose = scene.skeleton.rest_pose();
//! let mut model_from_joint = scene.skeleton.identity_matrices();
//! let mut palette = Palette::new(&skin);
//! let mesh = Mesh::new(&scene.mesh.source(), &skin)?;
//! let mut skinned = Skinned::new(&mesh, Attributes::Tangents)?;
//!
//! scene.motions[0].pose(&scene.skeleton, 0.5, &mut pose)?; // Half a second into the walk.
//! scene.skeleton.to_model(&pose, .., &mut model_from_joint)?;
//! palette.update(&model_from_joint, &skin)?;
//! mesh.skin(&palette, &SkinOptions::default(), &mut skinned)?;
//!
//! let mut positions = vec![[0.0; 3]; mesh.len()];
//! skinned.positions(&mesh, &mut positions)?;
//! assert!(positions[0] != scene.mesh.positions[0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

mod capped_cylinder;
pub mod colors;
pub mod cylinder;
pub mod figure;
mod math;
mod mesh_arrays;
mod model;
mod motion;
mod noise;
pub mod ponytail;
mod scene;
pub mod twist;

pub use math::sin_cos_turns;
pub use mesh_arrays::MeshArrays;
pub use motion::Motion;
pub use scene::{Error, MAX_VERTICES, NAMES, Scene, scene};
