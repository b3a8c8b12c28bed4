//! The clip that a `--clip` argument selects.

use sinew::Model;

use crate::CliError;

/// The clip with this name or number; without an argument the first clip, or `None`, the rest
/// pose, when there are no clips.
pub(crate) fn select_clip(model: &Model, argument: Option<&str>) -> Result<Option<usize>, CliError> {
    match argument {
        Some(argument) => find_clip(model, argument).map(Some),
        None => Ok((!model.clips().is_empty()).then_some(0)),
    }
}

/// The clip with this name; if there is none, the clip with this number.
fn find_clip(model: &Model, argument: &str) -> Result<usize, CliError> {
    let clips = model.clips().len();
    match (model.clip(argument), argument.parse::<usize>()) {
        (Ok(clip), _) => Ok(clip),
        (Err(_), Ok(clip)) if clip < clips => Ok(clip),
        (Err(_), Ok(clip)) if clips > 0 => {
            let last = clips - 1;
            Err(CliError::Usage(format!("--clip {clip}: expected a name, or a number from 0 to {last}")))
        }
        (Err(error), _) => Err(CliError::Usage(format!("--clip: {error}"))),
    }
}
