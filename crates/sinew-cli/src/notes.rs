//! Notes on standard error: what a user may not expect, and no error.

use sinew::Model;

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

/// Notes which materials are drawn without the pictures that were looked for beside the model.
pub(crate) fn note_missing_pictures(loaded: &LoadedModel) {
    let materials = loaded.model.materials();
    let names = loaded.missing_pictures.iter().map(|&material| materials[material].name.as_str());
    let (named, unnamed): (Vec<_>, Vec<_>) = names.partition(|name| !name.is_empty());
    if !unnamed.is_empty() {
        note("drawn without a picture: meshes that name no material");
    }
    let Some(first) = named.first() else { return };
    let mut list =
        named.iter().take(NAMED_MATERIALS).map(|name| format!("{:?}", short_name(name))).collect::<Vec<_>>();
    if named.len() > NAMED_MATERIALS {
        list.push(format!("{} more", named.len() - NAMED_MATERIALS));
    }
    let (plural, list) = (if named.len() == 1 { "" } else { "s" }, list.join(", "));
    let file = short_name(&picture_name(first));
    note(&format!(
        "drawn without a picture: material{plural} {list}; expected {file}.png, .jpg or .webp beside the model"
    ));
}

/// The endings of pictures that the name of a material may have. Others are part of the name.
const PICTURE_ENDINGS: [&str; 7] = ["png", "jpg", "jpeg", "webp", "tga", "dds", "bmp"];

/// The name of the picture that a material may have, without its ending.
fn picture_name(material: &str) -> String {
    let file = material.rsplit(['/', '\\']).next().unwrap_or(material);
    let is_ending = |text: &str| PICTURE_ENDINGS.iter().any(|ending| ending.eq_ignore_ascii_case(text));
    match file.rsplit_once('.') {
        Some((stem, ending)) if is_ending(ending) => stem.to_owned(),
        _ => file.to_owned(),
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn picture_is_named_like_the_material_without_the_ending_of_a_picture() {
        assert_eq!(picture_name("models/hand.001"), "hand.001");
        assert_eq!(picture_name("textures\\imp.v2.TGA"), "imp.v2");
        assert_eq!(picture_name("imp"), "imp");
    }
}
