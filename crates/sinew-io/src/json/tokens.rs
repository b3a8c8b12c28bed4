//! A parsed JSON text: its values and names, in the order of the text.

use super::parse::parse;
use super::value::Value;
use crate::error::BoxedError as Error;
use crate::scene::Budget;

/// The deepest nesting of objects and arrays.
pub(crate) const DEPTH: usize = 128;

/// A parsed JSON text. Nothing is decoded yet: a token says what is where.
pub(crate) struct Json<'a> {
    pub(super) text: &'a str,
    /// The tokens of a value follow it, so that each value ends where the next one begins.
    pub(super) tokens: Vec<Token>,
    pub(super) budget: &'a Budget,
}

/// A value, or the name of a field. Four bytes of token per byte of text, at most. The first byte
/// in the text says what it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    /// The first byte of the text, which is the quote of a string.
    pub(super) start: u32,
    /// Of an array or object, the token after this one and all that it contains. Of others, the
    /// byte after the last one, with [`ESCAPED`] if it is a string with escapes.
    pub(super) end: u32,
}

/// The bit of a string's end that says whether it has escapes.
pub(super) const ESCAPED: u32 = 1 << 31;

impl<'a> Json<'a> {
    /// Parses a text. Its tokens count against the memory budget.
    pub(crate) fn parse(text: &'a [u8], budget: &'a Budget) -> Result<Self, Error> {
        if text.len() >= ESCAPED as usize {
            return Err(Error::invalid("the JSON", "less than 2 GiB", format!("{} bytes", text.len())));
        }
        let text = match std::str::from_utf8(text) {
            Ok(text) => text,
            Err(error) => {
                let valid = String::from_utf8_lossy(&text[..error.valid_up_to()]);
                let location = line_and_column(&valid, valid.len());
                return Err(Error::invalid(location, "text in UTF-8", "other bytes"));
            }
        };
        let tokens = parse(text, budget)?;
        Ok(Self { text, tokens, budget })
    }

    /// The value that the text is.
    pub(crate) fn root(&self) -> Value<'_> {
        Value::new(self, 0)
    }

    /// Subtracts bytes that are about to be allocated from the memory budget.
    pub(super) fn spend(&self, bytes: usize) -> Result<(), Error> {
        self.budget.spend_json(bytes as u64)
    }
}

/// A position in a text, for messages. Lines and columns count from one, columns in bytes.
pub(super) fn line_and_column(text: &str, at: usize) -> String {
    let before = &text.as_bytes()[..at.min(text.len())];
    let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
    let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
    format!("line {line}, column {}", before.len() - start + 1)
}
