//! Estimates the memory of the parsed JSON from the text alone, before parsing: a small text can
//! expand to large structures.

use serde_json::Value;

use super::schema::{Accessor, Material, Node};
use crate::Error;

/// The deepest nesting of objects and arrays, which is also the parser's limit.
pub(crate) const DEPTH: usize = 128;

/// The size of the largest type of `schema` that documents have arrays of.
const LARGEST: usize = {
    let sizes = [size_of::<Accessor>(), size_of::<Material>(), size_of::<Node>()];
    let [mut largest, b, c] = sizes;
    if b > largest {
        largest = b;
    }
    if c > largest { c } else { largest }
};

/// Bytes of objects, arrays and other items that become fields of the types in `schema`. An object
/// counts twice, since arrays grow by doubling.
const TYPED: Cost = Cost { object: 2 * LARGEST as u64, array: 48, item: size_of::<Value>() as u64 };

/// Bytes of objects, arrays and other items that become JSON values. Measured, rounded up.
const VALUES: Cost = Cost { object: 1024, array: 384, item: 64 };

/// The fields that may hold any JSON.
const VALUE_FIELDS: [&[u8]; 3] = [b"extensions", b"max", b"min"];

struct Cost {
    object: u64,
    array: u64,
    item: u64,
}

/// An upper estimate of the memory that a text takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct MemoryEstimate {
    /// When parsed into the types of `schema`.
    pub(crate) typed: u64,
    /// When parsed into JSON values.
    pub(crate) values: u64,
}

/// Estimates the memory of a text. Refuses one that nests too deeply, also in fields that are
/// skipped.
pub(crate) fn estimate(text: &[u8]) -> Result<MemoryEstimate, Error> {
    let mut scanner = Scanner::default();
    let mut at = 0;
    // Most bytes are digits, letters and spaces.
    while let Some(skipped) = text[at..].iter().position(|&byte| is_structural(byte)) {
        at += skipped;
        at = match text[at] {
            b'"' => scanner.string(text, at + 1),
            byte => {
                scanner.step(text, byte);
                at + 1
            }
        };
        if scanner.depth > DEPTH {
            let expected = format!("at most {DEPTH} levels of nested objects and arrays");
            return Err(Error::invalid(format!("byte {} of the JSON", at - 1), expected, "more"));
        }
    }
    Ok(scanner.estimate)
}

fn is_structural(byte: u8) -> bool {
    matches!(byte, b'"' | b':' | b',' | b'{' | b'[' | b'}' | b']')
}

#[derive(Default)]
struct Scanner {
    estimate: MemoryEstimate,
    depth: usize,
    /// The depth of the innermost field that may hold any JSON.
    value_depth: Option<usize>,
    /// Whether the last string has an escape, so that it may be any name.
    has_escape: bool,
    /// The start and the end of the last string.
    string: (usize, usize),
    /// Whether the next value belongs to a field that may hold any JSON.
    is_value_field: bool,
}

impl Scanner {
    /// Skips a string that starts at a byte, and returns where the text goes on.
    fn string(&mut self, text: &[u8], start: usize) -> usize {
        self.has_escape = false;
        let mut end = start;
        loop {
            let rest = text.get(end..).unwrap_or_default();
            match rest.iter().position(|byte| matches!(byte, b'"' | b'\\')) {
                Some(len) if rest[len] == b'"' => {
                    self.string = (start, end + len);
                    return end + len + 1;
                }
                Some(len) => {
                    self.has_escape = true;
                    end += len + 2;
                }
                None => return text.len(),
            }
        }
    }

    fn step(&mut self, text: &[u8], byte: u8) {
        match byte {
            b':' => {
                let name = &text[self.string.0..self.string.1];
                self.is_value_field = self.has_escape || VALUE_FIELDS.contains(&name);
            }
            b',' => self.spend(|cost| cost.item),
            b'{' => self.open(|cost| cost.object),
            b'[' => self.open(|cost| cost.array),
            _ => self.close(),
        }
        if matches!(byte, b',' | b'{' | b'[') {
            self.is_value_field = false;
        }
    }

    fn open(&mut self, of: impl Fn(&Cost) -> u64) {
        self.depth += 1;
        if self.is_value_field && self.value_depth.is_none() {
            self.value_depth = Some(self.depth);
        }
        self.spend(of);
    }

    fn close(&mut self) {
        if self.value_depth == Some(self.depth) {
            self.value_depth = None;
        }
        self.depth = self.depth.saturating_sub(1);
    }

    fn spend(&mut self, of: impl Fn(&Cost) -> u64) {
        self.estimate.values += of(&VALUES);
        self.estimate.typed += of(if self.value_depth.is_some() { &VALUES } else { &TYPED });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(text: &str) -> u64 {
        estimate(text.as_bytes()).unwrap().typed
    }

    #[test]
    fn fields_with_any_json_cost_more() {
        assert_eq!(typed("{}"), TYPED.object);
        assert_eq!(typed(r#"{"a":[1,2]}"#), TYPED.object + TYPED.array + TYPED.item);
        let values = VALUES.array + VALUES.item;
        for name in ["min", "max", "extensions", r"\u006din"] {
            let text = format!(r#"{{"{name}":[1,2],"a":[]}}"#);
            assert_eq!(typed(&text), TYPED.object + values + TYPED.item + TYPED.array, "{name}");
        }
        assert_eq!(typed(r#"{"min":1,"a":[]}"#), TYPED.object + TYPED.item + TYPED.array);
        assert_eq!(estimate(b"[{}]").unwrap().values, VALUES.array + VALUES.object);
    }

    #[test]
    fn strings_cost_nothing() {
        assert_eq!(typed(r#"{"a":"[[{{,,\"[\\"}"#), TYPED.object);
        assert_eq!(typed("\"[[["), 0);
        assert_eq!(typed("]]}}:"), 0);
    }
}
