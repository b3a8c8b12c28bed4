//! Why a command stopped, and what the program exits with.

use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

use crate::words::one_line;

/// Why a command stopped.
#[derive(Debug)]
pub(crate) enum Failure {
    /// What the user asked for cannot be.
    Usage(String),
    /// A file cannot be used or cannot be written.
    File(sinew_io::Error),
    /// The input is not as it must be, in words.
    Input(String),
    /// The standard output cannot be written.
    Output(io::Error),
}

impl Failure {
    /// Says in one line why, and gives the exit code.
    pub(crate) fn report(self) -> ExitCode {
        let (message, code) = match self {
            Self::Usage(message) => (message, 2),
            Self::File(error) => (error.to_string(), 1),
            Self::Input(message) => (message, 1),
            // Whoever read the output has read enough.
            Self::Output(error) if error.kind() == ErrorKind::BrokenPipe => return ExitCode::SUCCESS,
            Self::Output(error) => (format!("cannot write the output: {error}"), 1),
        };
        say(&message);
        ExitCode::from(code)
    }
}

/// One line on the standard error.
pub(crate) fn say(message: &str) {
    // There is nobody left to tell when this fails.
    let _ = writeln!(io::stderr(), "sinew: {}", one_line(message));
}

impl From<sinew::Error> for Failure {
    fn from(error: sinew::Error) -> Self {
        Self::Usage(error.to_string())
    }
}

impl From<sinew_io::Error> for Failure {
    fn from(error: sinew_io::Error) -> Self {
        Self::File(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}
