//! Names that text formats can hold.

use std::collections::HashSet;

/// For each name one of its own, without blanks and control characters; `what` and its number where it has none.
pub(crate) fn unique<'a>(what: &str, names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut taken = HashSet::new();
    let named = |(index, name): (usize, &str)| {
        let plain = plain(name);
        let first = if plain.is_empty() { format!("{what}_{index}") } else { plain };
        let others = (1_usize..).map(|count| format!("{first}_{count}"));
        let mut free = std::iter::once(first.clone()).chain(others).filter(|name| !taken.contains(name));
        let name = free.next().unwrap_or(first.clone());
        drop(free);
        taken.insert(name.clone());
        name
    };
    names.enumerate().map(named).collect()
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
}
