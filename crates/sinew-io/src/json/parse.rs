//! Parses JSON text into tokens, without recursion.

use super::tokens::{DEPTH, ESCAPED, Token, line_and_column};
use crate::error::BoxedError as Error;
use crate::scene::Budget;

/// Parses a text into its tokens, whose memory counts against the budget.
pub(super) fn parse(text: &str, budget: &Budget) -> Result<Vec<Token>, Error> {
    let mut parser = Parser { bytes: text.as_bytes(), tokens: Vec::new(), open: Vec::new(), budget };
    parser.parse().map_err(|fault| fault.error(text))?;
    Ok(parser.tokens)
}

/// What is wrong with a text. Locations are formatted only for errors.
enum Fault {
    /// Something else is expected at this byte.
    Expected(usize, &'static str),
    /// The object or array that begins at this byte is too deep.
    Depth(usize),
    Memory(Error),
}

struct Parser<'a> {
    bytes: &'a [u8],
    tokens: Vec<Token>,
    /// The arrays and objects around the current value.
    open: Vec<u32>,
    budget: &'a Budget,
}

impl Parser<'_> {
    fn parse(&mut self) -> Result<(), Fault> {
        self.reserve(1 + mark_count(self.bytes).min(self.bytes.len() / 4))?;
        let mut at = 0;
        loop {
            let (after, is_open) = self.value(skip_space(self.bytes, at))?;
            at = after;
            if !is_open {
                match self.after_value(at)? {
                    Some(next) => at = next,
                    None => return Ok(()),
                }
            }
        }
    }

    /// Reads the value at a byte, or the start of an array or object that is not empty. Returns the
    /// byte after it, and whether there is a value inside of it to be read next.
    #[inline(always)]
    fn value(&mut self, at: usize) -> Result<(usize, bool), Fault> {
        let end = match self.bytes.get(at) {
            Some(b'"') => return self.string(at).map(|end| (end, false)),
            Some(b'-' | b'0'..=b'9') => number_end(self.bytes, at)?,
            Some(b'{') => {
                self.open(at)?;
                let inside = skip_space(self.bytes, at + 1);
                return match self.bytes.get(inside) {
                    Some(b'}') => Ok((inside, false)),
                    _ => self.name(inside).map(|end| (end, true)),
                };
            }
            Some(b'[') => {
                self.open(at)?;
                let inside = skip_space(self.bytes, at + 1);
                return Ok((inside, self.bytes.get(inside) != Some(&b']')));
            }
            Some(b't') => word_end(self.bytes, at, "true")?,
            Some(b'f') => word_end(self.bytes, at, "false")?,
            Some(b'n') => word_end(self.bytes, at, "null")?,
            _ => return Err(Fault::Expected(at, "a value")),
        };
        self.push(at, end as u32)?;
        Ok((end, false))
    }

    /// Reads what follows a value. Returns the byte where the next one is expected; `None` at the
    /// end of the text.
    #[inline(always)]
    fn after_value(&mut self, mut at: usize) -> Result<Option<usize>, Fault> {
        loop {
            at = skip_space(self.bytes, at);
            let next = self.bytes.get(at);
            let Some(&open) = self.open.last() else {
                return if next.is_none() {
                    Ok(None)
                } else {
                    Err(Fault::Expected(at, "the end of the text"))
                };
            };
            let is_object = self.bytes[self.tokens[open as usize].start as usize] == b'{';
            match next {
                Some(b',') if is_object => {
                    return self.name(skip_space(self.bytes, at + 1)).map(Some);
                }
                Some(b',') => return Ok(Some(at + 1)),
                Some(b'}') if is_object => {}
                Some(b']') if !is_object => {}
                _ if is_object => return Err(Fault::Expected(at, "a comma or the end of an object")),
                _ => return Err(Fault::Expected(at, "a comma or the end of an array")),
            }
            self.open.pop();
            self.tokens[open as usize].end = self.tokens.len() as u32;
            at += 1;
        }
    }

    fn open(&mut self, at: usize) -> Result<(), Fault> {
        if self.open.len() == DEPTH {
            return Err(Fault::Depth(at));
        }
        self.open.push(self.tokens.len() as u32);
        self.push(at, 0)
    }

    /// Reads the name of a field at a byte, and the colon after it. Returns the byte after that.
    #[inline(always)]
    fn name(&mut self, at: usize) -> Result<usize, Fault> {
        if self.bytes.get(at) != Some(&b'"') {
            return Err(Fault::Expected(at, "the name of a field"));
        }
        let end = self.string(at)?;
        let colon = skip_space(self.bytes, end);
        if self.bytes.get(colon) != Some(&b':') {
            return Err(Fault::Expected(colon, "a colon"));
        }
        Ok(colon + 1)
    }

    /// Reads the string whose quote is at a byte. Returns the byte after it.
    #[inline(always)]
    fn string(&mut self, at: usize) -> Result<usize, Fault> {
        let mut end = at + 1;
        end += plain_len(&self.bytes[end..]);
        let mut escaped = 0;
        if self.bytes.get(end) != Some(&b'"') {
            end = escaped_end(self.bytes, end)?;
            escaped = ESCAPED;
        }
        self.push(at, (end + 1) as u32 | escaped)?;
        Ok(end + 1)
    }

    #[inline(always)]
    fn push(&mut self, start: usize, end: u32) -> Result<(), Fault> {
        if self.tokens.len() == self.tokens.capacity() {
            self.reserve(self.tokens.len())?;
        }
        self.tokens.push(Token { start: start as u32, end });
        Ok(())
    }

    #[cold]
    fn reserve(&mut self, more: usize) -> Result<(), Fault> {
        self.budget.spend_json((more * size_of::<Token>()) as u64).map_err(Fault::Memory)?;
        self.tokens.reserve_exact(more);
        Ok(())
    }
}

impl Fault {
    #[cold]
    fn error(self, text: &str) -> Error {
        match self {
            Self::Expected(at, expected) => {
                let found = match text.get(at..).and_then(|rest| rest.chars().next()) {
                    Some(found) => format!("{found:?}"),
                    None => "the end of the text".to_owned(),
                };
                Error::invalid(line_and_column(text, at), expected, found)
            }
            Self::Depth(at) => {
                let expected = format!("at most {DEPTH} levels of nested objects and arrays");
                Error::invalid(line_and_column(text, at), expected, "more")
            }
            Self::Memory(error) => error,
        }
    }
}

/// The number of bytes that each token but the first follows one of. They may also be in strings.
fn mark_count(bytes: &[u8]) -> usize {
    // Sums of bytes compile to SIMD instructions. At most 255 of them fit.
    let marks_of_part = |part: &[u8]| {
        let mut marks = 0_u8;
        for byte in part {
            marks += u8::from((*byte == b',') | (*byte == b':') | (*byte == b'{') | (*byte == b'['));
        }
        usize::from(marks)
    };
    bytes.chunks(240).map(marks_of_part).sum()
}

/// The next byte that is no space.
#[inline(always)]
fn skip_space(bytes: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\n' | b'\r' | b'\t') = bytes.get(at) {
        at += 1;
    }
    at
}

/// The closing quote of a string, from the first byte of it that is special.
#[cold]
fn escaped_end(bytes: &[u8], mut end: usize) -> Result<usize, Fault> {
    loop {
        match bytes.get(end) {
            Some(b'"') => return Ok(end),
            Some(b'\\') => {
                end += match bytes.get(end + 1) {
                    Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => 2,
                    Some(b'u') if is_hex(bytes.get(end + 2..end + 6)) => 6,
                    _ => return Err(Fault::Expected(end, "an escape sequence of JSON")),
                };
            }
            _ => return Err(Fault::Expected(end, "the end of a string")),
        }
        end += plain_len(&bytes[end..]);
    }
}

/// The byte after the number that begins at a byte.
#[inline(always)]
fn number_end(bytes: &[u8], at: usize) -> Result<usize, Fault> {
    let digits_end = |mut at: usize| {
        while bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        at
    };
    let error = Fault::Expected(at, "a number");
    let first = at + usize::from(bytes[at] == b'-');
    let mut end = digits_end(first);
    if end == first || (end > first + 1 && bytes[first] == b'0') {
        return Err(error);
    }
    if bytes.get(end) == Some(&b'.') {
        let fraction = end + 1;
        end = digits_end(fraction);
        if end == fraction {
            return Err(error);
        }
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let exponent = end + 1 + usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        end = digits_end(exponent);
        if end == exponent {
            return Err(error);
        }
    }
    Ok(end)
}

fn word_end(bytes: &[u8], at: usize, word: &str) -> Result<usize, Fault> {
    if !bytes[at..].starts_with(word.as_bytes()) {
        return Err(Fault::Expected(at, "a value"));
    }
    Ok(at + word.len())
}

/// The number of bytes before a quote, a backslash or a control character.
#[inline(always)]
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
    fn marks_are_counted() {
        for len in [0, 1, 239, 240, 241, 1000] {
            for mark in b",:{[" {
                assert_eq!(mark_count(&vec![*mark; len]), len);
            }
            assert_eq!(mark_count(&vec![b'a'; len]), 0);
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
