//! The command line: a window, a picture without one, or times without either.
//!
//! Exit codes: 0 when all went well, 1 where something cannot be had or written, 2 for bad usage.

mod arguments;
mod measure;
mod screenshot;
mod window;

use std::io::Write as _;
use std::process::ExitCode;

use clap::Parser as _;
use sinew::backend;

use arguments::Arguments;

/// Why the program stopped.
enum Failure {
    /// What was asked for cannot be.
    Usage(String),
    /// It could, but not here.
    Here(String),
}

/// Runs the program.
#[must_use]
pub fn run() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return refuse(&error),
    };
    match act(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Usage(message)) => say(&message, 2),
        Err(Failure::Here(message)) => say(&message, 1),
    }
}

fn act(arguments: &Arguments) -> Result<(), Failure> {
    backend::default().map_err(|error| Failure::Usage(error.to_string()))?;
    let settings = arguments.settings().map_err(Failure::Usage)?;
    if arguments.measure {
        return measure::measure(settings, arguments.frames.unwrap_or(60)).map_err(Failure::Here);
    }
    match &arguments.screenshot {
        Some(out) => screenshot::screenshot(arguments, settings, out).map_err(Failure::Here),
        None => window::window(arguments, settings).map_err(Failure::Here),
    }
}

/// Prints help where it was asked for, and otherwise in one line what is wrong.
fn refuse(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        // Whoever closed the output has read enough.
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    let rendered = error.render().to_string();
    let told = rendered.split("\n\n").next().unwrap_or_default().replace("error: ", "");
    let told: Vec<&str> = told.split_whitespace().collect();
    say(&format!("{}; see --help", told.join(" ")), 2)
}

fn say(message: &str, code: u8) -> ExitCode {
    let line: String = message.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    // There is nobody left to tell when this fails.
    let _ = writeln!(std::io::stderr(), "sinew-viewer: {line}");
    ExitCode::from(code)
}
