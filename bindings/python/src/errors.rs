//! Errors of the library as Python exceptions with the same text.

use std::fmt::Display;
use std::io::ErrorKind;

use pyo3::exceptions::{PyFileExistsError, PyFileNotFoundError, PyOSError, PyPermissionError, PyValueError};
use pyo3::{PyErr, create_exception};

create_exception!(
    sinew3d,
    Error,
    PyValueError,
    "What sinew refuses: a file that holds no valid model, a name that no clip has, data that does not \
     fit together.\n\nThe text says where, what was expected and what was found. Errors of the system \
     are OSError (FileNotFoundError, FileExistsError, PermissionError), wrong arguments are ValueError \
     or TypeError."
);

/// Any error of the library.
pub(crate) fn refused<E: Display>(error: E) -> PyErr {
    Error::new_err(error.to_string())
}

/// An error of reading or writing files.
pub(crate) fn of_file(error: sinew_io::Error) -> PyErr {
    let text = error.to_string();
    match &error {
        sinew_io::Error::Io { source, .. } | sinew_io::Error::Write { source, .. } => match source.kind() {
            ErrorKind::NotFound => PyFileNotFoundError::new_err(text),
            ErrorKind::PermissionDenied => PyPermissionError::new_err(text),
            ErrorKind::AlreadyExists => PyFileExistsError::new_err(text),
            _ => PyOSError::new_err(text),
        },
        sinew_io::Error::Exists { .. } => PyFileExistsError::new_err(text),
        _ => Error::new_err(text),
    }
}

/// A wrong argument: its name, what was expected and what was found.
pub(crate) fn bad_value(what: &str, expected: impl Display, found: impl Display) -> PyErr {
    PyValueError::new_err(format!("{what}: expected {expected}, found {found}"))
}
