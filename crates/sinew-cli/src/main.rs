//! The program `sinew`: one file per command, no maths of its own.
//!
//! Exit codes: 0 when all went well, 1 for bad input, 2 for bad usage.

#![forbid(unsafe_code)]

mod isa;
mod tour;

use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Skeletal animation and skinning on the CPU.
///
/// Without a command, sinew takes a short tour: it poses a figure and shows each stage with its time.
#[derive(Parser)]
#[command(
    name = "sinew",
    version,
    after_help = "\
Environment:
  SINEW_ISA   instruction set to use instead of the fastest (`sinew isa` lists them)

Examples:
  sinew                     take the tour
  sinew isa                 what this machine has, and what is used
  SINEW_ISA=sse2 sinew      the same tour on another instruction set"
)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Show the instruction sets: which there are, which is used, and why
    Isa,
}

/// Why a command stopped.
enum Failure {
    /// What the user asked for cannot be.
    Usage(String),
    /// The output cannot be written.
    Output(io::Error),
}

impl From<sinew::Error> for Failure {
    fn from(error: sinew::Error) -> Self {
        Self::Usage(error.to_string())
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let mut out = io::stdout().lock();
    let result = match arguments.command {
        None => tour::run(&mut out),
        Some(Command::Isa) => isa::run(&mut out),
    };
    match result.and_then(|()| Ok(out.flush()?)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Usage(message)) => {
            eprintln!("sinew: {message}");
            ExitCode::from(2)
        }
        // Whoever read the output has read enough.
        Err(Failure::Output(error)) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(Failure::Output(error)) => {
            eprintln!("sinew: cannot write the output: {error}");
            ExitCode::FAILURE
        }
    }
}
