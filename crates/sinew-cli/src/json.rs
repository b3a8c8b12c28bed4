//! The JSON that the program prints: values, a macro that builds objects, and their text.

use std::fmt::{Display, Formatter, Result, Write};

/// A JSON value. The fields of an object keep their order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Null,
    Bool(bool),
    Integer(u64),
    /// `null` in the text if it is not finite.
    Float(f64),
    String(String),
    Array(Vec<Value>),
    Object(Vec<(String, Value)>),
}

impl Value {
    /// Adds a field to an object.
    pub(crate) fn push_field(&mut self, name: &str, value: impl ToJson) {
        if let Self::Object(fields) = self {
            fields.push((name.to_owned(), value.to_json()));
        }
    }
}

/// Builds an object from its fields: `json!({ "name": value, .. })`.
macro_rules! json {
    ({ $($name:literal: $value:expr),+ $(,)? }) => {
        $crate::json::Value::Object(vec![
            $(($name.to_owned(), $crate::json::ToJson::to_json(&$value))),+
        ])
    };
}
pub(crate) use json;

/// What a field can be.
pub(crate) trait ToJson {
    fn to_json(&self) -> Value;
}

impl ToJson for Value {
    fn to_json(&self) -> Value {
        self.clone()
    }
}

impl ToJson for bool {
    fn to_json(&self) -> Value {
        Value::Bool(*self)
    }
}

impl ToJson for usize {
    fn to_json(&self) -> Value {
        Value::Integer(*self as u64)
    }
}

impl ToJson for u32 {
    fn to_json(&self) -> Value {
        Value::Integer(u64::from(*self))
    }
}

impl ToJson for f64 {
    fn to_json(&self) -> Value {
        Value::Float(*self)
    }
}

impl ToJson for f32 {
    fn to_json(&self) -> Value {
        Value::Float(f64::from(*self))
    }
}

impl ToJson for str {
    fn to_json(&self) -> Value {
        Value::String(self.to_owned())
    }
}

impl ToJson for String {
    fn to_json(&self) -> Value {
        Value::String(self.clone())
    }
}

impl<T: ToJson> ToJson for Option<T> {
    fn to_json(&self) -> Value {
        self.as_ref().map_or(Value::Null, T::to_json)
    }
}

impl<T: ToJson> ToJson for [T] {
    fn to_json(&self) -> Value {
        Value::Array(self.iter().map(T::to_json).collect())
    }
}

impl<T: ToJson, const N: usize> ToJson for [T; N] {
    fn to_json(&self) -> Value {
        self[..].to_json()
    }
}

impl<T: ToJson> ToJson for Vec<T> {
    fn to_json(&self) -> Value {
        self[..].to_json()
    }
}

impl<T: ToJson + ?Sized> ToJson for &T {
    fn to_json(&self) -> Value {
        (**self).to_json()
    }
}

impl Display for Value {
    /// Each field and element on a line of its own, indented by two spaces for each level.
    fn fmt(&self, text: &mut Formatter<'_>) -> Result {
        self.write(text, 0)
    }
}

impl Value {
    fn write(&self, text: &mut Formatter<'_>, depth: usize) -> Result {
        match self {
            Self::Bool(value) => write!(text, "{value}"),
            Self::Integer(number) => write!(text, "{number}"),
            // The shortest digits that give the same number.
            Self::Float(number) if number.is_finite() => write!(text, "{number:?}"),
            Self::Null | Self::Float(_) => text.write_str("null"),
            Self::String(string) => write_string(text, string),
            Self::Array(elements) if elements.is_empty() => text.write_str("[]"),
            Self::Object(fields) if fields.is_empty() => text.write_str("{}"),
            Self::Array(elements) => {
                for (index, element) in elements.iter().enumerate() {
                    text.write_str(if index == 0 { "[" } else { "," })?;
                    write_line(text, depth + 1)?;
                    element.write(text, depth + 1)?;
                }
                write_line(text, depth)?;
                text.write_char(']')
            }
            Self::Object(fields) => {
                for (index, (name, value)) in fields.iter().enumerate() {
                    text.write_str(if index == 0 { "{" } else { "," })?;
                    write_line(text, depth + 1)?;
                    write_string(text, name)?;
                    text.write_str(": ")?;
                    value.write(text, depth + 1)?;
                }
                write_line(text, depth)?;
                text.write_char('}')
            }
        }
    }
}

/// A new line and its indentation.
fn write_line(text: &mut Formatter<'_>, depth: usize) -> Result {
    write!(text, "\n{:1$}", "", 2 * depth)
}

fn write_string(text: &mut Formatter<'_>, string: &str) -> Result {
    text.write_char('"')?;
    for character in string.chars() {
        match character {
            '"' => text.write_str("\\\"")?,
            '\\' => text.write_str("\\\\")?,
            '\n' => text.write_str("\\n")?,
            '\r' => text.write_str("\\r")?,
            '\t' => text.write_str("\\t")?,
            '\0'..='\x1f' => write!(text, "\\u{:04x}", u32::from(character))?,
            _ => text.write_char(character)?,
        }
    }
    text.write_char('"')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_what_another_parser_reads() {
        let none: Option<usize> = None;
        let strings = ["", "q\"\\/\n\r\t\u{8}\u{c}\u{1}\u{7f}\u{e9}{[:"];
        let numbers = [0.0, -0.0, 1.0, 0.1, -2.5, f64::NAN, f64::INFINITY];
        let empty: [Value; 0] = [];
        let mut value = json!({
            "b": true, "a": json!({ "none": none, "some": Some(7_u32) }), "empty": empty,
            "object": Value::Object(Vec::new()), "strings": strings, "numbers": numbers, "half": 0.5_f32,
        });
        value.push_field("last", usize::MAX);
        let parsed: serde_json::Value = serde_json::from_str(&value.to_string()).unwrap();
        let expected = serde_json::json!({
            "b": true, "a": { "none": null, "some": 7 }, "empty": [],
            "object": {}, "strings": strings, "numbers": numbers, "half": 0.5, "last": usize::MAX,
        });
        assert_eq!(parsed, expected);
        let names: Vec<_> = parsed.as_object().unwrap().keys().collect();
        assert_eq!(names, expected.as_object().unwrap().keys().collect::<Vec<_>>());
    }

    #[test]
    fn numbers_have_the_shortest_digits() {
        for (number, expected) in [(1e-7, "1e-7"), (1e300, "1e300"), (0.1, "0.1"), (3.0, "3.0")] {
            assert_eq!(number.to_json().to_string(), expected);
        }
        assert_eq!(0.1_f32.to_json().to_string(), "0.10000000149011612");
    }

    #[test]
    fn lines_are_indented() {
        let value = json!({ "a": [1_usize, 2], "b": json!({ "c": "d" }) });
        assert_eq!(
            value.to_string(),
            "{\n  \"a\": [\n    1,\n    2\n  ],\n  \"b\": {\n    \"c\": \"d\"\n  }\n}"
        );
    }
}
