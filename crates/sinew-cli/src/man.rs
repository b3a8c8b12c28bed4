//! `sinew man`: prints manual pages in the format of `man`.

use std::io::Write;

use clap::{Args, CommandFactory};
use clap_mangen::Man;

use crate::{Arguments, CliError};

/// The arguments of `sinew man`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  sinew man > sinew.1             # then: man ./sinew.1
  sinew man bake > sinew-bake.1")]
pub(crate) struct Manual {
    /// The command to document; without one, the whole program
    command: Option<String>,
}

pub(crate) fn run(arguments: &Manual, out: &mut impl Write) -> Result<(), CliError> {
    let mut program = Arguments::command();
    // Copies what commands inherit from the program, such as the version.
    program.build();
    let page = match &arguments.command {
        None => program,
        Some(name) => {
            let found = program.find_subcommand(name).cloned();
            let found = found.ok_or_else(|| CliError::Usage(unknown_command(name, &program)))?;
            found.name(format!("sinew-{name}"))
        }
    };
    Ok(Man::new(page).render(out)?)
}

fn unknown_command(name: &str, program: &clap::Command) -> String {
    let names: Vec<_> = program.get_subcommands().map(clap::Command::get_name).collect();
    format!("no command is named {name:?}; expected one of {}", names.join(", "))
}
