//! VRM avatars and animations.

mod avatars;
mod changed_files;
mod data;
mod motion;
