//! Text helpers for messages and printed output.

/// Why operations on the memory created for a model cannot fail.
pub(crate) const BUILT_FOR_MODEL: &str = "all buffers were created for this model";

/// Why a clip's number is in range.
pub(crate) const CLIP_OF_MODEL: &str = "the clip was selected from this model";

/// Replaces control characters by spaces. Names in files may contain any character, and a message
/// must stay on one line.
pub(crate) fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// A count with its noun, which gets an "s" unless the count is one: "1 joint", "2 joints".
pub(crate) fn count(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
