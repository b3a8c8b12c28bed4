//! Notes on standard error: what a user may not expect, and no error.

use sinew::Model;
use sinew_io::picture_name;

use crate::error::print_stderr;
use crate::model_input::LoadedModel;
use crate::text::{count, short_name};

/// Prints a note.
pub(crate) fn note(message: &str) {
    print_stderr(&format!("note: {message}"));
}

/// Times this close to an end of a clip, in seconds, count as inside.
const TOLERANCE: f64 = 1e-4;

/// Notes that `--at` is a time before the first key frame of a clip, or after the last one; or that
/// there is no clip, so that neither `--at` nor `--fps` has an effect.
pub(crate) fn note_time_without_effect(
    model: &Model,
    clip: Option<usize>,
    at: Option<f64>,
    fps: Option<f64>,
) {
    let Some(clip) = clip.map(|clip| &model.clips()[clip]) else {
        if let Some(option) = at.map(|_| "--at").or(fps.map(|_| "--fps")) {
            note(&format!("{option} has no effect: the model has no clips, only its rest pose"));
        }
        return;
    };
    let Some(seconds) = at else { return };
    let (start, end) = (f64::from(clip.start()), f64::from(clip.end()));
    if seconds < start - TOLERANCE || seconds > end + TOLERANCE {
        let (name, nearest) = (short_name(clip.name()), if seconds < start { "first" } else { "last" });
        let range = format!("from {} s to {} s", clip.start(), clip.end());
        note(&format!("--at {seconds}: clip {name:?} plays {range}; its {nearest} key frame is used"));
    }
}

/// The most materials that a note names.
const NAMED_MATERIALS: usize = 3;

/// Notes which materials have no picture: the name of the material, and that of the picture which was
/// looked for beside the model.
pub(crate) fn note_missing_pictures(loaded: &LoadedModel) {
    let materials = loaded.model.materials();
    let names = loaded.missing_pictures.iter().map(|&material| materials[material].name.as_str());
    let (named, unnamed): (Vec<_>, Vec<_>) = names.partition(|name| !name.is_empty());
    if !unnamed.is_empty() {
        note("no picture for meshes that name no material");
    }
    if named.is_empty() {
        return;
    }
    let describe = |name: &&str| format!("{:?} ({}.png)", short_name(name), short_name(picture_name(name)));
    let mut list: Vec<_> = named.iter().take(NAMED_MATERIALS).map(describe).collect();
    if named.len() > NAMED_MATERIALS {
        list.push(format!("{} more", named.len() - NAMED_MATERIALS));
    }
    let (plural, list) = (if named.len() == 1 { "" } else { "s" }, list.join(", "));
    note(&format!(
        "no picture beside the model for material{plural} {list}; .jpg, .webp and .tga are looked for, too"
    ));
}

/// The largest number of influences of a vertex of a model.
pub(crate) fn max_influences(model: &Model) -> usize {
    model.primitives().iter().map(|primitive| primitive.mesh.layout().max_influences).max().unwrap_or(0)
}

/// Notes that an option which keeps `limit` influences has no effect, because no vertex has more.
pub(crate) fn note_influences_without_effect(option: &str, model: &Model, limit: usize) {
    let most = max_influences(model);
    if most <= limit {
        let influences = count(most, "influence");
        note(&format!("{option} has no effect: no vertex has more than {influences}"));
    }
}
