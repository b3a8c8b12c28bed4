//! Reading of keywords, names and numbers.

use super::tokenizer::{Token, Tokenizer, decode_text};
use crate::error::BoxedError as Error;

impl Tokenizer<'_> {
    /// Passes a keyword.
    pub(super) fn keyword(&mut self, word: &str) -> Result<(), Error> {
        if self.token() != Token::Word(word.as_bytes()) {
            return Err(self.unexpected(format!("`{word}`")));
        }
        self.take().map(|_| ())
    }

    /// Passes a brace or parenthesis.
    pub(super) fn punctuation(&mut self, mark: u8) -> Result<(), Error> {
        if self.token() != Token::Punctuation(mark) {
            return Err(self.unexpected(format!("`{}`", char::from(mark))));
        }
        self.take().map(|_| ())
    }

    /// Reads a name, with or without quotes.
    pub(super) fn name(&mut self, what: &str) -> Result<String, Error> {
        match self.token() {
            Token::Word(name) | Token::Quoted(name) => {
                self.take()?;
                Ok(decode_text(name).into_owned())
            }
            _ => Err(self.unexpected(what)),
        }
    }

    /// Reads a finite number of at most [`LARGEST`].
    pub(super) fn number(&mut self, what: &str) -> Result<f64, Error> {
        let found = match self.token() {
            Token::Word(word) => number(word),
            _ => None,
        };
        let number =
            found.ok_or_else(|| self.unexpected(format!("{what}: a number of at most {LARGEST:e}")))?;
        self.take()?;
        Ok(number)
    }

    /// Reads numbers in parentheses.
    pub(super) fn vector<const N: usize>(&mut self, what: &str) -> Result<[f64; N], Error> {
        self.punctuation(b'(')?;
        let mut vector = [0.0; N];
        for component in &mut vector {
            *component = self.number(what)?;
        }
        self.punctuation(b')')?;
        Ok(vector)
    }

    /// Reads an integer.
    pub(super) fn integer(&mut self, what: &str) -> Result<i64, Error> {
        let integer = self.peek_integer().ok_or_else(|| self.unexpected(format!("an integer: {what}")))?;
        self.take()?;
        Ok(integer)
    }

    /// Reads the number of elements that follow, each at least `bytes` bytes long. A count that the
    /// rest of the file cannot hold is refused before anything is allocated.
    pub(super) fn count(&mut self, what: &str, bytes: usize) -> Result<usize, Error> {
        let most = self.bytes_left() / bytes;
        let found = self.peek_integer().and_then(|found| usize::try_from(found).ok());
        match found.filter(|&found| found <= most) {
            Some(found) => {
                self.take()?;
                Ok(found)
            }
            None => {
                Err(self
                    .unexpected(format!("{what}, from 0 to the {most} that the rest of the file can hold")))
            }
        }
    }

    /// Reads the index of one of `len` elements.
    pub(super) fn index(&mut self, what: &str, len: usize) -> Result<u32, Error> {
        let found = self.peek_integer().and_then(|found| u32::try_from(found).ok());
        match found.filter(|&found| (found as usize) < len) {
            Some(found) => {
                self.take()?;
                Ok(found)
            }
            None => Err(self.unexpected(format!("{what}, of which there are {len}"))),
        }
    }

    /// Passes the number at the start of a list entry; entries count from zero.
    pub(super) fn sequence_number(&mut self, what: &str, number: usize) -> Result<(), Error> {
        if self.peek_integer() != i64::try_from(number).ok() {
            return Err(self.unexpected(format!("{what} {number}")));
        }
        self.take().map(|_| ())
    }

    fn peek_integer(&self) -> Option<i64> {
        let Token::Word(word) = self.token() else { return None };
        let digits = word.strip_prefix(b"-").unwrap_or(word);
        if !digits.iter().all(u8::is_ascii_digit) {
            return None;
        }
        std::str::from_utf8(word).ok()?.parse().ok()
    }
}

/// The largest valid number, chosen so that no sum of products of two numbers overflows `f32`.
const LARGEST: f64 = 1e16;

/// Parses a number. Refuses `inf` and `nan`, which Rust would parse.
fn number(word: &[u8]) -> Option<f64> {
    if !word.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E')) {
        return None;
    }
    let number: f64 = std::str::from_utf8(word).ok()?.parse().ok()?;
    (number.abs() <= LARGEST).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Tokenizer<'_> {
        Tokenizer::new(text.as_bytes()).expect("tokens")
    }

    #[test]
    fn numbers_are_decimal_and_finite() {
        for (word, expected) in
            [("1", 1.0), ("-0.5", -0.5), ("+2.", 2.0), (".25", 0.25), ("1e-3", 0.001), ("-1e16", -1e16)]
        {
            assert_eq!(text(word).number("any").ok(), Some(expected), "{word}");
        }
        for word in [
            "nan",
            "inf",
            "-infinity",
            "1e999",
            "1.1e16",
            "1.2.3",
            "0,5",
            "0x1",
            "-",
            ".",
            "e",
            "1.#IND",
            "(",
        ] {
            assert!(text(word).number("any").is_err(), "{word}");
        }
    }

    #[test]
    fn integers_fit_their_type_or_are_refused() {
        assert_eq!(text("-12").integer("any").ok(), Some(-12));
        assert_eq!(text("9223372036854775807").integer("any").ok(), Some(i64::MAX));
        for word in ["1.0", "1e3", "+1", "-", "--1", "9223372036854775808", "word", "\"1\""] {
            assert!(text(word).integer("any").is_err(), "{word}");
        }
    }

    #[test]
    fn a_count_is_limited_by_the_rest_of_the_file() {
        assert_eq!(text("2 abcdef").count("letters", 3).ok(), Some(2));
        assert_eq!(text("0").count("letters", 3).ok(), Some(0));
        let found = text("3 abcdef").count("letters", 3).expect_err("too many").to_string();
        let expected = "line 1, column 1: expected letters, from 0 to the 2 that the rest of the file can hold, found `3`";
        assert_eq!(found, expected);
        for word in ["-1", "2147483648", "18446744073709551616", "1e30"] {
            assert!(text(word).count("letters", 1).is_err(), "{word}");
        }
    }

    #[test]
    fn an_index_is_below_the_length() {
        assert_eq!(text("4").index("joint", 5).ok(), Some(4));
        for word in ["5", "-1", "4294967296", "0.0"] {
            assert!(text(word).index("joint", 5).is_err(), "{word}");
        }
    }
}
