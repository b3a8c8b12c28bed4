//! `sinew isa`: the instruction sets of this machine, the one in use, and why.

use std::io::Write;

use sinew::backend::{self, ENV_VAR, NAMES};

use crate::Failure;

/// The row in use, or what is wrong with the environment's wish.
pub(crate) fn chosen() -> Result<&'static sinew::Backend, Failure> {
    backend::default().map_err(|why| Failure::Usage(format!("{ENV_VAR}: {why}")))
}

pub(crate) fn run(out: &mut impl Write) -> Result<(), Failure> {
    let chosen = chosen()?;
    for name in NAMES {
        let (mark, text) = match backend::find(name) {
            Ok(row) if row.name() == chosen.name() => ("in use", row.description().to_owned()),
            Ok(row) => ("yes", row.description().to_owned()),
            Err(why) => ("no", why.reason()),
        };
        writeln!(out, "{name:<9}{mark:<8}{text}")?;
    }
    let why = match std::env::var_os(ENV_VAR) {
        Some(value) if !value.is_empty() => format!("{ENV_VAR} asks for it"),
        _ => format!("the fastest here; {ENV_VAR}=name overrides"),
    };
    writeln!(out, "\nIn use: {} ({why}).", chosen.name())?;
    Ok(())
}
