//! The tokens of a text, with their locations.

use crate::error::BoxedError as Error;
use crate::text_location::TextLocation;

/// Reads a text word by word. Tokens end at white space, and braces are tokens of their own.
#[derive(Clone)]
pub(super) struct Tokens<'a> {
    rest: &'a [u8],
    location: TextLocation,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a [u8]) -> Self {
        let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
        let mut tokens = Self { rest: text, location: TextLocation::START };
        tokens.skip_space();
        tokens
    }

    /// The location of the next word.
    pub(super) fn location(&self) -> TextLocation {
        self.location
    }

    /// The bytes that are left.
    pub(super) fn bytes_left(&self) -> usize {
        self.rest.len()
    }

    /// The next word; empty at the end of the text.
    pub(super) fn peek(&self) -> &'a [u8] {
        match self.rest {
            [brace @ (b'{' | b'}'), ..] => std::slice::from_ref(brace),
            rest => {
                let ends = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'{' | b'}');
                &rest[..rest.iter().position(ends).unwrap_or(rest.len())]
            }
        }
    }

    /// Takes the next word.
    pub(super) fn next_word(&mut self) -> &'a [u8] {
        let word = self.peek();
        self.advance(word.len());
        self.skip_space();
        word
    }

    /// Takes the next word if it is this one, in any case.
    pub(super) fn take(&mut self, word: &str) -> bool {
        let found = self.peek().eq_ignore_ascii_case(word.as_bytes());
        if found {
            self.next_word();
        }
        found
    }

    /// Takes this word, or fails.
    pub(super) fn expect(&mut self, word: &str) -> Result<(), Error> {
        if self.take(word) { Ok(()) } else { Err(self.unexpected(&format!("`{word}`"))) }
    }

    /// Takes the rest of the line without a brace at its end: a name, which may have spaces.
    pub(super) fn rest_of_line(&mut self) -> String {
        let ends = |byte: &u8| matches!(byte, b'\n' | b'\r' | b'{');
        let len = self.rest.iter().position(ends).unwrap_or(self.rest.len());
        let name = String::from_utf8_lossy(&self.rest[..len]).trim().to_owned();
        self.advance(len);
        self.skip_space();
        name
    }

    /// Takes a number. It may be infinite or not a number.
    pub(super) fn number(&mut self, what: &str) -> Result<f64, Error> {
        let word = std::str::from_utf8(self.peek()).ok().and_then(|word| word.parse().ok());
        let number = word.ok_or_else(|| self.unexpected(what))?;
        self.next_word();
        Ok(number)
    }

    /// Takes a number that is finite as a single.
    pub(super) fn finite_number(&mut self, what: &str) -> Result<f64, Error> {
        let word = self.clone();
        let number = self.number(what)?;
        if (number as f32).is_finite() { Ok(number) } else { Err(word.unexpected(what)) }
    }

    /// Takes a count of things of which each takes at least `least_bytes` bytes of the text.
    pub(super) fn count(&mut self, what: &str, least_bytes: usize) -> Result<usize, Error> {
        let word = std::str::from_utf8(self.peek()).ok().and_then(|word| word.parse::<u64>().ok());
        let count = word.ok_or_else(|| self.unexpected(what))?;
        let most = self.bytes_left() / least_bytes;
        if count > most as u64 {
            return Err(self.unexpected(&format!("{what}, at most {most}")));
        }
        self.next_word();
        Ok(count as usize)
    }

    /// An error about the next word.
    pub(super) fn unexpected(&self, expected: &str) -> Error {
        let found = match self.peek() {
            [] => "the end of the file".to_owned(),
            word => format!("`{}`", String::from_utf8_lossy(&word[..word.len().min(40)])),
        };
        Error::invalid(self.location.to_string(), expected, found)
    }

    fn skip_space(&mut self) {
        let len = self.rest.iter().position(|byte| !byte.is_ascii_whitespace());
        self.advance(len.unwrap_or(self.rest.len()));
    }

    fn advance(&mut self, len: usize) {
        let (passed, rest) = self.rest.split_at(len);
        self.rest = rest;
        match passed.iter().rposition(|&byte| byte == b'\n') {
            Some(last) => {
                self.location.line += passed.iter().filter(|&&byte| byte == b'\n').count();
                self.location.column = passed.len() - last;
            }
            None => self.location.column += passed.len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_locations() {
        let mut tokens = Tokens::new(b"\xEF\xBB\xBF ROOT left leg{\r\n\tOFFSET 1e1 -.5}");
        assert!(tokens.take("root"));
        assert_eq!(tokens.rest_of_line(), "left leg");
        assert_eq!(tokens.next_word(), b"{");
        assert_eq!(tokens.location().to_string(), "line 2, column 2");
        tokens.expect("OFFSET").unwrap();
        assert_eq!([tokens.number("x").unwrap(), tokens.number("y").unwrap()], [10.0, -0.5]);
        assert!(tokens.number("z").is_err_and(|error| error.to_string().contains("`}`")));
        assert_eq!(tokens.next_word(), b"}");
        assert!(tokens.unexpected("x").to_string().contains("end of the file"));
    }

    #[test]
    fn counts_are_limited_by_the_text() {
        assert_eq!(Tokens::new(b"3 1 1 1").count("numbers", 2).unwrap(), 3);
        for text in ["4 1 1 1", "-1", "1.5", "99999999999999999999", ""] {
            assert!(Tokens::new(text.as_bytes()).count("numbers", 2).is_err(), "{text}");
        }
    }
}
