//! Lookup of joints and clips by name.

use super::NameError;

/// Names longer than this, in bytes, are not compared by edit distance.
const MAX_EDIT_DISTANCE_LEN: usize = 64;

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
        let mut order: Vec<u32> = (0..).take(names.len()).collect();
        // A stable sort keeps equal names in their original order.
        order.sort_by(|&a, &b| names[a as usize].cmp(&names[b as usize]));
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
            (None, _) => Err(NameError::Unknown { what, name: name.to_owned(), similar: self.similar(name) }),
            (Some(index), None) => Ok(index),
            (Some(first), Some(second)) => {
                Err(NameError::Ambiguous { what, name: name.to_owned(), first, second })
            }
        }
    }

    /// Up to three similar names, the most similar first.
    fn similar(&self, query: &str) -> Vec<String> {
        let query = query.to_lowercase();
        let scored = self.order.iter().filter_map(|&index| {
            let name = self.get(index as usize);
            Some((name_distance(&query, &name.to_lowercase())?, name))
        });
        let mut scored: Vec<(usize, &str)> = scored.collect();
        scored.sort_unstable();
        scored.dedup();
        scored.into_iter().take(3).map(|(_, name)| name.to_owned()).collect()
    }
}

/// The distance between two names in bytes, or `None` if the names are not similar.
///
/// A name that contains the other is similar whatever the lengths, because exporters add prefixes.
fn name_distance(query: &str, name: &str) -> Option<usize> {
    let (shorter, longer) = if query.len() < name.len() { (query, name) } else { (name, query) };
    // A single letter occurs in nearly every name.
    if shorter.is_empty() || (shorter.len() == 1 && longer.len() > 1) {
        return None;
    }
    if longer.contains(shorter) {
        return Some(longer.len() - shorter.len());
    }
    let max_distance = (shorter.len() / 2).min(2);
    if longer.len() > MAX_EDIT_DISTANCE_LEN || longer.len() - shorter.len() > max_distance {
        return None;
    }
    let distance = edit_distance(shorter.as_bytes(), longer.as_bytes());
    (distance <= max_distance).then_some(distance)
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

    fn similar(names: &[&str], query: &str) -> Vec<String> {
        Names::new("joint", names.iter().map(|&name| name.to_owned()).collect()).similar(query)
    }

    #[test]
    fn the_edit_distance_counts_letters() {
        assert_eq!(edit_distance(b"neck", b"neck"), 0);
        assert_eq!(edit_distance(b"neck", b"nek"), 1);
        assert_eq!(edit_distance(b"", b"nek"), 3);
        assert_eq!(edit_distance(b"head", b"haed"), 2);
    }

    #[test]
    fn similar_names_match_by_substring_by_case_and_by_typo() {
        let names = ["mixamorig:Head", "Neck", "spine", "spine1", "spine2", "spine3", ""];
        assert_eq!(similar(&names, "Head"), ["mixamorig:Head"]);
        assert_eq!(similar(&names, "neck"), ["Neck"]);
        assert_eq!(similar(&names, "nceck"), ["Neck"]);
        assert_eq!(similar(&names, "spine"), ["spine", "spine1", "spine2"]);
        assert!(similar(&names, "tail").is_empty());
        assert!(similar(&names, "").is_empty());
        assert_eq!(similar(&["A", "b"], "a"), ["A"]);
    }

    #[test]
    fn a_duplicate_name_is_suggested_once() {
        assert_eq!(similar(&["bone", "bone", "bone"], "bones"), ["bone"]);
    }
}
