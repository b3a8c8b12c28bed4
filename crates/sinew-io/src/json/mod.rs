//! JSON: a parser that keeps a flat list of tokens, typed access to them, and a writer. No code
//! here is generic over what a document means, so a schema costs little to compile.

mod fields;
mod parse;
mod tokens;
mod value;
mod writer;

pub(crate) use fields::Field;
#[cfg(test)]
pub(crate) use tokens::DEPTH;
pub(crate) use tokens::Json;
pub(crate) use value::Value;
pub(crate) use writer::JsonWriter;
