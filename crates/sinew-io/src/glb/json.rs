//! JSON, as much as a GLB needs.

use std::fmt::{Display, Write};

/// An object that is being written. Keys are plain words.
#[derive(Debug, Default)]
pub(super) struct Object(String);

impl Object {
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// A value that is JSON already.
    pub(super) fn value(mut self, key: &str, value: impl Display) -> Self {
        let comma = if self.0.is_empty() { "" } else { "," };
        write!(self.0, "{comma}\"{key}\":{value}").expect("a string takes all");
        self
    }

    pub(super) fn text(self, key: &str, text: &str) -> Self {
        self.value(key, quoted(text))
    }

    /// Nothing where the text is empty.
    pub(super) fn name(self, name: &str) -> Self {
        if name.is_empty() { self } else { self.text("name", name) }
    }

    /// Nothing where the list is empty: glTF has no empty lists.
    pub(super) fn list<T: Display>(self, key: &str, list: &[T]) -> Self {
        if list.is_empty() { self } else { self.value(key, listed(list)) }
    }

    /// Every digit of what an `f32` holds, so that it is the same number for a reader of any precision.
    pub(super) fn floats(self, key: &str, floats: &[f32]) -> Self {
        let wide: Vec<f64> = floats.iter().map(|&x| f64::from(x)).collect();
        self.list(key, &wide)
    }

    pub(super) fn end(self) -> String {
        format!("{{{}}}", self.0)
    }
}

pub(super) fn listed<T: Display>(list: &[T]) -> String {
    let items: Vec<String> = list.iter().map(ToString::to_string).collect();
    format!("[{}]", items.join(","))
}

pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c < ' ' => write!(quoted, "\\u{:04x}", c as u32).expect("a string takes all"),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_json() {
        let object =
            Object::new().name("").text("a", "q\"\\\n\u{e9}").list("b", &[1, 2]).list::<u8>("c", &[]);
        let expected = "{\"a\":\"q\\\"\\\\\\u000a\u{e9}\",\"b\":[1,2],\"d\":[0.10000000149011612]}";
        assert_eq!(object.floats("d", &[0.1]).end(), expected);
        assert_eq!(Object::new().end(), "{}");
    }
}
