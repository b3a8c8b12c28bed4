//! An upper estimate of the memory that parsing a JSON text takes, made from the text alone: a small
//! text can ask for a large tree.

use serde_json::Value;

use super::schema::{Accessor, Material, Node};
use crate::Error;

/// The deepest nesting, which is also the parser's.
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
const LOOSE: Cost = Cost { object: 1024, array: 384, item: 64 };

/// The fields where anything may stand.
const LOOSE_FIELDS: [&[u8]; 3] = [b"extensions", b"max", b"min"];

struct Cost {
    object: u64,
    array: u64,
    item: u64,
}

/// What the tree of a text takes at most, about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tree {
    /// As fields of the types.
    pub(crate) typed: u64,
    /// With values everywhere.
    pub(crate) loose: u64,
}

/// Measures a text, and refuses one that nests too deeply, even in places that nobody reads.
pub(crate) fn measure(text: &[u8]) -> Result<Tree, Error> {
    let mut scanner = Scanner::default();
    for (at, &byte) in text.iter().enumerate() {
        scanner.step(text, at, byte);
        if scanner.depth > DEPTH {
            let expected = format!("objects and arrays that nest {DEPTH} deep at most");
            return Err(Error::fault(format!("byte {at} of the JSON"), expected, "more"));
        }
    }
    Ok(scanner.tree)
}

#[derive(Default)]
struct Scanner {
    tree: Tree,
    depth: usize,
    /// The depth at which anything may stand, from there on.
    loose: Option<usize>,
    quoted: bool,
    escaped: bool,
    /// Whether the last string had an escape, so that it may spell anything.
    spelled: bool,
    /// Where the last string began, and ended.
    string: (usize, usize),
    /// Whether the next value is that of a field where anything may stand.
    field: bool,
}

impl Scanner {
    fn step(&mut self, text: &[u8], at: usize, byte: u8) {
        if self.quoted {
            self.quoted = self.escaped || byte != b'"';
            self.escaped = !self.escaped && byte == b'\\';
            self.spelled |= self.escaped;
            self.string.1 = at;
            return;
        }
        match byte {
            b'"' => (self.quoted, self.spelled, self.string) = (true, false, (at + 1, at + 1)),
            b':' => {
                let name = &text[self.string.0..self.string.1];
                self.field = self.spelled || LOOSE_FIELDS.contains(&name);
            }
            b',' => self.spend(|cost| cost.item),
            b'{' => self.open(|cost| cost.object),
            b'[' => self.open(|cost| cost.array),
            b'}' | b']' => self.close(),
            _ => {}
        }
        if matches!(byte, b',' | b'{' | b'[') {
            self.field = false;
        }
    }

    fn open(&mut self, of: impl Fn(&Cost) -> u64) {
        self.depth += 1;
        if self.field && self.loose.is_none() {
            self.loose = Some(self.depth);
        }
        self.spend(of);
    }

    fn close(&mut self) {
        if self.loose == Some(self.depth) {
            self.loose = None;
        }
        self.depth = self.depth.saturating_sub(1);
    }

    fn spend(&mut self, of: impl Fn(&Cost) -> u64) {
        self.tree.loose += of(&LOOSE);
        self.tree.typed += of(if self.loose.is_some() { &LOOSE } else { &TYPED });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(text: &str) -> u64 {
        measure(text.as_bytes()).unwrap().typed
    }

    #[test]
    fn what_may_be_anything_costs_more() {
        assert_eq!(typed("{}"), TYPED.object);
        assert_eq!(typed(r#"{"a":[1,2]}"#), TYPED.object + TYPED.array + TYPED.item);
        let loose = LOOSE.array + LOOSE.item;
        for name in ["min", "max", "extensions", r"\u006din"] {
            let text = format!(r#"{{"{name}":[1,2],"a":[]}}"#);
            assert_eq!(typed(&text), TYPED.object + loose + TYPED.item + TYPED.array, "{name}");
        }
        assert_eq!(typed(r#"{"min":1,"a":[]}"#), TYPED.object + TYPED.item + TYPED.array);
        assert_eq!(measure(b"[{}]").unwrap().loose, LOOSE.array + LOOSE.object);
    }

    #[test]
    fn strings_are_passed_over() {
        assert_eq!(typed(r#"{"a":"[[{{,,\"[\\"}"#), TYPED.object);
        assert_eq!(typed("\"[[["), 0);
        assert_eq!(typed("]]}}:"), 0);
    }
}
