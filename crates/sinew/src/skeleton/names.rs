//! Lookup of joints and clips by name.

use super::NameError;
use crate::math::sort::heap_sort;

/// The bytes of a name that its edit distance compares.
const MAX_EDIT_DISTANCE_LEN: usize = 64;

/// The most names that an error lists.
const MAX_NEAREST: usize = 10;

/// The names of a skeleton's joints or a model's clips, with a sorted index for lookup.
#[derive(Clone, Debug)]
pub(crate) struct Names {
    /// What the names belong to, for error messages.
    what: &'static str,
    names: Vec<String>,
    /// Indices sorted by name; equal names stay in their original order.
    order: Vec<u32>,
}

impl Names {
    /// Builds the index. There must be at most `u32::MAX` names.
    pub(crate) fn new(what: &'static str, names: Vec<String>) -> Self {
        // Equal names stay in their original order. Not indices that look up their names: the
        // standard library sorts single numbers by networks, which are four times as much code.
        let mut sorted: Vec<(&str, u32)> = names.iter().map(String::as_str).zip(0..).collect();
        sorted.sort_unstable();
        let order = sorted.into_iter().map(|(_, index)| index).collect();
        Self { what, names, order }
    }

    pub(crate) fn get(&self, index: usize) -> &str {
        &self.names[index]
    }

    /// The index of the only item with this name.
    pub(crate) fn find(&self, name: &str) -> Result<usize, NameError> {
        let first = self.order.partition_point(|&index| self.get(index as usize) < name);
        let mut indices = self.order[first..].iter().map(|&index| index as usize);
        let mut named = || indices.next().filter(|&index| self.get(index) == name);
        let what = self.what;
        match (named(), named()) {
            (None, _) => {
                let (nearest, count) = self.nearest(name);
                Err(NameError::Unknown { what, name: name.to_owned(), nearest, count })
            }
            (Some(index), None) => Ok(index),
            (Some(first), Some(second)) => {
                Err(NameError::Ambiguous { what, name: name.to_owned(), first, second })
            }
        }
    }

    /// Up to ten names, the most similar first, and the number of different names. Empty names do
    /// not count.
    fn nearest(&self, query: &str) -> (Vec<String>, usize) {
        let query = query.to_lowercase();
        let names = self.order.iter().map(|&index| self.get(index as usize));
        let mut scored: Vec<((bool, usize), &str)> = names
            .filter(|name| !name.is_empty())
            .map(|name| (name_distance(&query, &name.to_lowercase()), name))
            .collect();
        // Equal names are neighbors in the sorted index.
        scored.dedup_by_key(|&mut (_, name)| name);
        let count = scored.len();
        heap_sort(&mut scored, |a, b| a < b);
        (scored.into_iter().take(MAX_NEAREST).map(|(_, name)| name.to_owned()).collect(), count)
    }
}

/// How far apart two names are: whether neither contains the other, then a distance in bytes.
///
/// A name that contains the other is near whatever the lengths, because exporters add prefixes.
fn name_distance(query: &str, name: &str) -> (bool, usize) {
    let (shorter, longer) = if query.len() < name.len() { (query, name) } else { (name, query) };
    // A single letter occurs in nearly every name.
    if (shorter.len() > 1 || longer.len() == 1) && longer.contains(shorter) {
        return (false, longer.len() - shorter.len());
    }
    let [a, b] = [query, name].map(|name| &name.as_bytes()[..name.len().min(MAX_EDIT_DISTANCE_LEN)]);
    (true, edit_distance(a, b))
}

/// The Levenshtein distance: the number of bytes to insert, delete or replace to turn `a` into `b`.
fn edit_distance(a: &[u8], b: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nearest(names: &[&str], query: &str) -> (Vec<String>, usize) {
        Names::new("joint", names.iter().map(|&name| name.to_owned()).collect()).nearest(query)
    }

    #[test]
    fn the_edit_distance_counts_letters() {
        assert_eq!(edit_distance(b"neck", b"neck"), 0);
        assert_eq!(edit_distance(b"neck", b"nek"), 1);
        assert_eq!(edit_distance(b"", b"nek"), 3);
        assert_eq!(edit_distance(b"head", b"haed"), 2);
    }

    #[test]
    fn the_nearest_names_match_by_substring_by_case_and_by_typo() {
        let names = ["mixamorig:Head", "Neck", "spine", "spine1", "spine2", "spine3", ""];
        let first = |query| nearest(&names, query).0.swap_remove(0);
        assert_eq!(first("Head"), "mixamorig:Head");
        assert_eq!(first("neck"), "Neck");
        assert_eq!(first("nceck"), "Neck");
        assert_eq!(nearest(&names, "spine").0[..4], ["spine", "spine1", "spine2", "spine3"]);
        assert_eq!(nearest(&["ab", "b", "A"], "a").0[0], "A");
    }

    #[test]
    fn at_most_ten_different_names_are_listed_and_all_are_counted() {
        assert_eq!(nearest(&["bone", "bone", ""], "tail"), (vec!["bone".to_owned()], 1));
        assert_eq!(nearest(&[""], ""), (vec![], 0));
        let many: Vec<String> = (0..30).map(|i| format!("bone{i:02}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let (listed, count) = nearest(&many, "bone07");
        assert_eq!((listed.len(), count, &*listed[0]), (10, 30, "bone07"));
        let long = "x".repeat(100_000);
        assert_eq!(nearest(&[&long], "y").1, 1);
    }
}
