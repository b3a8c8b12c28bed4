//! Documents made for tests.

use std::cell::RefCell;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;

use super::super::document::Document;
use crate::{Error, Options, Report};

/// A document as text: one buffer with `bytes`, a view over all of it, and what `rest` adds.
pub(super) fn document(bytes: &[u8], rest: &str) -> String {
    let uri = format!("data:application/octet-stream;base64,{}", BASE64_STANDARD.encode(bytes));
    let len = bytes.len();
    format!(r#"{{"asset":{{"version":"2.0"}},"buffers":[{{"byteLength":{len},"uri":"{uri}"}}],{rest}}}"#)
}

/// Opens a text and hands it on, with what was found odd.
pub(super) fn with<T>(
    text: &str,
    act: impl FnOnce(&Document<'_>) -> Result<T, Error>,
) -> Result<(T, Vec<String>), Error> {
    let report = RefCell::new(Report::new(false));
    let document = Document::open(text.as_bytes(), None, &Options::default(), &mut report.borrow_mut())?;
    let result = act(&document)?;
    document.report(&mut report.borrow_mut())?;
    let oddities = report.borrow().oddities().iter().map(ToString::to_string).collect();
    Ok((result, oddities))
}

pub(super) fn floats(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}
