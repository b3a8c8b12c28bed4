//! `sinew completions`: prints a script with which a shell completes commands and options.

use std::io::Write;

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::{Arguments, CliError};

/// The arguments of `sinew completions`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  sinew completions bash > sinew.bash   # then: source sinew.bash
  sinew completions zsh > _sinew        # then move it to a folder in $fpath")]
pub(crate) struct Completions {
    /// The shell to print the script for
    shell: Shell,
}

pub(crate) fn run(arguments: &Completions, out: &mut impl Write) -> Result<(), CliError> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "sinew", &mut script);
    Ok(out.write_all(&script)?)
}
