//! Imports glTF 2.0 and GLB: parses, checks and decodes documents; `read` makes scenes of them.

mod accessor;
mod accessor_use;
mod buffers;
mod check;
mod compressed;
mod container;
mod data_uri;
mod document;
mod elements;
mod min_max;
mod read;
mod schema;
mod source;
mod sparse;

pub(crate) use read::GltfImporter;
#[cfg(feature = "vrm")]
pub(crate) use schema::Root;

#[cfg(test)]
mod tests;
