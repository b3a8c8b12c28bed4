//! DOOM 3 MD5, version 10: `.md5mesh` with any number of meshes, and `.md5anim`.
//!
//! Quaternions and winding are turned to the usual ones. Axes, units, weights and joint-space vectors stay as stored.
//! A mesh block without vertices is a surface without vertices, and still a part, so that parts are counted as in the
//! file.

mod anim;
mod budget;
mod clip;
mod hierarchy;
mod joints;
mod mesh;
mod normals;
mod number;
mod quaternion;
mod read;
mod surface;
mod tally;
#[cfg(test)]
mod tests;
mod text;

pub(crate) use read::{AnimSummary, ClipText, check_anim, is_md5, read_mesh};
