//! Errors of lookups by name.

use std::{error, fmt};

/// Why a lookup by name failed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum NameError {
    /// No joint or clip has the name.
    Unknown {
        /// What was looked up: "joint" or "clip".
        what: &'static str,
        /// The name.
        name: String,
        /// Up to ten names that exist, the most similar first.
        nearest: Vec<String>,
        /// How many different names exist.
        count: usize,
    },
    /// Several joints or clips have the name.
    Ambiguous {
        /// What was looked up: "joint" or "clip".
        what: &'static str,
        /// The name.
        name: String,
        /// The index of the first match.
        first: usize,
        /// The index of the second match.
        second: usize,
    },
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { what, name, nearest, count } => {
                write!(f, "no {what} is named {name:?}; ")?;
                match nearest.len() {
                    0 => return write!(f, "there are no {what}s with names"),
                    listed if listed < *count => write!(f, "the nearest of {count} names: ")?,
                    _ => f.write_str("expected ")?,
                }
                for (i, name) in nearest.iter().enumerate() {
                    write!(f, "{}{name:?}", if i == 0 { "" } else { ", " })?;
                }
                Ok(())
            }
            Self::Ambiguous { what, name, first, second } => {
                write!(f, "{what}s {first} and {second} are both named {name:?}")
            }
        }
    }
}

impl error::Error for NameError {}
