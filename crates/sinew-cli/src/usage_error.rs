//! Reports command-line arguments that clap rejects, in one line.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Error;

use crate::error::{CliError, print_stderr};

/// Prints help or the version where the user requested them, and otherwise what is wrong, in one
/// line.
pub(crate) fn report(error: &Error) -> ExitCode {
    if !error.use_stderr() {
        return match error.print().and_then(|()| io::stdout().flush()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => CliError::from(error).report(),
        };
    }
    print_stderr(&first_paragraphs(&error.render().to_string()));
    ExitCode::from(2)
}

/// The paragraphs before the usage line, joined into one line that refers to `--help`.
fn first_paragraphs(rendered: &str) -> String {
    let paragraphs = rendered.split("\n\n").take_while(|paragraph| !paragraph.starts_with("Usage:"));
    let lines: Vec<String> = paragraphs
        .map(|paragraph| paragraph.split_whitespace().collect::<Vec<_>>().join(" "))
        .filter(|paragraph| !paragraph.is_empty() && !paragraph.starts_with("For more information"))
        .collect();
    let line = lines.join("; ");
    format!("{}; see --help", line.strip_prefix("error: ").unwrap_or(&line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_usage_error_is_one_line() {
        let rendered = "error: the following required arguments were not provided:\n  <MODEL>\n\n\
                        Usage: sinew info <MODEL>\n\nFor more information, try '--help'.\n";
        assert_eq!(
            first_paragraphs(rendered),
            "the following required arguments were not provided: <MODEL>; see --help"
        );
    }
}
