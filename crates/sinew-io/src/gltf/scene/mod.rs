//! From a checked document to a model: what the numbers mean.

mod animations;
mod build;
mod decompose;
mod directions;
mod drawn;
mod graph;
mod influences;
mod keys;
mod materials;
mod meshes;
mod morphs;
mod nodes;
mod parts;
mod skins;
mod tally;
mod times;
mod triangles;
mod turning;

pub(crate) use build::build;
