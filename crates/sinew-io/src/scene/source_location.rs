//! Places in files, for messages.

use std::fmt;
use std::sync::Arc;

/// A place in a file, for messages. Its text is put together only when a message needs it: a scene
/// has thousands of places, and few messages.
#[derive(Clone, Debug)]
pub struct SourceLocation {
    base: Arc<str>,
    part: &'static str,
    index: usize,
}

impl SourceLocation {
    /// A place by its text.
    #[must_use]
    pub fn new(text: impl Into<Arc<str>>) -> Self {
        Self { base: text.into(), part: "", index: 0 }
    }

    /// A part of a place. In its text, `{}` stands for the index.
    #[must_use]
    pub fn part(base: &Arc<str>, part: &'static str, index: usize) -> Self {
        Self { base: Arc::clone(base), part, index }
    }
}

impl fmt::Display for SourceLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.base)?;
        match self.part.split_once("{}") {
            Some((before, after)) => write!(f, "{before}{}{after}", self.index),
            None => f.write_str(self.part),
        }
    }
}

impl From<&SourceLocation> for String {
    fn from(location: &SourceLocation) -> Self {
        location.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_their_index_in_them() {
        assert_eq!(SourceLocation::new("frame 3").to_string(), "frame 3");
        let base = "animations[2]".into();
        assert_eq!(SourceLocation::part(&base, ".channels[{}]", 7).to_string(), "animations[2].channels[7]");
        let output = SourceLocation::part(&base, ".samplers[{}].output", 0);
        assert_eq!(String::from(&output), "animations[2].samplers[0].output");
    }
}
