//! Splits the text of a file into tokens: words, quoted strings, braces and parentheses.
//!
//! Whitespace has no meaning. Comments are `//` to the end of the line and `/* */`. A line ends
//! with `\n`, `\r\n` or `\r`. A quoted string has no escapes and ends on its line.

use std::borrow::Cow;
use std::fmt;

use crate::error::BoxedError as Error;
use crate::text_location::TextLocation;

/// A token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// A name or a number without quotes.
    Word(&'a [u8]),
    /// The text between quotes.
    Quoted(&'a [u8]),
    /// One of `(`, `)`, `{` and `}`.
    Punctuation(u8),
    /// The end of the file.
    End,
}

/// For error messages. Long words are cut, since a word may be as long as the file.
impl fmt::Display for Token<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LONGEST: usize = 40;
        let cut = |bytes: &[u8]| {
            let shown = &bytes[..bytes.len().min(LONGEST)];
            let more = if shown.len() < bytes.len() { "..." } else { "" };
            format!("{}{more}", decode_text(shown).escape_debug())
        };
        match *self {
            Token::Word(word) => write!(f, "`{}`", cut(word)),
            Token::Quoted(string) => write!(f, "the string \"{}\"", cut(string)),
            Token::Punctuation(mark) => write!(f, "`{}`", char::from(mark)),
            Token::End => f.write_str("the end of the file"),
        }
    }
}

/// A token and its location.
#[derive(Clone, Copy, Debug)]
pub(super) struct LocatedToken<'a> {
    pub(super) token: Token<'a>,
    pub(super) location: TextLocation,
}

impl LocatedToken<'_> {
    /// The error that this token is not what was expected.
    pub(super) fn unexpected(&self, expected: impl Into<String>) -> Error {
        Error::invalid(self.location.to_string(), expected, self.token.to_string())
    }
}

/// The text of a file, and the next token in it.
pub(super) struct Tokenizer<'a> {
    bytes: &'a [u8],
    /// The offset after the next token.
    at: usize,
    line: usize,
    line_start: usize,
    next: LocatedToken<'a>,
    /// The last line comment before the next token.
    comment: Option<&'a [u8]>,
}

/// The UTF-8 byte order mark that some editors write.
pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

impl<'a> Tokenizer<'a> {
    /// Starts at the first token, after a byte order mark.
    pub(super) fn new(bytes: &'a [u8]) -> Result<Self, Error> {
        let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
        let next = LocatedToken { token: Token::End, location: TextLocation::START };
        let mut text = Self { bytes, at: 0, line: 1, line_start: 0, next, comment: None };
        text.advance()?;
        Ok(text)
    }

    /// The next token, without passing it.
    pub(super) fn token(&self) -> Token<'a> {
        self.next.token
    }

    /// The location of the next token.
    pub(super) fn location(&self) -> TextLocation {
        self.next.location
    }

    /// The next token with its location, for errors that are found later.
    pub(super) fn located_token(&self) -> LocatedToken<'a> {
        self.next
    }

    /// The number of bytes after the next token.
    pub(super) fn bytes_left(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// The line comment right before the next token, without its slashes.
    pub(super) fn comment(&self) -> Option<Cow<'a, str>> {
        self.comment.map(|comment| decode_text(comment.trim_ascii()))
    }

    /// Passes and returns the next token.
    pub(super) fn take(&mut self) -> Result<Token<'a>, Error> {
        let token = self.next.token;
        self.advance()?;
        Ok(token)
    }

    /// The error that the next token is not what was expected.
    pub(super) fn unexpected(&self, expected: impl Into<String>) -> Error {
        self.next.unexpected(expected)
    }

    fn advance(&mut self) -> Result<(), Error> {
        self.comment = None;
        self.skip_space()?;
        self.next.location = self.here();
        let Some(&first) = self.bytes.get(self.at) else {
            self.next.token = Token::End;
            return Ok(());
        };
        self.next.token = match first {
            b'(' | b')' | b'{' | b'}' => {
                self.at += 1;
                Token::Punctuation(first)
            }
            b'"' => self.quoted()?,
            _ => self.word()?,
        };
        Ok(())
    }

    fn here(&self) -> TextLocation {
        let column = self.at - self.line_start + 1;
        TextLocation { line: self.line, column }
    }

    fn skip_space(&mut self) -> Result<(), Error> {
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'\n' | b'\r' => self.end_line(byte),
                b' ' | b'\t' | 0x0b | 0x0c => self.at += 1,
                b'/' if self.starts(b"//") => self.skip_line_comment(),
                b'/' if self.starts(b"/*") => self.skip_block_comment()?,
                _ => break,
            }
        }
        Ok(())
    }

    fn starts(&self, with: &[u8]) -> bool {
        self.bytes[self.at..].starts_with(with)
    }

    fn end_line(&mut self, byte: u8) {
        self.at += if byte == b'\r' && self.starts(b"\r\n") { 2 } else { 1 };
        self.line = self.line.saturating_add(1);
        self.line_start = self.at;
    }

    fn skip_line_comment(&mut self) {
        let start = self.at + 2;
        let rest = &self.bytes[start..];
        let len = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(rest.len());
        self.comment = Some(&rest[..len]);
        self.at = start + len;
    }

    fn skip_block_comment(&mut self) -> Result<(), Error> {
        let start = self.here();
        self.at += 2;
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'\n' | b'\r' => self.end_line(byte),
                b'*' if self.starts(b"*/") => {
                    self.at += 2;
                    return Ok(());
                }
                _ => self.at += 1,
            }
        }
        Err(Error::invalid(start.to_string(), "a comment that ends with `*/`", "one that does not end"))
    }

    fn quoted(&mut self) -> Result<Token<'a>, Error> {
        let rest = &self.bytes[self.at + 1..];
        let stop = rest.iter().position(|byte| matches!(byte, b'"' | b'\n' | b'\r' | 0));
        match stop.map(|len| (len, rest[len])) {
            Some((len, b'"')) => {
                self.at += len + 2;
                Ok(Token::Quoted(&rest[..len]))
            }
            Some((_, 0)) => {
                Err(Error::invalid(self.here().to_string(), "a string of text", "a string with a zero byte"))
            }
            _ => Err(Error::invalid(
                self.here().to_string(),
                "a string that ends on its line",
                "one without a second quote",
            )),
        }
    }

    fn word(&mut self) -> Result<Token<'a>, Error> {
        let rest = &self.bytes[self.at..];
        let ends = |at: usize| match rest[at] {
            b' ' | b'(' | b')' | b'{' | b'}' | b'"' | 0..=0x1f | 0x7f => true,
            b'/' => matches!(rest.get(at + 1), Some(b'/' | b'*')),
            _ => false,
        };
        let len = (0..rest.len()).find(|&at| ends(at)).unwrap_or(rest.len());
        if len == 0 {
            let found = format!("the byte 0x{:02x}", rest[0]);
            return Err(Error::invalid(self.here().to_string(), "text", found));
        }
        self.at += len;
        Ok(Token::Word(&rest[..len]))
    }
}

/// Decodes UTF-8, or Latin-1 if the bytes are not UTF-8: any bytes can be a name.
pub(super) fn decode_text(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|&byte| char::from(byte)).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &[u8]) -> Result<Vec<String>, String> {
        let mut text = Tokenizer::new(text).map_err(|error| error.to_string())?;
        let mut all = Vec::new();
        while text.token() != Token::End {
            let location = text.location();
            let token = text.take().map_err(|error| error.to_string())?;
            all.push(format!("{}:{} {token}", location.line, location.column));
        }
        Ok(all)
    }

    fn check(text: &[u8], expected: &[&str]) {
        assert_eq!(
            tokens(text).as_deref(),
            Ok(&expected.iter().map(|&s| s.to_owned()).collect::<Vec<_>>()[..])
        );
    }

    fn refused(text: &[u8], start: &str) {
        let found = tokens(text).expect_err("an error");
        assert!(found.starts_with(start), "{found}");
    }

    #[test]
    fn empty_text_has_no_tokens() {
        check(b"", &[]);
        check(b" \t\r\n\x0b\x0c", &[]);
    }

    #[test]
    fn words_are_separated_by_whitespace() {
        check(b"a bc\td", &["1:1 `a`", "1:3 `bc`", "1:6 `d`"]);
    }

    #[test]
    fn punctuation_needs_no_whitespace() {
        check(b"a(1){x}", &["1:1 `a`", "1:2 `(`", "1:3 `1`", "1:4 `)`", "1:5 `{`", "1:6 `x`", "1:7 `}`"]);
    }

    #[test]
    fn every_kind_of_line_end_counts_once() {
        check(b"a\nb\r\nc\rd\n\re", &["1:1 `a`", "2:1 `b`", "3:1 `c`", "4:1 `d`", "6:1 `e`"]);
    }

    #[test]
    fn comments_are_whitespace() {
        check(b"a// b\nc/* d\n*/e", &["1:1 `a`", "2:1 `c`", "3:3 `e`"]);
        check(b"a// b", &["1:1 `a`"]);
        check(b"// a\r\"b\"", &["2:1 the string \"b\""]);
    }

    #[test]
    fn one_slash_is_part_of_a_word() {
        check(b"a/b /c", &["1:1 `a/b`", "1:5 `/c`"]);
    }

    #[test]
    fn the_star_that_starts_a_comment_does_not_end_it() {
        refused(b"a /*/", "line 1, column 3: expected a comment that ends with `*/`");
        check(b"/**/a", &["1:5 `a`"]);
    }

    #[test]
    fn strings_contain_anything_but_quotes_and_line_ends() {
        check(b"\"a (b) // c\\\" d", &["1:1 the string \"a (b) // c\\\\\"", "1:15 `d`"]);
        check(b"\"\"", &["1:1 the string \"\""]);
    }

    #[test]
    fn a_string_must_end_on_its_line() {
        for text in [&b"a \"b"[..], b"a \"b\n\"", b"a \"b\r\""] {
            refused(text, "line 1, column 3: expected a string that ends on its line");
        }
    }

    #[test]
    fn a_string_ends_a_word() {
        check(b"a\"b\"c", &["1:1 `a`", "1:2 the string \"b\"", "1:5 `c`"]);
    }

    #[test]
    fn control_characters_are_refused() {
        refused(b"a\n\0", "line 2, column 1: expected text, found the byte 0x00");
        refused(b"a\x7f", "line 1, column 2: expected text, found the byte 0x7f");
        refused(b"\"a\0\"", "line 1, column 1: expected a string of text");
    }

    #[test]
    fn names_that_are_not_utf_8_are_latin_1() {
        check(b"\"\xc3\xa9\" \"\xe9\"", &["1:1 the string \"\u{e9}\"", "1:6 the string \"\u{e9}\""]);
    }

    #[test]
    fn a_byte_order_mark_is_skipped() {
        check(b"\xef\xbb\xbfa", &["1:1 `a`"]);
        check(b"a \xef\xbb\xbf", &["1:1 `a`", "1:3 `\\u{feff}`"]);
    }

    #[test]
    fn a_comment_is_kept_until_the_next_token() {
        let mut text = Tokenizer::new(b"a // b\n// meshes: c \nd e").expect("sound");
        assert_eq!(text.comment(), None);
        text.take().expect("a word");
        assert_eq!(text.comment().as_deref(), Some("meshes: c"));
        text.take().expect("a word");
        assert_eq!(text.comment(), None);
    }

    #[test]
    fn error_messages_cut_long_words() {
        let mut long = vec![b'4'; 100_000];
        assert_eq!(Token::Word(&long).to_string().len(), 2 + 40 + 3);
        long.push(b' ');
        let error = Tokenizer::new(&long).expect("sound").unexpected("less").to_string();
        assert_eq!(error.len(), "line 1, column 1: expected less, found ".len() + 45);
    }
}
