//! What messages call a joint, a morph target or a track.

use std::fmt;

/// A joint by index and name, for messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JointName {
    /// Its index in the skeleton.
    pub joint: usize,
    /// Its name; empty where it has none.
    pub name: String,
}

impl JointName {
    pub(crate) fn new(joint: usize, name: &str) -> Self {
        Self { joint, name: name.to_owned() }
    }
}

impl fmt::Display for JointName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name.as_str() {
            "" => write!(f, "joint {}", self.joint),
            name => write!(f, "joint {} {name:?}", self.joint),
        }
    }
}

/// A morph target by index and name, for messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MorphName {
    /// Its index in the mesh.
    pub target: usize,
    /// Its name; empty where it has none.
    pub name: String,
}

impl MorphName {
    pub(crate) fn new(target: usize, name: &str) -> Self {
        Self { target, name: name.to_owned() }
    }
}

impl fmt::Display for MorphName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name.as_str() {
            "" => write!(f, "morph target {}", self.target),
            name => write!(f, "morph target {} {name:?}", self.target),
        }
    }
}

/// A track of a clip, for messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrackName {
    /// The clip's name; may be empty.
    pub clip: String,
    /// Its index among the tracks that the clip was to be made of.
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
