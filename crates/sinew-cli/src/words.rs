//! How things are said.

/// Why what is made for a model cannot fail on it.
pub(crate) const MADE: &str = "all of it was made for the model";

/// The same text without control characters: names in files may hold anything, and a line stays a line.
pub(crate) fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// So many of something that takes an s when there are several.
pub(crate) fn count(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
