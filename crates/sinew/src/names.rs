//! Joints and clips by name.

use crate::Error;

/// Names longer than this are not compared letter by letter.
const LONGEST: usize = 64;

/// The names of a skeleton's joints or a model's clips, with the order that finds them.
#[derive(Clone, Debug)]
pub(crate) struct Names {
    /// What is named so, for messages.
    what: &'static str,
    names: Vec<String>,
    /// The indices by name; those of one name in order.
    order: Vec<u32>,
}

impl Names {
    /// At most `u32::MAX` names.
    pub(crate) fn new(what: &'static str, names: Vec<String>) -> Self {
        let mut order: Vec<u32> = (0..).take(names.len()).collect();
        // Stable, so that those of one name stay in order.
        order.sort_by(|&a, &b| names[a as usize].cmp(&names[b as usize]));
        Self { what, names, order }
    }

    pub(crate) fn get(&self, index: usize) -> &str {
        &self.names[index]
    }

    /// The only one of this name.
    pub(crate) fn find(&self, name: &str) -> Result<usize, Error> {
        let first = self.order.partition_point(|&index| self.get(index as usize) < name);
        let mut indices = self.order[first..].iter().map(|&index| index as usize);
        let mut named = || indices.next().filter(|&index| self.get(index) == name);
        let (what, asked) = (self.what, name.to_owned());
        match (named(), named()) {
            (None, _) => Err(Error::UnknownName { what, name: asked, similar: self.similar(name) }),
            (Some(index), None) => Ok(index),
            (Some(first), Some(second)) => Err(Error::AmbiguousName { what, name: asked, first, second }),
        }
    }

    /// Up to three names like this one, the most alike first.
    fn similar(&self, wanted: &str) -> Vec<String> {
        let wanted = wanted.to_lowercase();
        let scored = self.order.iter().filter_map(|&index| {
            let name = self.get(index as usize);
            Some((unlikeness(&wanted, &name.to_lowercase())?, name))
        });
        let mut scored: Vec<(usize, &str)> = scored.collect();
        scored.sort_unstable();
        scored.dedup();
        scored.into_iter().take(3).map(|(_, name)| name.to_owned()).collect()
    }
}

/// How far apart two names are, in letters; `None` when they have nothing to do with each other.
///
/// One that contains the other is alike whatever the lengths: exporters put prefixes before names.
fn unlikeness(wanted: &str, name: &str) -> Option<usize> {
    let (shorter, longer) = if wanted.len() < name.len() { (wanted, name) } else { (name, wanted) };
    // A single letter is in nearly every name.
    if shorter.is_empty() || (shorter.len() == 1 && longer.len() > 1) {
        return None;
    }
    if longer.contains(shorter) {
        return Some(longer.len() - shorter.len());
    }
    let most = (shorter.len() / 2).min(2);
    if longer.len() > LONGEST || longer.len() - shorter.len() > most {
        return None;
    }
    let distance = edit_distance(shorter.as_bytes(), longer.as_bytes());
    (distance <= most).then_some(distance)
}

/// How many bytes must be put in, left out or replaced to make one of the other.
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

    fn similar(names: &[&str], wanted: &str) -> Vec<String> {
        Names::new("joint", names.iter().map(|&name| name.to_owned()).collect()).similar(wanted)
    }

    #[test]
    fn the_edit_distance_counts_letters() {
        assert_eq!(edit_distance(b"neck", b"neck"), 0);
        assert_eq!(edit_distance(b"neck", b"nek"), 1);
        assert_eq!(edit_distance(b"", b"nek"), 3);
        assert_eq!(edit_distance(b"head", b"haed"), 2);
    }

    #[test]
    fn similar_names_are_found_by_part_by_case_and_by_typing_error() {
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
    fn a_name_that_occurs_often_is_named_once() {
        assert_eq!(similar(&["bone", "bone", "bone"], "bones"), ["bone"]);
    }
}
