//! Writes compact JSON whose bytes depend on nothing but the values: numbers have all digits and no
//! exponents, and control characters are written as `\uXXXX`.

use std::fmt::{Display, Write};

/// JSON text while it is written. Fields that would hold nothing are left out: glTF forbids empty
/// arrays.
#[derive(Debug, Default)]
pub(crate) struct JsonWriter {
    text: String,
}

impl JsonWriter {
    pub(crate) fn into_text(self) -> String {
        self.text
    }

    /// Writes a comma, unless this is the first element, the first field, or the value of a field.
    fn separate(&mut self) {
        if !matches!(self.text.as_bytes().last(), None | Some(b'{' | b'[' | b':')) {
            self.text.push(',');
        }
    }

    /// Begins the field of an object; its value comes next.
    pub(crate) fn name(&mut self, name: &str) {
        self.value_str(name);
        self.text.push(':');
    }

    pub(crate) fn begin_object(&mut self) {
        self.separate();
        self.text.push('{');
    }

    pub(crate) fn end_object(&mut self) {
        self.text.push('}');
    }

    pub(crate) fn begin_array(&mut self) {
        self.separate();
        self.text.push('[');
    }

    pub(crate) fn end_array(&mut self) {
        self.text.push(']');
    }

    /// A value that is JSON text already.
    pub(crate) fn value_raw(&mut self, json: &str) {
        self.separate();
        self.text.push_str(json);
    }

    pub(crate) fn value_str(&mut self, string: &str) {
        self.separate();
        self.text.push('"');
        for character in string.chars() {
            match character {
                '"' => self.text.push_str("\\\""),
                '\\' => self.text.push_str("\\\\"),
                '\0'..='\x1f' => self.push(format_args!("\\u{:04x}", u32::from(character))),
                _ => self.text.push(character),
            }
        }
        self.text.push('"');
    }

    pub(crate) fn value_usize(&mut self, number: usize) {
        self.separate();
        self.push(number);
    }

    /// All digits of the number, so that a parser of any precision gets the same one.
    pub(crate) fn value_f32(&mut self, number: f32) {
        self.separate();
        self.push(f64::from(number));
    }

    fn push(&mut self, value: impl Display) {
        // Writing to a string cannot fail.
        let _ = write!(self.text, "{value}");
    }

    pub(crate) fn usize(&mut self, name: &str, number: usize) {
        self.name(name);
        self.value_usize(number);
    }

    pub(crate) fn some_usize(&mut self, name: &str, number: Option<usize>) {
        if let Some(number) = number {
            self.usize(name, number);
        }
    }

    pub(crate) fn f32(&mut self, name: &str, number: f32) {
        self.name(name);
        self.value_f32(number);
    }

    pub(crate) fn some_f32(&mut self, name: &str, number: Option<f32>) {
        if let Some(number) = number {
            self.f32(name, number);
        }
    }

    /// A string that is not empty.
    pub(crate) fn str(&mut self, name: &str, string: &str) {
        if !string.is_empty() {
            self.name(name);
            self.value_str(string);
        }
    }

    /// JSON text that is not empty.
    pub(crate) fn raw(&mut self, name: &str, json: &str) {
        if !json.is_empty() {
            self.name(name);
            self.value_raw(json);
        }
    }

    pub(crate) fn floats(&mut self, name: &str, numbers: &[f32]) {
        self.array(name, numbers, |number, json| json.value_f32(*number));
    }

    pub(crate) fn usizes(&mut self, name: &str, numbers: &[usize]) {
        self.array(name, numbers, |number, json| json.value_usize(*number));
    }

    /// An array that is not empty.
    pub(crate) fn array<T>(&mut self, name: &str, elements: &[T], write: fn(&T, &mut Self)) {
        if elements.is_empty() {
            return;
        }
        self.name(name);
        self.begin_array();
        for element in elements {
            write(element, self);
        }
        self.end_array();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_fields_are_left_out_and_others_keep_their_order() {
        let mut json = JsonWriter::default();
        json.begin_object();
        json.usizes("none", &[]);
        json.usize("b", 1);
        json.str("empty", "");
        json.usizes("a", &[2, 3]);
        json.name("inner");
        json.begin_object();
        json.raw("raw", "[{}]");
        json.end_object();
        json.some_f32("half", Some(0.5));
        json.end_object();
        assert_eq!(json.into_text(), r#"{"b":1,"a":[2,3],"inner":{"raw":[{}]},"half":0.5}"#);
    }

    #[test]
    fn strings_may_contain_any_character() {
        let mut json = JsonWriter::default();
        json.value_str("q\"\\/\n\r\t\u{8}\u{c}\u{1}\u{7f}\u{e9}{[:");
        let expected = "\"q\\\"\\\\/\\u000a\\u000d\\u0009\\u0008\\u000c\\u0001\u{7f}\u{e9}{[:\"";
        assert_eq!(json.into_text(), expected);
    }

    #[test]
    fn numbers_have_all_digits_and_no_exponent() {
        let cases = [
            (0.1, "0.10000000149011612"),
            (1.0, "1"),
            (-0.0, "-0"),
            (f32::EPSILON / 2.0, "0.00000005960464477539063"),
            (2_f32.powi(70), "1180591620717411300000"),
        ];
        for (number, expected) in cases {
            let mut json = JsonWriter::default();
            json.value_f32(number);
            assert_eq!(json.into_text(), expected);
        }
    }
}
