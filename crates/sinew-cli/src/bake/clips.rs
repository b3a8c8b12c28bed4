//! Which clips are baked, and the names of their files.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use sinew::Model;

use super::shard::Shard;
use crate::Failure;

/// What becomes the clip's name.
pub(super) const MARK: &str = "{clip}";

/// Longer names are cut.
const LONGEST_NAME: usize = 100;

/// The clips that are asked for; `None` is the rest pose.
pub(super) fn chosen(
    model: &Model,
    wish: Option<&str>,
    shard: Option<Shard>,
) -> Result<Vec<Option<usize>>, Failure> {
    let clips = model.clips().len();
    match wish {
        None => Ok(vec![(clips > 0).then_some(0)]),
        Some("all") if clips == 0 => Err(Failure::Usage("--clip all: the model has no clips".to_owned())),
        Some("all") => {
            Ok((0..clips).filter(|&clip| shard.is_none_or(|shard| shard.has(clip))).map(Some).collect())
        }
        Some(wish) => Ok(vec![Some(find(model, wish)?)]),
    }
}

/// By name, or else by number.
fn find(model: &Model, wish: &str) -> Result<usize, Failure> {
    let clips = model.clips().len();
    let named = model.clip(wish);
    match (named, wish.parse::<usize>()) {
        (Ok(clip), _) => Ok(clip),
        (Err(_), Ok(clip)) if clip < clips => Ok(clip),
        (Err(_), Ok(clip)) => Err(Failure::Usage(format!("--clip {clip}: the model has {clips} clips"))),
        (Err(error), Err(_)) => Err(Failure::Usage(format!("--clip: {error}"))),
    }
}

/// The file of a clip: `{clip}` becomes its name.
pub(super) fn path(out: &Path, model: &Model, clip: Option<usize>) -> PathBuf {
    let text = out.to_string_lossy();
    if !text.contains(MARK) {
        return out.to_owned();
    }
    let name = match clip {
        Some(clip) => safe_names(model.clips().iter().map(|clip| clip.name())).swap_remove(clip),
        None => "rest".to_owned(),
    };
    PathBuf::from(text.replace(MARK, &name))
}

/// For each clip a name of its own that every file system takes, also those that do not tell cases apart.
fn safe_names<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut taken = HashSet::new();
    let mut safe = Vec::new();
    for (clip, name) in names.enumerate() {
        let plain = |c: char| if c.is_alphanumeric() || "-_. ".contains(c) { c } else { '_' };
        let name: String = name.chars().take(LONGEST_NAME).map(plain).collect();
        // A dot in front hides a file, and one behind is lost on some systems.
        let name = name.trim_matches(['.', ' ']);
        let name = if name.is_empty() { format!("clip_{clip}") } else { name.to_owned() };
        let numbered = (1_usize..).map(|count| format!("{name}_{count}"));
        let free =
            std::iter::once(name.clone()).chain(numbered).find(|name| !taken.contains(&name.to_lowercase()));
        let name = free.unwrap_or(name);
        taken.insert(name.to_lowercase());
        safe.push(name);
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_clips_become_names_of_files() {
        let names = ["run", "Run", "", "../../etc/passwd", "a\0b\nc", "läuft", ".", "run_1", "C:\\x"];
        let expected =
            ["run", "Run_1", "clip_2", "_.._etc_passwd", "a_b_c", "läuft", "clip_6", "run_1_1", "C__x"];
        assert_eq!(safe_names(names.into_iter()), expected);
    }

    #[test]
    fn long_names_are_cut() {
        let long = "x".repeat(1000);
        assert_eq!(safe_names([&*long].into_iter())[0].len(), LONGEST_NAME);
    }
}
