//! Which clips are baked, and the names of their files.

use std::path::{Path, PathBuf};

use sinew::Model;
use sinew_io::Taken;

use super::shard::Shard;
use crate::Failure;

/// What becomes the clip's name.
pub(super) const MARK: &str = "{clip}";

/// Longer names are cut: in bytes, of which most systems take 255.
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
pub(crate) fn find(model: &Model, wish: &str) -> Result<usize, Failure> {
    let clips = model.clips().len();
    let named = model.clip(wish);
    match (named, wish.parse::<usize>()) {
        (Ok(clip), _) => Ok(clip),
        (Err(_), Ok(clip)) if clip < clips => Ok(clip),
        (Err(_), Ok(clip)) => Err(Failure::Usage(format!("--clip {clip}: the model has {clips} clips"))),
        (Err(error), Err(_)) => Err(Failure::Usage(format!("--clip: {error}"))),
    }
}

/// The files of clips: `{clip}` becomes the name of each.
pub(super) struct Paths<'a> {
    out: &'a Path,
    names: Vec<String>,
}

impl<'a> Paths<'a> {
    pub(super) fn new(out: &'a Path, model: &Model) -> Result<Self, Failure> {
        let marked = out.to_string_lossy().contains(MARK);
        if marked && out.to_str().is_none() {
            let out = out.display();
            return Err(Failure::Usage(format!("{out}: expected a name in UTF-8 around {MARK}")));
        }
        let names =
            if marked { safe_names(model.clips().iter().map(|clip| clip.name())) } else { Vec::new() };
        Ok(Self { out, names })
    }

    /// The file of a clip, or of the rest pose.
    pub(super) fn of(&self, clip: Option<usize>) -> PathBuf {
        match self.out.to_str() {
            Some(text) if text.contains(MARK) => {
                PathBuf::from(text.replace(MARK, clip.map_or("rest", |clip| &self.names[clip])))
            }
            _ => self.out.to_owned(),
        }
    }
}

/// For each clip a name of its own for a file, also where cases are not told apart.
fn safe_names<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut taken = Taken::default();
    let mut safe = Vec::new();
    for (clip, name) in names.enumerate() {
        let plain = |c: char| if c.is_alphanumeric() || "-_. ".contains(c) { c } else { '_' };
        let mut name: String = name.chars().take(LONGEST_NAME).map(plain).collect();
        while name.len() > LONGEST_NAME {
            name.pop();
        }
        // A dot in front hides a file, and one behind is lost on some systems.
        let name = name.trim_matches(['.', ' ']);
        let name = if name.is_empty() { format!("clip_{clip}") } else { name.to_owned() };
        safe.push(taken.free(name, str::to_lowercase));
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
