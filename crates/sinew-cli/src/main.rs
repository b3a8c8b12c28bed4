//! The program `sinew`: one file or folder per command, no math of its own.
//!
//! Exit codes: 0 for success, 1 for bad input or failed output, 2 for bad usage, 130 and 143 after
//! the signals INT and TERM.

#![forbid(unsafe_code)]

mod bake;
mod bench;
mod cast;
mod check;
mod clip_choice;
mod completions;
mod convert;
mod error;
mod frame_times;
mod info;
mod isa;
mod json;
mod man;
mod model_input;
mod notes;
mod numbers;
mod output_file;
mod progress;
mod render;
mod signals;
mod text;
mod thread_count;
mod tour;
mod usage_error;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use error::CliError;

/// Skeletal animation and skinning on the CPU.
///
/// Without a command, sinew runs a short tour: it animates and skins a figure, and prints how long
/// each stage takes.
#[derive(Parser)]
#[command(
    name = "sinew",
    version,
    after_help = "\
A MODEL is a glTF, GLB, VRM, FBX, MD5 or BVH file, `-` for standard input, or a procedural
model:
  @figure, @figure:VERTICES      a human figure; about 5000 vertices by default
  @cylinder, @cylinder:WEIGHTS   a cylinder with 30 joints; 1, 2, 3 or 4 weights per vertex,
                                 or `varying`
  @ponytail                      a head that turns, with hair that springs move
  @twist                         a cylinder with two joints that twist against each other

Exit codes: 0 success, 1 bad input or failed output, 2 bad usage, 130 and 143 after the
signals INT and TERM, which leave no unfinished file.

Environment:
  SINEW_ISA   the instruction set to use instead of the fastest; `sinew isa` lists the names

Examples:
  sinew                   # run the tour
  sinew isa               # list the instruction sets of this machine
  sinew info @figure      # show what a model contains
  sinew bake @figure --at 0.5 -o figure.obj
  sinew render @figure --at 0.5 -o figure.png
  sinew bench --quick --only frames"
)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Show what a model contains: joints, mesh instances, morph targets, clips, materials
    Info(info::Info),
    /// Check whether a model can be used, and list all errors and warnings
    Check(check::Check),
    /// Write a posed model, or the frames of a clip: OBJ, PLY, GLB, PC2, MDD, NPZ
    Bake(bake::Bake),
    /// Draw a posed model, or an animated clip: PNG, GIF
    Render(render::Render),
    /// Cast a ray at a posed model and print what it hits: point, triangle, joint
    Cast(cast::Cast),
    /// Convert a model with its skeleton and clips to GLB
    Convert(convert::Convert),
    /// Benchmark this machine: what a character costs, then the tables of the papers and more
    Bench(bench::Bench),
    /// List the instruction sets: which are available, which one is used, and why
    #[command(after_help = "\
The environment variable SINEW_ISA selects an instruction set by name, for every command.

Examples:
  sinew isa")]
    Isa,
    /// Print a completion script for a shell
    Completions(completions::Completions),
    /// Print the manual page of the program or of a command
    Man(man::Manual),
}

fn main() -> ExitCode {
    signals::handle_termination();
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return usage_error::report(&error),
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
        Err(error) => error.report(),
    }
}
