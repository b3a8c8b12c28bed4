//! A GLB document: its arrays, and the container around them.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::buffer::Buffer;
use super::schema::{Node, Root};
use crate::error::BoxedError as Error;

/// Extensions of a document and its nodes that the model does not hold, as JSON.
#[derive(Debug, Default)]
pub(crate) struct GlbExtensions {
    /// Their names.
    pub(crate) used: Vec<&'static str>,
    /// An object for the document; empty for none.
    pub(crate) root: String,
    /// An object for each of some nodes.
    pub(crate) nodes: BTreeMap<usize, String>,
}

/// A document, and the bytes of its buffer.
#[derive(Debug, Default)]
pub(super) struct Document {
    pub(super) root: Root,
    pub(super) buffer: Buffer,
    /// Extensions of the document and its nodes.
    pub(super) extensions: GlbExtensions,
}

impl Document {
    /// Adds a node, and returns its index.
    pub(super) fn node(&mut self, node: Node) -> usize {
        self.root.nodes.push(node);
        self.root.nodes.len() - 1
    }

    /// Writes the container.
    pub(super) fn write(mut self, to: &mut dyn Write) -> Result<(), Error> {
        let bytes = std::mem::take(&mut self.buffer.bytes);
        let json = self.finished_root(bytes.len()).to_json();
        // Each chunk has a header of eight bytes and is padded to a multiple of four.
        let json_len = json.len().next_multiple_of(4);
        let bytes_len = bytes.len().next_multiple_of(4);
        let binary = if bytes.is_empty() { 0 } else { 8 + bytes_len };
        let total = 12 + 8 + json_len + binary;
        let Ok(length) = u32::try_from(total) else {
            return Err(Error::invalid("bytes of a GLB", format!("at most {}", u32::MAX), total.to_string()));
        };
        let mut write = || -> io::Result<()> {
            to.write_all(b"glTF")?;
            to.write_all([2, length, json_len as u32].map(u32::to_le_bytes).as_flattened())?;
            to.write_all(b"JSON")?;
            to.write_all(json.as_bytes())?;
            to.write_all(&b"   "[..json_len - json.len()])?;
            if !bytes.is_empty() {
                to.write_all(&(bytes_len as u32).to_le_bytes())?;
                to.write_all(b"BIN\0")?;
                to.write_all(&bytes)?;
                to.write_all(&[0; 3][..bytes_len - bytes.len()])?;
            }
            to.flush()
        };
        write().map_err(Error::writing)
    }

    /// The document with its buffer and the extensions that it uses.
    fn finished_root(self, byte_length: usize) -> Root {
        let Self { root, buffer, extensions: added } = self;
        let mut required = Vec::new();
        for extension in root.textures.iter().filter_map(|texture| texture.extension) {
            if let Err(position) = required.binary_search(&extension) {
                required.insert(position, extension);
            }
        }
        Root {
            extensions_used: required.iter().chain(&added.used).copied().collect(),
            extensions_required: required,
            extensions: added.root,
            accessors: buffer.accessors,
            buffer_views: buffer.views,
            byte_length,
            ..root
        }
    }
}
