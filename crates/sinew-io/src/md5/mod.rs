//! DOOM 3 MD5, version 10: `.md5mesh` with any number of meshes, and `.md5anim`.
//!
//! Rotations and winding are converted to the usual conventions. Axes, units, weights and
//! joint-space vectors stay as stored. A mesh block without vertices becomes a mesh instance
//! without vertices, so that mesh instances are numbered like the blocks of the file.

mod anim;
mod clip;
mod hierarchy;
mod import;
mod joints;
mod mesh_block;
mod mesh_builder;
mod normals;
mod pictures;
mod quaternion;
#[cfg(test)]
mod tests;
mod tga;
mod tokenizer;
mod values;

pub(crate) use import::{AnimSummary, Md5Importer, check_anim};
pub use pictures::picture_name;
