//! Errors of commands, and the exit codes they cause.

use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;

use sinew::geometry::GeometryError;

use crate::text::one_line;

/// Why a command failed.
#[derive(Debug)]
pub(crate) enum CliError {
    /// The arguments are invalid, or do not fit the model.
    Usage(String),
    /// A model file cannot be used, or an output file cannot be written.
    File(sinew_io::Error),
    /// The input is invalid.
    Input(String),
    /// Standard output cannot be written.
    Output(io::Error),
}

impl CliError {
    /// Prints the error in one line and returns the exit code.
    pub(crate) fn report(self) -> ExitCode {
        let (message, code) = match self {
            Self::Usage(message) => (message, 2),
            Self::File(error) => (file_message(&error), 1),
            Self::Input(message) => (message, 1),
            // A closed pipe is not an error: the reader has seen enough.
            Self::Output(error) if error.kind() == ErrorKind::BrokenPipe => return ExitCode::SUCCESS,
            Self::Output(error) => (format!("cannot write the output: {error}"), 1),
        };
        print_stderr(&message);
        ExitCode::from(code)
    }
}

/// The message of a file error. A folder that does not exist is named, as it is for output files.
fn file_message(error: &sinew_io::Error) -> String {
    match error {
        sinew_io::Error::Io { file, source } if source.kind() == ErrorKind::NotFound => {
            missing_folder(file).unwrap_or_else(|| format!("{}: the file does not exist", file.display()))
        }
        _ => error.to_string(),
    }
}

/// The message for a file whose folder does not exist.
pub(crate) fn missing_folder(file: &Path) -> Option<String> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir())?;
    Some(format!("{}: the folder {} does not exist", file.display(), folder.display()))
}

/// Prints one line to standard error.
pub(crate) fn print_stderr(message: &str) {
    // When this fails, there is nowhere left to report it.
    let _ = writeln!(io::stderr(), "sinew: {}", one_line(message));
}

impl From<sinew::Error> for CliError {
    fn from(error: sinew::Error) -> Self {
        Self::Usage(error.to_string())
    }
}

impl From<GeometryError> for CliError {
    fn from(error: GeometryError) -> Self {
        sinew::Error::from(error).into()
    }
}

impl From<sinew_render::Error> for CliError {
    fn from(error: sinew_render::Error) -> Self {
        use sinew_render::Error;
        match error {
            Error::TooNarrow => {
                Self::Usage("--size: expected a width of at least two pixels with --compare".to_owned())
            }
            Error::Camera(error) => Self::Usage(format!("--camera: {error}")),
            Error::Geometry(error) => error.into(),
            Error::Model(error) => error.into(),
            other => Self::Input(other.to_string()),
        }
    }
}

impl From<sinew_bench::Error> for CliError {
    fn from(error: sinew_bench::Error) -> Self {
        match error {
            sinew_bench::Error::Sinew(error) => error.into(),
            other => Self::Input(other.to_string()),
        }
    }
}

impl From<sinew_io::Error> for CliError {
    fn from(error: sinew_io::Error) -> Self {
        Self::File(error)
    }
}

impl From<io::Error> for CliError {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}
