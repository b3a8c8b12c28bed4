//! `sinew isa`: the instruction sets of this machine, the one in use, and why.

use std::io::Write;

use sinew::isa::{self, NAMES, OVERRIDE};

use crate::Failure;

/// The row in use, or what is wrong with the environment's wish.
pub(crate) fn chosen() -> Result<&'static sinew::Row, Failure> {
    isa::chosen().map_err(|why| Failure::Usage(format!("{OVERRIDE}: {why}")))
}

pub(crate) fn run(out: &mut impl Write) -> Result<(), Failure> {
    let chosen = chosen()?;
    for name in NAMES {
        let (mark, text) = match isa::find(name) {
            Ok(row) if row.name() == chosen.name() => ("in use", row.description().to_owned()),
            Ok(row) => ("yes", row.description().to_owned()),
            Err(why) => ("no", why.reason()),
        };
        writeln!(out, "{name:<9}{mark:<8}{text}")?;
    }
    let why = match std::env::var_os(OVERRIDE) {
        Some(value) if !value.is_empty() => format!("{OVERRIDE} asks for it"),
        _ => format!("the fastest here; {OVERRIDE}=name overrides"),
    };
    writeln!(out, "\nIn use: {} ({why}).", chosen.name())?;
    Ok(())
}
