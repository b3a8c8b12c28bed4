//! One value of a JSON text.

use std::borrow::Cow;

use super::tokens::{ESCAPED, Json, Token, line_and_column};
use crate::error::BoxedError as Error;

/// The most characters of a value in a message.
const SHOWN: usize = 40;

/// A value of a JSON text.
#[derive(Clone, Copy)]
pub(crate) struct Value<'a> {
    json: &'a Json<'a>,
    token: usize,
}

impl<'a> Value<'a> {
    #[inline(always)]
    pub(super) fn new(json: &'a Json<'a>, token: usize) -> Self {
        Self { json, token }
    }

    /// The number of the value's token. It fits: each takes a byte of the text or more, which has less than 2^31.
    #[inline(always)]
    pub(super) fn token_number(self) -> u32 {
        self.token as u32
    }

    /// Another value of the same text.
    #[inline(always)]
    pub(super) fn at_token(self, token: u32) -> Self {
        Self { token: token as usize, ..self }
    }

    #[inline(always)]
    fn token(self) -> Token {
        self.json.tokens[self.token]
    }

    /// The first byte of the text, which says what the value is.
    #[inline(always)]
    fn first_byte(self) -> u8 {
        self.json.text.as_bytes()[self.token().start as usize]
    }

    #[inline(always)]
    fn is_number(self) -> bool {
        matches!(self.first_byte(), b'-' | b'0'..=b'9')
    }

    /// The token after this one and all that it contains.
    #[inline(always)]
    fn next_token(self) -> usize {
        if matches!(self.first_byte(), b'{' | b'[') { self.token().end as usize } else { self.token + 1 }
    }

    /// The JSON text of the value.
    pub(crate) fn text(self) -> &'a str {
        &self.json.text[self.token().start as usize..self.text_end()]
    }

    /// The byte after the text of the value.
    fn text_end(self) -> usize {
        if !matches!(self.first_byte(), b'{' | b'[') {
            return (self.token().end & !ESCAPED) as usize;
        }
        // The last value inside of it, of which there may be the last one inside, and so on. After
        // its text, there are spaces and the closing bracket of each.
        let (mut last, mut brackets) = (self, 0);
        let mut end = loop {
            brackets += 1;
            let inside = Items { json: self.json, token: last.token + 1, end: last.token().end as usize };
            let Some(value) = inside.last() else { break last.token().start as usize + 1 };
            last = value;
            if !matches!(last.first_byte(), b'{' | b'[') {
                break (last.token().end & !ESCAPED) as usize;
            }
        };
        let bytes = self.json.text.as_bytes();
        while brackets > 0 {
            brackets -= usize::from(matches!(bytes[end], b'}' | b']'));
            end += 1;
        }
        end
    }

    pub(crate) fn is_null(self) -> bool {
        self.first_byte() == b'n'
    }

    /// An error about the value: what is expected in its place.
    pub(crate) fn error(self, expected: &str) -> Error {
        Error::invalid(self.location(), expected, self.shown())
    }

    /// The line and column where the value begins.
    pub(crate) fn location(self) -> String {
        line_and_column(self.json.text, self.token().start as usize)
    }

    /// The value for messages: its text, shortened.
    pub(crate) fn shown(self) -> String {
        let (first, text) = (self.first_byte(), self.text());
        match first {
            b'[' => "an array".to_owned(),
            b'{' => "an object".to_owned(),
            _ if text.chars().nth(SHOWN).is_none() => text.to_owned(),
            _ => format!("{}...", text.chars().take(SHOWN).collect::<String>()),
        }
    }

    pub(crate) fn bool(self) -> Result<bool, Error> {
        match self.first_byte() {
            b't' => Ok(true),
            b'f' => Ok(false),
            _ => Err(self.error("true or false")),
        }
    }

    /// An integer that is not negative.
    pub(crate) fn u64(self) -> Result<u64, Error> {
        let error = || self.error("an integer that is not negative");
        if !self.is_number() {
            return Err(error());
        }
        let Token { start, end } = self.token();
        let digits = &self.json.text.as_bytes()[start as usize..end as usize];
        // Numbers that cannot overflow are read here, and the others by the standard library.
        let mut number = 0;
        for &byte in digits.iter().take(19) {
            if !byte.is_ascii_digit() {
                return Err(error());
            }
            number = 10 * number + u64::from(byte - b'0');
        }
        if digits.len() < 20 { Ok(number) } else { self.text().parse().map_err(|_| error()) }
    }

    /// A number that 64 bits can represent.
    pub(crate) fn f64(self) -> Result<f64, Error> {
        let number = if self.is_number() { self.text().parse().ok() } else { None };
        number.filter(|number: &f64| number.is_finite()).ok_or_else(|| self.error("a number"))
    }

    /// The nearest number of 32 bits.
    pub(crate) fn f32(self) -> Result<f32, Error> {
        self.f64().map(|number| number as f32)
    }

    pub(crate) fn str(self) -> Result<Cow<'a, str>, Error> {
        match self.first_byte() {
            b'"' if self.is_escaped() => self.unescaped().map(Cow::Owned),
            b'"' => Ok(Cow::Borrowed(self.inside_quotes())),
            _ => Err(self.error("a string")),
        }
    }

    /// Refuses what is not a string.
    pub(crate) fn check_string(self) -> Result<(), Error> {
        match self.first_byte() {
            b'"' if !self.is_escaped() => Ok(()),
            _ => self.str().map(drop),
        }
    }

    /// The string, copied.
    pub(crate) fn string(self) -> Result<String, Error> {
        self.str().map(Cow::into_owned)
    }

    /// The elements of an array.
    pub(crate) fn items(self) -> Result<Items<'a>, Error> {
        match self.first_byte() {
            b'[' => Ok(Items { json: self.json, token: self.token + 1, end: self.token().end as usize }),
            _ => Err(self.error("an array")),
        }
    }

    /// Exactly `N` numbers.
    pub(crate) fn numbers<const N: usize>(self) -> Result<[f32; N], Error> {
        let mut numbers = [0.0; N];
        self.read_numbers(&mut numbers)?;
        Ok(numbers)
    }

    fn read_numbers(self, numbers: &mut [f32]) -> Result<(), Error> {
        let mut items = self.items()?;
        for number in &mut *numbers {
            let Some(item) = items.next() else { return Err(self.count_error(numbers.len())) };
            *number = item.f32()?;
        }
        if items.next().is_some() { Err(self.count_error(numbers.len())) } else { Ok(()) }
    }

    fn count_error(self, expected: usize) -> Error {
        let found = self.items().map_or(0, Iterator::count);
        Error::invalid(self.location(), format!("{expected} numbers"), found.to_string())
    }

    /// All elements of an array, whose memory counts against the budget.
    pub(crate) fn array<T>(self, read: impl Fn(Value<'a>) -> Result<T, Error>) -> Result<Vec<T>, Error> {
        let mut elements = Vec::new();
        let items = self.items()?;
        let count = items.clone().count();
        self.json.spend(count.saturating_mul(size_of::<T>()))?;
        elements.reserve_exact(count);
        for item in items {
            elements.push(read(item)?);
        }
        Ok(elements)
    }

    /// Subtracts bytes that are about to be allocated from the memory budget.
    pub(crate) fn spend(self, bytes: usize) -> Result<(), Error> {
        self.json.spend(bytes)
    }

    /// The names and values of an object.
    pub(crate) fn entries(self) -> Result<Entries<'a>, Error> {
        self.items_of_object().map(|items| Entries { items })
    }

    fn items_of_object(self) -> Result<Items<'a>, Error> {
        match self.first_byte() {
            b'{' => Ok(Items { json: self.json, token: self.token + 1, end: self.token().end as usize }),
            _ => Err(self.error("an object")),
        }
    }

    /// The first field with a name; `None` also if this is no object.
    pub(crate) fn get(self, name: &str) -> Option<Value<'a>> {
        self.entries().ok()?.find(|(found, _)| found.is(name)).map(|(_, value)| value)
    }

    /// Whether it is this string. Most names of fields have no escapes, and are compared where they
    /// are.
    #[inline(always)]
    pub(crate) fn is(self, string: &str) -> bool {
        let Token { start, end } = self.token();
        if end & ESCAPED != 0 {
            return self.lossy_str() == string;
        }
        let (start, end) = (start as usize + 1, end as usize - 1);
        end - start == string.len() && is_equal(&self.json.text.as_bytes()[start..end], string.as_bytes())
    }

    /// The string, or its text if an escape is invalid.
    #[cold]
    fn lossy_str(self) -> Cow<'a, str> {
        self.str().unwrap_or(Cow::Borrowed(self.text()))
    }

    fn is_escaped(self) -> bool {
        self.token().end & ESCAPED != 0
    }

    fn inside_quotes(self) -> &'a str {
        let Token { start, end } = self.token();
        &self.json.text[start as usize + 1..(end & !ESCAPED) as usize - 1]
    }

    fn unescaped(self) -> Result<String, Error> {
        let mut rest = self.inside_quotes();
        let mut string = String::with_capacity(rest.len());
        while let Some((plain, escape)) = rest.split_once('\\') {
            string.push_str(plain);
            let (character, len) = match escape.as_bytes()[0] {
                b'b' => ('\u{8}', 1),
                b'f' => ('\u{c}', 1),
                b'n' => ('\n', 1),
                b'r' => ('\r', 1),
                b't' => ('\t', 1),
                b'u' => unicode_escape(escape).ok_or_else(|| self.error("pairs of surrogates"))?,
                byte => (char::from(byte), 1),
            };
            string.push(character);
            rest = &escape[len..];
        }
        string.push_str(rest);
        Ok(string)
    }
}

/// Whether two texts of the same length are equal. Up to 16 bytes, as most names have, are compared
/// here: calls of the standard library take longer than that.
#[inline(always)]
fn is_equal(a: &[u8], b: &[u8]) -> bool {
    match a.len() {
        8..=16 => (a.first_chunk::<8>(), a.last_chunk::<8>()) == (b.first_chunk::<8>(), b.last_chunk::<8>()),
        4..8 => (a.first_chunk::<4>(), a.last_chunk::<4>()) == (b.first_chunk::<4>(), b.last_chunk::<4>()),
        _ => a == b,
    }
}

/// The character of an escape that begins with `u`, and the number of its bytes: five, or eleven
/// for a pair of surrogates. `None` for half of a pair.
fn unicode_escape(escape: &str) -> Option<(char, usize)> {
    let unit = |at: usize| u16::from_str_radix(escape.get(at..at + 4)?, 16).ok();
    let first = unit(1)?;
    if let Some(character) = char::from_u32(first.into()) {
        return Some((character, 5));
    }
    let second = if escape.get(5..7) == Some("\\u") { unit(7)? } else { return None };
    let character = char::decode_utf16([first, second]).next()?.ok()?;
    Some((character, 11))
}

/// The elements of an array.
#[derive(Clone)]
pub(crate) struct Items<'a> {
    json: &'a Json<'a>,
    token: usize,
    end: usize,
}

impl<'a> Items<'a> {
    #[inline(always)]
    fn next_item(&mut self) -> Option<Value<'a>> {
        if self.token >= self.end {
            return None;
        }
        let value = Value::new(self.json, self.token);
        self.token = value.next_token();
        Some(value)
    }
}

impl<'a> Iterator for Items<'a> {
    type Item = Value<'a>;

    fn next(&mut self) -> Option<Value<'a>> {
        self.next_item()
    }
}

/// The names and values of an object.
pub(crate) struct Entries<'a> {
    items: Items<'a>,
}

impl<'a> Entries<'a> {
    #[inline(always)]
    pub(super) fn next_entry(&mut self) -> Option<(Value<'a>, Value<'a>)> {
        Some((self.items.next_item()?, self.items.next_item()?))
    }
}

impl<'a> Iterator for Entries<'a> {
    type Item = (Value<'a>, Value<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        self.next_entry()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ImportOptions;
    use crate::scene::Budget;

    fn with_value<T>(text: &str, act: impl FnOnce(Value<'_>) -> T) -> T {
        let budget = Budget::new(&ImportOptions::default(), 0);
        act(Json::parse(text.as_bytes(), &budget).unwrap().root())
    }

    #[test]
    fn strings_are_unescaped() {
        let string = |text: &str| with_value(text, |value| value.string().ok());
        assert_eq!(
            string(r#""a\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00z""#).unwrap(),
            "a\"\\/\u{8}\u{c}\n\r\t\u{e9}\u{1f600}z"
        );
        for text in [r#""\ud800""#, r#""\ud83dx""#, r#""\ude00\ud83d""#, "1", "null"] {
            assert_eq!(string(text), None, "{text}");
        }
    }

    #[test]
    fn text_of_a_value_ends_with_its_brackets() {
        let texts = ["[]", "{}", "[ ]", "[1]", "[ 1 , \"]\" ]", "{\"a\":[{},[ [ ] ] ] }", "[[[\"\\\"\"]]\n]"];
        for text in texts {
            for around in ["{}", "[{},2]", "{\"x\" : {} , \"y\":[]}", "[[{} ] ]"] {
                let whole = around.replacen("{}", text, 1);
                with_value(&whole, |value| {
                    assert_eq!(value.text(), whole);
                    for token in 0..value.json.tokens.len() {
                        let text = Value::new(value.json, token).text();
                        assert!(serde_json::from_str::<serde_json::Value>(text).is_ok(), "{text} of {whole}");
                        assert_eq!(text, text.trim());
                    }
                });
            }
        }
    }

    #[test]
    fn numbers_are_exact_or_refused() {
        let float = |text: &str| with_value(text, |value| value.f64().ok());
        assert_eq!([float("0.1"), float("-1e-5"), float("3")], [Some(0.1), Some(-1e-5), Some(3.0)]);
        assert_eq!([float("1e999"), float("\"1\""), float("null")], [None; 3]);
        let integer = |text: &str| with_value(text, |value| value.u64().ok());
        assert_eq!([integer("18446744073709551615"), integer("0")], [Some(u64::MAX), Some(0)]);
        assert_eq!(integer("9999999999999999999"), Some(9_999_999_999_999_999_999));
        assert_eq!([integer("\"7\""), integer("[7]"), integer("{}")], [None; 3]);
        assert_eq!(
            [integer("18446744073709551616"), integer("-1"), integer("1.0"), integer("1e3")],
            [None; 4]
        );
    }

    #[test]
    fn strings_are_compared_whole() {
        let name = "abcdefghijklmnopqrst";
        for len in 0..name.len() {
            with_value(&format!("\"{}\"", &name[..len]), |value| {
                for other in 0..name.len() {
                    assert_eq!(value.is(&name[..other]), len == other);
                }
                for at in 0..len {
                    let other = format!("{}-{}", &name[..at], &name[at + 1..len]);
                    assert!(!value.is(&other), "{other}");
                }
            });
        }
    }

    #[test]
    fn elements_and_fields_are_found() {
        with_value(r#"{"a":[1,[2],{"b":3}],"\u0063":[[],4]}"#, |value| {
            let a = value.get("a").unwrap();
            assert_eq!(a.items().unwrap().map(Value::text).collect::<Vec<_>>(), ["1", "[2]", "{\"b\":3}"]);
            assert_eq!(value.get("c").unwrap().text(), "[[],4]");
            assert!(value.get("b").is_none() && a.get("b").is_none());
            assert!(a.items().unwrap().last().unwrap().get("b").unwrap().numbers::<1>().is_err());
            assert_eq!(
                value.get("c").unwrap().array(Value::u64).unwrap_err().to_string(),
                "line 1, column 32: expected an integer that is not negative, found an array"
            );
        });
        with_value("[1,2.5]", |value| {
            assert_eq!(value.numbers().unwrap(), [1.0, 2.5]);
            assert_eq!(
                value.numbers::<3>().unwrap_err().to_string(),
                "line 1, column 1: expected 3 numbers, found 2"
            );
            assert!(value.numbers::<1>().is_err());
        });
    }
}
