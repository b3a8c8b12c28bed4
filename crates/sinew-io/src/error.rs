//! The error type of this crate.

use std::fmt;
use std::path::{Path, PathBuf};

/// Why a file could not be imported or written: which file, where in it, what was expected and what
/// was found.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The system could not open or read a file.
    Io {
        /// The file.
        file: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// A value in a file, or of the caller, is not valid.
    Invalid {
        /// The file; empty for bytes from memory.
        file: PathBuf,
        /// Where: a path in the document such as `skins[2].joints[7]`, or `line 12, column 3`.
        location: String,
        /// What must be there.
        expected: String,
        /// What is there.
        found: String,
    },
    /// The library refused to build a model from the file's data.
    Model {
        /// The file; empty for bytes from memory.
        file: PathBuf,
        /// Where in the document.
        location: String,
        /// The library's error. Boxed, so that results without an error stay small.
        source: Box<sinew::Error>,
    },
    /// The system could not write a file. A file that existed before is unchanged.
    Write {
        /// The file; empty when the bytes went to a writer of the caller.
        file: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// A file exists already, and the [`OverwritePolicy`](crate::OverwritePolicy) keeps it.
    Exists {
        /// The file.
        file: PathBuf,
    },
}

impl Error {
    /// An invalid value at a location: what must be there, and what is there. Importers return it;
    /// the loader adds the file.
    #[must_use]
    pub fn invalid(
        location: impl Into<String>,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> Self {
        Self::Invalid {
            file: PathBuf::new(),
            location: location.into(),
            expected: expected.into(),
            found: found.into(),
        }
    }

    /// An error of the library. [`in_file`](Self::in_file) adds the file later.
    pub(crate) fn model(location: impl Into<String>, source: impl Into<sinew::Error>) -> Self {
        Self::Model { file: PathBuf::new(), location: location.into(), source: Box::new(source.into()) }
    }

    /// Adds the imported file, unless the error names a file already.
    pub(crate) fn in_file(mut self, path: &Path) -> Self {
        match &mut self {
            Self::Invalid { file, .. } | Self::Model { file, .. } if file.as_os_str().is_empty() => {
                *file = path.to_owned();
            }
            _ => {}
        }
        self
    }

    /// The message without the file and the location, for a warning that has a location of its own.
    pub(crate) fn reason(&self) -> String {
        match self {
            Self::Invalid { expected, found, .. } => format!("expected {expected}, found {found}"),
            other => other.to_string(),
        }
    }

    /// A system error while writing. [`with_target`](Self::with_target) adds the file later.
    pub(crate) fn writing(source: std::io::Error) -> Self {
        Self::Write { file: PathBuf::new(), source }
    }

    /// Adds the file being written, unless the error names a file already.
    #[must_use]
    pub fn with_target(self, path: &Path) -> Self {
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
            Self::Invalid { file, location, expected, found } => {
                write_location(f, file, location)?;
                write!(f, "expected {expected}, found {found}")
            }
            Self::Model { file, location, source } => {
                write_location(f, file, location)?;
                write!(f, "{source}")
            }
            Self::Write { file, source } => {
                write_location(f, file, "")?;
                write!(f, "cannot write: {source}")
            }
            Self::Exists { file } => write!(f, "{}: file exists already", file.display()),
        }
    }
}

/// An error on its way out of an importer, in one word: so are results without one, and less code
/// passes them on.
#[derive(Debug)]
pub(crate) struct BoxedError(Box<Error>);

impl BoxedError {
    /// As [`Error::invalid`].
    pub(crate) fn invalid(
        location: impl Into<String>,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> Self {
        Error::invalid(location, expected, found).into()
    }

    /// As [`Error::model`].
    pub(crate) fn model(location: impl Into<String>, source: impl Into<sinew::Error>) -> Self {
        Error::model(location, source).into()
    }

    /// As [`Error::writing`].
    pub(crate) fn writing(source: std::io::Error) -> Self {
        Error::writing(source).into()
    }
}

impl From<Error> for BoxedError {
    #[cold]
    #[inline(never)]
    fn from(error: Error) -> Self {
        Self(Box::new(error))
    }
}

impl From<BoxedError> for Error {
    #[cold]
    #[inline(never)]
    fn from(error: BoxedError) -> Self {
        *error.0
    }
}

#[cfg(test)]
impl fmt::Display for BoxedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

fn write_location(f: &mut fmt::Formatter<'_>, file: &Path, location: &str) -> fmt::Result {
    if !file.as_os_str().is_empty() {
        write!(f, "{}: ", file.display())?;
    }
    if location.is_empty() { Ok(()) } else { write!(f, "{location}: ") }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } | Self::Write { source, .. } => Some(source),
            Self::Model { source, .. } => Some(&**source),
            Self::Invalid { .. } | Self::Exists { .. } => None,
        }
    }
}
