//! The document's text, and what it takes as a tree.

use gltf_json::{Root, Value};

use crate::{Error, Report};

const BOM: &[u8] = b"\xEF\xBB\xBF";

/// The document that a text gives.
pub(crate) fn parse(text: &[u8], report: &mut Report) -> Result<Root, Error> {
    let text = match text.strip_prefix(BOM) {
        Some(rest) => {
            report.note("byte 0", "a byte order mark before the JSON", "it was passed over")?;
            rest
        }
        None => text,
    };
    Root::from_slice(text).map_err(|error| fault(&error))
}

fn fault(error: &gltf_json::Error) -> Error {
    let whole = error.to_string();
    let (line, column) = (error.line(), error.column());
    let said = whole.strip_suffix(&format!(" at line {line} column {column}")).unwrap_or(&whole);
    Error::fault(format!("line {line}, column {column}"), "a document of glTF 2.0", said)
}

#[allow(dead_code, reason = "until the patching of channels is written")]
fn _patch(_: Value) {}
