//! `sinew completions`: what a shell needs to complete commands and options.

use std::io::Write;

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::{Arguments, Failure};

/// Which shell.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  sinew completions bash > sinew.bash   # then: source sinew.bash
  sinew completions zsh > _sinew        # then move it to a folder of $fpath")]
pub(crate) struct Completions {
    /// The shell that completes
    shell: Shell,
}

pub(crate) fn run(arguments: &Completions, out: &mut impl Write) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "sinew", &mut script);
    Ok(out.write_all(&script)?)
}
