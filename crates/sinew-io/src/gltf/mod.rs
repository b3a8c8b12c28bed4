//! Imports glTF 2.0 and GLB: parses, checks and decodes documents; `read` makes scenes of them.

mod accessor;
mod accessor_use;
mod buffers;
mod check;
mod compressed;
mod container;
mod data_uri;
mod document;
mod json;
mod json_memory;
mod min_max;
mod read;
mod schema;
mod sparse;

pub(crate) use read::GltfImporter;

#[cfg(test)]
mod tests;
