//! How error messages refer to joints and morph targets.

use std::fmt;

/// A joint's index and name, for error messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JointName {
    /// The index in the skeleton.
    pub joint: usize,
    /// The name; may be empty.
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

/// A morph target's index and name, for error messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MorphName {
    /// The index in the mesh.
    pub target: usize,
    /// The name; may be empty.
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
