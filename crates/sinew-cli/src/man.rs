//! `sinew man`: the manual, for `man` to show.

use std::io::Write;

use clap::{Args, CommandFactory};
use clap_mangen::Man;

use crate::{Arguments, Failure};

/// Which page.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  sinew man > sinew.1             # then: man ./sinew.1
  sinew man bake > sinew-bake.1")]
pub(crate) struct Manual {
    /// The command that the page is about; without one, the whole program
    command: Option<String>,
}

pub(crate) fn run(arguments: &Manual, out: &mut impl Write) -> Result<(), Failure> {
    let mut program = Arguments::command();
    // Fills in what commands take from the program, such as the version.
    program.build();
    let page = match &arguments.command {
        None => program,
        Some(name) => {
            let found = program.find_subcommand(name).cloned();
            let found = found.ok_or_else(|| Failure::Usage(format!("no command is named {name:?}")))?;
            found.name(format!("sinew-{name}"))
        }
    };
    Ok(Man::new(page).render(out)?)
}
