//! glTF 2.0 and GLB, from bytes to a model: the lower half checks and gives numbers, `scene` gives them a meaning.

mod accessor;
mod bounds;
mod budget;
mod buffers;
mod check;
mod compressed;
pub(crate) mod container;
mod data_uri;
pub(crate) mod document;
mod json;
pub(crate) mod scene;
mod schema;
mod sparse;
mod tree;
mod usage;

#[cfg(test)]
mod tests;
