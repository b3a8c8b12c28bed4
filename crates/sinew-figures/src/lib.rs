//! Scenes by rule: Davies' cylinder, a twist and a human figure, with their motions, for programs, examples and tests
//! that want a skinned mesh without a file.
//!
//! All of it is computed with exactly rounded operations alone, so every target gets the same bits.
//!
//! ```
//! use sinew::{Attributes, Mesh, Palette, Skin, SkinOptions, Skinned};
//!
//! let scene = sinew_figures::scene("@figure:2000")?;
//! let skin = Skin::new(&scene.skeleton, &scene.skin_joints)?;
//! let mut pose = scene.skeleton.rest_pose();
//! let mut model_from_joint = scene.skeleton.model_matrices();
//! let mut palette = Palette::new(&skin);
//! let mesh = Mesh::new(&scene.shape.source(), &skin)?;
//! let mut skinned = Skinned::new(&mesh, Attributes::Tangents)?;
//!
//! scene.motions[0].pose(&scene.skeleton, 0.5, &mut pose)?; // Half a second into the walk.
//! scene.skeleton.to_model(&pose, .., &mut model_from_joint)?;
//! palette.update(&model_from_joint, &skin)?;
//! mesh.skin(&palette, &SkinOptions::default(), &mut skinned)?;
//!
//! let mut positions = vec![[0.0; 3]; mesh.len()];
//! skinned.positions(&mesh, &mut positions)?;
//! assert!(positions[0] != scene.shape.positions[0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! `papers`: the module `methods`, every way to skin a surface that sinew and the papers it starts from have, to be compared.

#![forbid(unsafe_code)]

mod can;
pub mod colours;
pub mod cylinder;
pub mod figure;
#[cfg(feature = "papers")]
pub mod methods;
mod model;
mod motion;
mod noise;
mod portable;
mod scene;
mod shape;
pub mod twist;

pub use motion::Motion;
pub use portable::sine_cosine;
pub use scene::{Error, MOST_VERTICES, NAMES, Scene, scene};
pub use shape::Shape;
