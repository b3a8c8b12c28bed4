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

/// A name for messages and tables, on one line. Long names are cut: paths at their start, others at
/// their end.
pub(crate) fn short_name(name: &str) -> String {
    if name.chars().nth(NAME_LENGTH).is_none() {
        return one_line(name);
    }
    let kept = NAME_LENGTH - 3;
    if name.contains(['/', '\\']) {
        let start = name.chars().count() - kept;
        return "...".to_owned() + &one_line(&name.chars().skip(start).collect::<String>());
    }
    one_line(&name.chars().take(kept).collect::<String>()) + "..."
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
        let path = format!("models/{}/body", "é".repeat(40));
        assert_eq!(short_name(&path), format!("...{}/body", "é".repeat(32)));
    }
}
