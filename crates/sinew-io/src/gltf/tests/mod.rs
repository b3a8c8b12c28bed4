//! Tests of parsing, checking and decoding, with small documents, shared models and invalid files.

mod accessors;
mod compressed;
mod files;
mod hostile;
mod support;
