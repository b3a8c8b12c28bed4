//! How error messages refer to a track.

use std::fmt;

/// A track of a clip, for error messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrackName {
    /// The clip's name; may be empty.
    pub clip: String,
    /// The track's index in the list that the clip was built from.
    pub track: usize,
}

impl TrackName {
    pub(crate) fn new(clip: &str, track: usize) -> Self {
        Self { clip: clip.to_owned(), track }
    }
}

impl fmt::Display for TrackName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "clip {:?}, track {}", self.clip, self.track)
    }
}
