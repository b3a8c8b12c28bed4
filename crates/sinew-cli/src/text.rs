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

/// The most characters of a name that a message shows. Names in files may be any length.
const NAME_LENGTH: usize = 40;

/// A name for messages and tables: on one line, and its beginning only if it is long.
pub(crate) fn short_name(name: &str) -> String {
    match name.chars().nth(NAME_LENGTH) {
        None => one_line(name),
        Some(_) => one_line(&name.chars().take(NAME_LENGTH - 3).collect::<String>()) + "...",
    }
}

/// A count with its noun, which gets an "s" unless the count is one: "1 joint", "2 joints".
pub(crate) fn count(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_shortened_by_characters() {
        assert_eq!(short_name("a\tb"), "a b");
        assert_eq!(short_name(&"é".repeat(40)), "é".repeat(40));
        assert_eq!(short_name(&"é".repeat(41)), "é".repeat(37) + "...");
    }
}
