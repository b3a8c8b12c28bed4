//! Parses JSON text into tokens, without recursion.

use super::tokens::{DEPTH, Kind, Token, line_and_column};
use crate::Error;
use crate::scene::Budget;

pub(super) struct Parser<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    tokens: Vec<Token>,
    /// The arrays and objects around the current value.
    open: Vec<u32>,
    budget: &'a Budget,
}

impl<'a> Parser<'a> {
    pub(super) fn new(text: &'a str, budget: &'a Budget) -> Self {
        Self { text, bytes: text.as_bytes(), at: 0, tokens: Vec::new(), open: Vec::new(), budget }
    }

    pub(super) fn parse(mut self) -> Result<Vec<Token>, Error> {
        // Each token but the first follows one of these bytes, which may also be in strings.
        let marks = self.bytes.iter().filter(|byte| matches!(byte, b',' | b':' | b'{' | b'['));
        self.reserve(1 + marks.count().min(self.bytes.len() / 4))?;
        loop {
            let is_open = self.value()?;
            if !is_open && self.after_value()? {
                return Ok(self.tokens);
            }
        }
    }

    /// Reads a value, or the start of an array or object that is not empty. Returns whether there
    /// is a value inside of it to be read next.
    fn value(&mut self) -> Result<bool, Error> {
        match self.peek() {
            Some(b'"') => self.string().map(|()| false),
            Some(b'-' | b'0'..=b'9') => self.number().map(|()| false),
            Some(b'{') => {
                self.open(Kind::Object)?;
                if self.peek() == Some(b'}') {
                    return Ok(false);
                }
                self.name().map(|()| true)
            }
            Some(b'[') => {
                self.open(Kind::Array)?;
                Ok(self.peek() != Some(b']'))
            }
            Some(b't') => self.word("true", Kind::True).map(|()| false),
            Some(b'f') => self.word("false", Kind::False).map(|()| false),
            Some(b'n') => self.word("null", Kind::Null).map(|()| false),
            _ => Err(self.error("a value")),
        }
    }

    /// Reads what follows a value, up to the next one. Returns whether the text ends.
    fn after_value(&mut self) -> Result<bool, Error> {
        loop {
            let next = self.peek();
            let Some(&open) = self.open.last() else {
                return if next.is_none() { Ok(true) } else { Err(self.error("the end of the text")) };
            };
            let is_object = self.tokens[open as usize].kind == Kind::Object;
            match next {
                // There is no comma after an opening bracket, as `value` reads the value there.
                Some(b',') if self.tokens.len() > open as usize + 1 => {
                    self.at += 1;
                    if is_object {
                        self.name()?;
                    }
                    return Ok(false);
                }
                Some(b'}') if is_object => self.close(),
                Some(b']') if !is_object => self.close(),
                _ if is_object => return Err(self.error("a comma or the end of an object")),
                _ => return Err(self.error("a comma or the end of an array")),
            }
        }
    }

    fn open(&mut self, kind: Kind) -> Result<(), Error> {
        if self.open.len() == DEPTH {
            let expected = format!("at most {DEPTH} levels of nested objects and arrays");
            return Err(Error::invalid(line_and_column(self.text, self.at), expected, "more"));
        }
        self.open.push(self.tokens.len() as u32);
        self.push(kind, self.at + 1)
    }

    fn close(&mut self) {
        self.at += 1;
        if let Some(open) = self.open.pop() {
            let next = self.tokens.len() as u32;
            let token = &mut self.tokens[open as usize];
            (token.end, token.next) = (self.at as u32, next);
        }
    }

    /// Reads the name of a field and the colon after it.
    fn name(&mut self) -> Result<(), Error> {
        if self.peek() != Some(b'"') {
            return Err(self.error("the name of a field"));
        }
        self.string()?;
        if self.peek() != Some(b':') {
            return Err(self.error("a colon"));
        }
        self.at += 1;
        Ok(())
    }

    fn string(&mut self) -> Result<(), Error> {
        let (mut end, mut kind) = (self.at + 1, Kind::Plain);
        loop {
            end += plain_len(&self.bytes[end.min(self.bytes.len())..]);
            match self.bytes.get(end) {
                Some(b'"') => return self.push(kind, end + 1),
                Some(b'\\') => {
                    kind = Kind::Escaped;
                    end += match self.bytes.get(end + 1) {
                        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => 2,
                        Some(b'u') if is_hex(self.bytes.get(end + 2..end + 6)) => 6,
                        _ => return Err(self.error_at(end, "an escape sequence of JSON")),
                    };
                }
                _ => return Err(self.error_at(end, "the end of a string")),
            }
        }
    }

    fn number(&mut self) -> Result<(), Error> {
        let digits = |from: usize| self.bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let mut end = self.at + usize::from(self.bytes[self.at] == b'-');
        let whole = digits(end);
        if whole == 0 || (whole > 1 && self.bytes[end] == b'0') {
            return Err(self.error("a number"));
        }
        end += whole;
        if self.bytes.get(end) == Some(&b'.') {
            let fraction = digits(end + 1);
            if fraction == 0 {
                return Err(self.error("a number"));
            }
            end += 1 + fraction;
        }
        if matches!(self.bytes.get(end), Some(b'e' | b'E')) {
            end += 1 + usize::from(matches!(self.bytes.get(end + 1), Some(b'+' | b'-')));
            let exponent = digits(end.min(self.bytes.len()));
            if exponent == 0 {
                return Err(self.error("a number"));
            }
            end += exponent;
        }
        self.push(Kind::Number, end)
    }

    fn word(&mut self, word: &str, kind: Kind) -> Result<(), Error> {
        if !self.bytes[self.at..].starts_with(word.as_bytes()) {
            return Err(self.error("a value"));
        }
        self.push(kind, self.at + word.len())
    }

    /// Adds a token that ends at a byte, and goes on there.
    fn push(&mut self, kind: Kind, end: usize) -> Result<(), Error> {
        if self.tokens.len() == self.tokens.capacity() {
            self.reserve(self.tokens.len())?;
        }
        let next = self.tokens.len() as u32 + 1;
        self.tokens.push(Token { kind, start: self.at as u32, end: end as u32, next });
        self.at = end;
        Ok(())
    }

    fn reserve(&mut self, more: usize) -> Result<(), Error> {
        self.budget.spend_json((more * size_of::<Token>()) as u64)?;
        self.tokens.reserve_exact(more);
        Ok(())
    }

    /// The next byte that is no space.
    fn peek(&mut self) -> Option<u8> {
        loop {
            match self.bytes.get(self.at) {
                Some(b' ' | b'\n' | b'\r' | b'\t') => self.at += 1,
                byte => return byte.copied(),
            }
        }
    }

    fn error(&self, expected: &str) -> Error {
        self.error_at(self.at, expected)
    }

    fn error_at(&self, at: usize, expected: &str) -> Error {
        let found = match self.text.get(at..).and_then(|rest| rest.chars().next()) {
            Some(found) => format!("{found:?}"),
            None => "the end of the text".to_owned(),
        };
        Error::invalid(line_and_column(self.text, at), expected, found)
    }
}

/// The number of bytes before a quote, a backslash or a control character.
fn plain_len(bytes: &[u8]) -> usize {
    const EACH: u64 = u64::from_le_bytes([1; 8]);
    // The high bit of each byte that is less than `limit`, for bytes below 128; bits above the
    // first such byte may be wrong.
    let below = |word: u64, limit: u64| word.wrapping_sub(limit * EACH) & !word & (128 * EACH);
    let equal = |word: u64, byte: u8| below(word ^ (u64::from(byte) * EACH), 1);
    let (words, rest) = bytes.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let special = equal(word, b'"') | equal(word, b'\\') | below(word, 32);
        if special != 0 {
            return 8 * index + special.trailing_zeros() as usize / 8;
        }
    }
    let is_special = |byte: &u8| *byte == b'"' || *byte == b'\\' || *byte < b' ';
    bytes.len() - rest.len() + rest.iter().position(is_special).unwrap_or(rest.len())
}

fn is_hex(digits: Option<&[u8]>) -> bool {
    digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
}

#[cfg(test)]
mod tests {
    use super::super::Json;
    use super::*;
    use crate::ImportOptions;

    fn error(text: &str) -> Option<String> {
        let budget = Budget::new(&ImportOptions::default(), 0);
        Json::parse(text.as_bytes(), &budget).err().map(|error| error.to_string())
    }

    #[test]
    fn valid_texts_are_parsed() {
        let texts = [
            "0",
            "-0.5e+10",
            "1E9",
            "12",
            "\"\"",
            "\"\\u00e9\\n\"",
            "true",
            "false",
            "null",
            "[]",
            "{}",
            " [ ] ",
            "[1,2 , 3]",
            "{\"a\":1,\"b\":[{}]}",
            "\r\n\t{\"\":\"\"}",
            "[[],[[]],{\"a\":{}}]",
        ];
        for text in texts {
            assert_eq!(error(text), None, "{text}");
            assert!(serde_json::from_str::<serde_json::Value>(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn other_texts_are_refused() {
        let texts = [
            "",
            " ",
            "[",
            "{",
            "]",
            "[,]",
            "[1,]",
            "[,1]",
            "[1 2]",
            "{\"a\"}",
            "{\"a\":}",
            "{\"a\":1,}",
            "{,}",
            "{a:1}",
            "[}",
            "{]",
            "1 1",
            "01",
            "-",
            "1.",
            ".5",
            "1e",
            "1e+",
            "+1",
            "tru",
            "nul",
            "NaN",
            "'a'",
            "\"",
            "\"\n\"",
            "\"\\x\"",
            "\"\\u12g4\"",
            "\"\\u12",
            "[1]]",
            "{\"a\":1}}",
            "//",
            "[1,2",
            "{\"a\":[1}",
        ];
        for text in texts {
            assert!(error(text).is_some(), "{text}");
            assert!(serde_json::from_str::<serde_json::Value>(text).is_err(), "{text}");
        }
    }

    #[test]
    fn strings_end_at_the_first_special_byte() {
        for len in 0..40 {
            for special in [b'"', b'\\', 0, 31] {
                for plain in [b' ', b'!', 0x7f, 0x80, 0xff] {
                    let mut bytes = vec![plain; len];
                    assert_eq!(plain_len(&bytes), len);
                    bytes.extend([special, b'"', plain, 0]);
                    bytes.resize(len + 20, b'"');
                    assert_eq!(plain_len(&bytes), len, "{special} after {plain}");
                }
            }
        }
    }

    #[test]
    fn errors_name_line_and_column() {
        assert_eq!(
            error("[1,\n  2 x]").unwrap(),
            "line 2, column 5: expected a comma or the end of an array, found 'x'"
        );
        assert_eq!(
            error("{\"a\":").unwrap(),
            "line 1, column 6: expected a value, found the end of the text"
        );
        let budget = Budget::new(&ImportOptions::default(), 0);
        let invalid = Json::parse(b"\"\xff\"", &budget).err().unwrap().to_string();
        assert_eq!(invalid, "line 1, column 2: expected text in UTF-8, found other bytes");
    }

    fn is_valid(text: &str) -> bool {
        serde_json::from_str::<&serde_json::value::RawValue>(text).is_ok()
    }

    #[test]
    fn texts_agree_with_another_parser() {
        // Short texts of few characters cover most of the grammar.
        let letters = b"[]{},:\"\\0-1.eut ";
        let mut text = Vec::new();
        for number in 0_u64..300_000 {
            text.clear();
            let mut rest = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
            for _ in 0..1 + number % 8 {
                text.push(letters[(rest >> 60) as usize]);
                rest = rest.wrapping_mul(0xD129_0B26_8C1B_52C5).wrapping_add(1);
            }
            let text = std::str::from_utf8(&text).unwrap();
            let expected = is_valid(text);
            assert_eq!(error(text).is_none(), expected, "{text}");
        }
    }
}
