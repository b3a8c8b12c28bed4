//! `sinew isa`: lists the instruction sets, the one in use, and why it is used.

use std::io::Write;

use sinew::runtime::Backend;
use sinew::runtime::backend::{self, ENV_VAR, NAMES};

use crate::CliError;

/// The backend in use.
///
/// # Errors
///
/// When `SINEW_ISA` names an unknown or unavailable instruction set.
pub(crate) fn chosen_backend() -> Result<&'static Backend, CliError> {
    backend::default().map_err(|error| CliError::Usage(format!("{ENV_VAR}: {error}")))
}

pub(crate) fn run(out: &mut impl Write) -> Result<(), CliError> {
    let chosen = chosen_backend()?;
    for name in NAMES {
        let (status, text) = match backend::find(name) {
            Ok(backend) if backend.name() == chosen.name() => ("in use", backend.description().to_owned()),
            Ok(backend) => ("yes", backend.description().to_owned()),
            Err(error) => ("no", error.reason()),
        };
        writeln!(out, "{name:<9}{status:<8}{text}")?;
    }
    let reason = match std::env::var_os(ENV_VAR) {
        Some(value) if !value.is_empty() => format!("selected by {ENV_VAR}"),
        _ => format!("the fastest available; {ENV_VAR}=name selects another"),
    };
    writeln!(out, "\nIn use: {} ({reason}).", chosen.name())?;
    Ok(())
}
