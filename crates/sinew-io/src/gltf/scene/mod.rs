//! Builds a model from a checked document.

mod animations;
mod build;
mod decompose;
mod directions;
mod graph;
mod influences;
mod keys;
mod materials;
mod mesh_info;
mod mesh_instances;
mod morphs;
mod nodes;
mod primitives;
mod rotation;
mod skins;
mod times;
mod triangles;
mod warning_count;

pub(crate) use build::build;
