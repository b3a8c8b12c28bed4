//! Names that text formats can hold.

use std::collections::{HashMap, HashSet};

/// For each name one of its own, without blanks and control characters; `what` and its number where it has none.
pub(crate) fn unique<'a>(what: &str, names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut taken = Taken::default();
    let named = |(index, name): (usize, &str)| {
        let plain = plain(name);
        taken.free(if plain.is_empty() { format!("{what}_{index}") } else { plain }, str::to_owned)
    };
    names.enumerate().map(named).collect()
}

/// Names that are given away.
#[derive(Default)]
pub struct Taken {
    names: HashSet<String>,
    /// How often each was asked for: a name that thousands want is not counted up from one for each of them.
    asked: HashMap<String, usize>,
}

impl Taken {
    /// The name, or the name with the first number that is free. Names are told apart by their keys.
    pub fn free(&mut self, name: String, key: impl Fn(&str) -> String) -> String {
        if self.names.insert(key(&name)) {
            return name;
        }
        let count = self.asked.entry(key(&name)).or_default();
        loop {
            *count += 1;
            let numbered = format!("{name}_{count}");
            if self.names.insert(key(&numbered)) {
                return numbered;
            }
        }
    }
}

/// A name as one word. A number sign begins a comment for some readers.
fn plain(name: &str) -> String {
    let bad = |c: char| c.is_whitespace() || c.is_control() || c == '#';
    name.trim().chars().map(|c| if bad(c) { '_' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_one_word_and_its_own() {
        let names = ["skin", "", "skin", "left\narm", "\u{7} ", "skin_1", "#"];
        let expected = ["skin", "part_1", "skin_1", "left_arm", "_", "skin_1_1", "__1"];
        assert_eq!(unique("part", names.into_iter()), expected);
    }

    /// Counting up from one for each of them would take hours.
    #[test]
    fn very_many_may_have_one_name() {
        let names = unique("part", std::iter::repeat_n("skin", 300_000));
        assert_eq!(names.last().map(String::as_str), Some("skin_299999"));
    }
}
