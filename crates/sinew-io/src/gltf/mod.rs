//! Imports glTF 2.0 and GLB: this module parses, checks and decodes documents; `scene` builds the
//! model.

mod accessor;
mod accessor_use;
mod budget;
mod buffers;
mod check;
mod compressed;
pub(crate) mod container;
mod data_uri;
pub(crate) mod document;
mod json;
mod json_memory;
mod min_max;
pub(crate) mod scene;
mod schema;
mod sparse;

#[cfg(test)]
mod tests;
