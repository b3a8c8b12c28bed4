//! The command line: opens a window, writes a picture, or prints timings.
//!
//! Exit codes: 0 for success, 1 for a runtime error, 2 for bad usage.

mod arguments;
mod measure;
mod screenshot;
mod window;

use std::io::Write as _;
use std::process::ExitCode;

use clap::Parser as _;
use sinew::runtime::backend;

use arguments::Arguments;

/// Why the program stopped.
enum Failure {
    /// The options are invalid.
    Usage(String),
    /// The options are valid, but the program cannot do what they ask on this machine or with this
    /// file.
    Runtime(String),
}

/// Runs the program.
#[must_use]
pub fn run() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return report_usage_error(&error),
    };
    match execute(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Usage(message)) => print_error(&message, 2),
        Err(Failure::Runtime(message)) => print_error(&message, 1),
    }
}

fn execute(arguments: &Arguments) -> Result<(), Failure> {
    backend::default().map_err(|error| Failure::Usage(error.to_string()))?;
    let settings = arguments.settings().map_err(Failure::Usage)?;
    if arguments.measure {
        return measure::measure(settings, arguments.frames.unwrap_or(60)).map_err(Failure::Runtime);
    }
    match &arguments.screenshot {
        Some(out) => screenshot::screenshot(arguments, settings, out).map_err(Failure::Runtime),
        None => window::window(arguments, settings).map_err(Failure::Runtime),
    }
}

/// Prints help if it was requested, otherwise one line that says what is wrong.
fn report_usage_error(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        // If the output is closed, its reader needs no more.
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    let rendered = error.render().to_string();
    let message = rendered.split("\n\n").next().unwrap_or_default().replace("error: ", "");
    let message: Vec<&str> = message.split_whitespace().collect();
    print_error(&format!("{}; see --help", message.join(" ")), 2)
}

fn print_error(message: &str, code: u8) -> ExitCode {
    print_message(message);
    ExitCode::from(code)
}

/// Prints a message to stderr, in one line.
pub(crate) fn print_message(message: &str) {
    let line: String = message.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    // If stderr cannot be written, there is no other place to report to.
    let _ = writeln!(std::io::stderr(), "sinew-viewer: {line}");
}
