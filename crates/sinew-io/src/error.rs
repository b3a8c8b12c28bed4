//! Why a file was refused.

use std::fmt;
use std::path::{Path, PathBuf};

/// Why a file was refused: which file, where in it, what was expected and what was found.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The system could not open or read a file.
    Io {
        /// The file.
        file: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// Something in a file is not as it must be.
    Fault {
        /// The file; empty where the bytes came from memory.
        file: PathBuf,
        /// Where: a path in the document such as `skins[2].joints[7]`, or `line 12, column 3`.
        place: String,
        /// What it must be.
        expected: String,
        /// What it is.
        found: String,
    },
    /// What the file holds does not make a model, by the checks of the library.
    Model {
        /// The file; empty where the bytes came from memory.
        file: PathBuf,
        /// Where in the document.
        place: String,
        /// What the library says.
        source: sinew::Error,
    },
    /// The system could not write a file. What was there before is there still.
    Write {
        /// The file; empty where the bytes went to the caller.
        file: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A file is there already, and may not be replaced.
    Exists {
        /// The file.
        file: PathBuf,
    },
}

impl Error {
    /// A fault in a file that is not named yet.
    pub(crate) fn fault(
        place: impl Into<String>,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> Self {
        Self::Fault {
            file: PathBuf::new(),
            place: place.into(),
            expected: expected.into(),
            found: found.into(),
        }
    }

    /// What the library refused, at a place of a file that is not named yet.
    pub(crate) fn model(place: impl Into<String>, source: sinew::Error) -> Self {
        Self::Model { file: PathBuf::new(), place: place.into(), source }
    }

    /// The same error, of this file, unless it names one already.
    pub(crate) fn in_file(mut self, path: &Path) -> Self {
        match &mut self {
            Self::Fault { file, .. } | Self::Model { file, .. } if file.as_os_str().is_empty() => {
                *file = path.to_owned();
            }
            _ => {}
        }
        self
    }

    /// What the system says of writing, to a file that is not named yet.
    pub(crate) fn writing(source: std::io::Error) -> Self {
        Self::Write { file: PathBuf::new(), source }
    }

    /// The same error, in writing this file, unless it names one already.
    #[must_use]
    pub fn in_target(self, path: &Path) -> Self {
        match self {
            Self::Write { file, source } if file.as_os_str().is_empty() => {
                Self::Write { file: path.to_owned(), source }
            }
            other => other.in_file(path),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { file, source } => write!(f, "{}: {source}", file.display()),
            Self::Fault { file, place, expected, found } => {
                write_place(f, file, place)?;
                write!(f, "expected {expected}, found {found}")
            }
            Self::Model { file, place, source } => {
                write_place(f, file, place)?;
                write!(f, "{source}")
            }
            Self::Write { file, source } => {
                write_place(f, file, "")?;
                write!(f, "cannot write: {source}")
            }
            Self::Exists { file } => {
                write!(f, "{}: is there already, and may not be replaced", file.display())
            }
        }
    }
}

fn write_place(f: &mut fmt::Formatter<'_>, file: &Path, place: &str) -> fmt::Result {
    if !file.as_os_str().is_empty() {
        write!(f, "{}: ", file.display())?;
    }
    if place.is_empty() { Ok(()) } else { write!(f, "{place}: ") }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } | Self::Write { source, .. } => Some(source),
            Self::Model { source, .. } => Some(source),
            Self::Fault { .. } | Self::Exists { .. } => None,
        }
    }
}
