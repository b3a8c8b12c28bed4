//! What is said about arguments that cannot be.

use std::process::ExitCode;

use clap::Error;

use crate::failure::say;

/// Prints help where it was asked for, and otherwise in one line what is wrong.
pub(crate) fn report(error: &Error) -> ExitCode {
    if !error.use_stderr() {
        // Whoever closed the output has read enough.
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    say(&in_one_line(&error.render().to_string()));
    ExitCode::from(2)
}

/// What comes before the usage, and where to find that.
fn in_one_line(rendered: &str) -> String {
    let paragraphs = rendered.split("\n\n").take_while(|paragraph| !paragraph.starts_with("Usage:"));
    let told: Vec<String> = paragraphs
        .map(|paragraph| paragraph.split_whitespace().collect::<Vec<_>>().join(" "))
        .filter(|paragraph| !paragraph.is_empty() && !paragraph.starts_with("For more information"))
        .collect();
    let told = told.join("; ");
    format!("{}; see --help", told.strip_prefix("error: ").unwrap_or(&told))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_lines_become_one() {
        let rendered = "error: the following required arguments were not provided:\n  <MODEL>\n\n\
                        Usage: sinew info <MODEL>\n\nFor more information, try '--help'.\n";
        assert_eq!(
            in_one_line(rendered),
            "the following required arguments were not provided: <MODEL>; see --help"
        );
    }
}
