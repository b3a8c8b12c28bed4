//! Unique names for text formats.

use std::collections::{HashMap, HashSet};

/// Makes every name unique and a single word without control characters. An empty name becomes
/// `what` with its index.
pub(crate) fn unique_names<'a>(what: &str, names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut names_in_use = UniqueNames::default();
    let unique = |(index, name): (usize, &str)| {
        let word = single_word(name);
        names_in_use
            .make_unique(if word.is_empty() { format!("{what}_{index}") } else { word }, str::to_owned)
    };
    names.enumerate().map(unique).collect()
}

/// A set of names in use, from which new unique names are made.
#[derive(Default)]
pub struct UniqueNames {
    names: HashSet<String>,
    /// How often each name was requested. Thousands of equal names would take quadratic time
    /// without it.
    requests: HashMap<String, usize>,
}

impl UniqueNames {
    /// Returns the name, or the name with the first number that makes it unique. Names with equal
    /// keys are considered equal.
    pub fn make_unique(&mut self, name: String, key: impl Fn(&str) -> String) -> String {
        if self.names.insert(key(&name)) {
            return name;
        }
        let count = self.requests.entry(key(&name)).or_default();
        loop {
            *count += 1;
            let numbered = format!("{name}_{count}");
            if self.names.insert(key(&numbered)) {
                return numbered;
            }
        }
    }
}

/// Replaces whitespace and control characters, and `#`, which starts a comment in some importers.
fn single_word(name: &str) -> String {
    let bad = |c: char| c.is_whitespace() || c.is_control() || c == '#';
    name.trim().chars().map(|c| if bad(c) { '_' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_one_unique_word() {
        let names = ["skin", "", "skin", "left\narm", "\u{7} ", "skin_1", "#"];
        let expected = ["skin", "part_1", "skin_1", "left_arm", "_", "skin_1_1", "__1"];
        assert_eq!(unique_names("part", names.into_iter()), expected);
    }

    /// Counting from one for each of them would take hours.
    #[test]
    fn many_equal_names_take_linear_time() {
        let names = unique_names("part", std::iter::repeat_n("skin", 300_000));
        assert_eq!(names.last().map(String::as_str), Some("skin_299999"));
    }
}
