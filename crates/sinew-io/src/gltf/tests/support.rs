//! Documents for tests.

use std::cell::RefCell;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;

use super::super::document::Document;
use super::super::source::GltfSource;
use crate::error::BoxedError as Error;
use crate::scene::Budget;
use crate::{ImportOptions, Report};

/// The JSON of a document with one buffer of `bytes`, and the fields in `rest`.
pub(super) fn document_json(bytes: &[u8], rest: &str) -> String {
    let uri = format!("data:application/octet-stream;base64,{}", BASE64_STANDARD.encode(bytes));
    let len = bytes.len();
    format!(r#"{{"asset":{{"version":"2.0"}},"buffers":[{{"byteLength":{len},"uri":"{uri}"}}],{rest}}}"#)
}

/// Opens a document and calls `act` with it. Returns its result and the warnings.
pub(super) fn read_document<T>(
    text: &str,
    act: impl FnOnce(&Document<'_, '_>) -> Result<T, Error>,
) -> Result<(T, Vec<String>), Error> {
    let report = RefCell::new(Report::new(false));
    let budget = Budget::new(&ImportOptions::default(), text.len() as u64);
    let source = GltfSource::parse(text.as_bytes(), &budget, &mut report.borrow_mut())?;
    let document = Document::open(&source, None, &budget, &mut report.borrow_mut())?;
    let result = act(&document)?;
    document.take_warnings(&mut report.borrow_mut())?;
    let warnings = report.borrow().warnings().iter().map(ToString::to_string).collect();
    Ok((result, warnings))
}

pub(super) fn floats(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}
