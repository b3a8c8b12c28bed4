//! The program `sinew`: one file per command, no maths of its own.
//!
//! Exit codes: 0 when all went well, 1 for bad input or output that failed, 2 for bad usage, 130 and 143 after the
//! signals INT and TERM.

#![forbid(unsafe_code)]

mod bake;
mod bench;
mod cast;
mod check;
mod completions;
mod convert;
mod failure;
mod info;
mod isa;
mod man;
mod output_file;
mod progress;
mod render;
mod signals;
mod source;
mod threads;
mod tour;
mod usage;
mod words;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use failure::Failure;

/// Skeletal animation and skinning on the CPU.
///
/// Without a command, sinew takes a short tour: it poses a figure and shows each stage with its time.
#[derive(Parser)]
#[command(
    name = "sinew",
    version,
    after_help = "\
A MODEL is a file of glTF, GLB or MD5, `-` for the standard input, or made by rule:
  @figure, @figure:VERTICES      a human figure, of about 5000 vertices or so many
  @cylinder, @cylinder:WEIGHTS   a cylinder of 30 bones; 1, 2, 3, 4 weights or varying
  @twist                         a cylinder of two bones that turn against each other

Exit codes: 0 all went well, 1 bad input or failed output, 2 bad usage, 130 and 143 after
the signals INT and TERM, which leave no unfinished file.

Environment:
  SINEW_ISA   instruction set to use instead of the fastest (`sinew isa` lists them)

Examples:
  sinew                   # take the tour
  sinew isa               # what this machine has, and what is used
  sinew info @figure      # what a model is made of
  sinew bake @figure --at 0.5 -o figure.obj
  sinew render @figure --at 0.5 -o figure.png
  sinew bench --quick --only TransformJoints

The environment variable SINEW_ISA names the instruction set to use: one that `sinew isa` lists."
)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Show what a model is made of: skeleton, parts, clips, materials
    Info(info::Info),
    /// Check whether a model can be used, and list what is odd about it
    Check(check::Check),
    /// Write a posed model, or the frames of a clip: OBJ, PLY, GLB, PC2, MDD, NPZ
    Bake(bake::Bake),
    /// Draw a picture of a posed model, or of a clip: PNG, GIF
    Render(render::Render),
    /// Tell what a ray hits of a posed model: point, triangle, joint
    Cast(cast::Cast),
    /// Write a model with its joints and clips as GLB
    Convert(convert::Convert),
    /// Measure this machine: the papers' tables, and what the papers did not have
    Bench(bench::Bench),
    /// Show the instruction sets: which there are, which is used, and why
    #[command(after_help = "\
Examples:
  sinew isa

The environment variable SINEW_ISA names the one to use, for every command.")]
    Isa,
    /// Print what a shell needs to complete commands and options
    Completions(completions::Completions),
    /// Print the manual page of the program or of a command
    Man(man::Manual),
}

fn main() -> ExitCode {
    signals::watch();
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return usage::report(&error),
    };
    let mut out = io::stdout().lock();
    let result = match &arguments.command {
        None => tour::run(&mut out),
        Some(Command::Info(arguments)) => info::run(arguments, &mut out),
        Some(Command::Check(arguments)) => check::run(arguments, &mut out),
        Some(Command::Bake(arguments)) => bake::run(arguments, &mut out),
        Some(Command::Render(arguments)) => render::run(arguments, &mut out),
        Some(Command::Cast(arguments)) => cast::run(arguments, &mut out),
        Some(Command::Convert(arguments)) => convert::run(arguments, &mut out),
        Some(Command::Bench(arguments)) => bench::run(arguments, &mut out),
        Some(Command::Isa) => isa::run(&mut out),
        Some(Command::Completions(arguments)) => completions::run(arguments, &mut out),
        Some(Command::Man(arguments)) => man::run(arguments, &mut out),
    };
    match result.and_then(|()| Ok(out.flush()?)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
