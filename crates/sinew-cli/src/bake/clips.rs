//! The clips to bake, and the names of their files.

use std::path::{Path, PathBuf};

use sinew::Model;
use sinew_io::UniqueNames;

use super::shard::Shard;
use crate::CliError;
use crate::clip_choice::select_clip;

/// Replaced by the clip's name in the output path.
pub(super) const CLIP_PLACEHOLDER: &str = "{clip}";

/// Longer names are cut, in bytes. Most file systems allow 255 for the whole file name.
const MAX_NAME_BYTES: usize = 100;

/// The clips that `--clip` and `--shard` select; `None` is the rest pose.
pub(super) fn select_clips(
    model: &Model,
    argument: Option<&str>,
    shard: Option<Shard>,
) -> Result<Vec<Option<usize>>, CliError> {
    let clips = model.clips().len();
    match argument {
        Some("all") if clips == 0 => Err(CliError::Usage("--clip all: the model has no clips".to_owned())),
        Some("all") => {
            Ok((0..clips).filter(|&clip| shard.is_none_or(|shard| shard.contains(clip))).map(Some).collect())
        }
        _ => Ok(vec![select_clip(model, argument)?]),
    }
}

/// The output path of each clip: `{clip}` is replaced by the clip's name.
pub(super) struct OutputPaths<'a> {
    out: &'a Path,
    names: Vec<String>,
}

impl<'a> OutputPaths<'a> {
    pub(super) fn new(out: &'a Path, model: &Model) -> Result<Self, CliError> {
        let has_placeholder = out.to_string_lossy().contains(CLIP_PLACEHOLDER);
        if has_placeholder && out.to_str().is_none() {
            let out = out.display();
            return Err(CliError::Usage(format!("{out}: expected a name in UTF-8 with {CLIP_PLACEHOLDER}")));
        }
        let names = if has_placeholder {
            file_names(model.clips().iter().map(|clip| clip.name()))
        } else {
            Vec::new()
        };
        Ok(Self { out, names })
    }

    /// The output path of a clip, or of the rest pose.
    pub(super) fn path(&self, clip: Option<usize>) -> PathBuf {
        match self.out.to_str() {
            Some(text) if text.contains(CLIP_PLACEHOLDER) => {
                PathBuf::from(text.replace(CLIP_PLACEHOLDER, clip.map_or("rest", |clip| &self.names[clip])))
            }
            _ => self.out.to_owned(),
        }
    }
}

/// A file name for each clip. Names are unique even on file systems that ignore case.
fn file_names<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut taken = UniqueNames::default();
    let mut file_names = Vec::new();
    for (clip, name) in names.enumerate() {
        let allowed = |c: char| if c.is_alphanumeric() || "-_. ".contains(c) { c } else { '_' };
        let mut name: String = name.chars().take(MAX_NAME_BYTES).map(allowed).collect();
        while name.len() > MAX_NAME_BYTES {
            name.pop();
        }
        // A leading dot hides a file, and some systems drop a trailing dot.
        let name = name.trim_matches(['.', ' ']);
        let name = if name.is_empty() { format!("clip_{clip}") } else { name.to_owned() };
        file_names.push(taken.make_unique(name, str::to_lowercase));
    }
    file_names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clip_names_become_safe_and_unique_file_names() {
        let names = ["run", "Run", "", "../../etc/passwd", "a\0b\nc", "läuft", ".", "run_1", "C:\\x"];
        let expected =
            ["run", "Run_1", "clip_2", "_.._etc_passwd", "a_b_c", "läuft", "clip_6", "run_1_1", "C__x"];
        assert_eq!(file_names(names.into_iter()), expected);
    }

    #[test]
    fn long_clip_names_are_cut() {
        let long = "x".repeat(1000);
        assert_eq!(file_names([&*long].into_iter())[0].len(), MAX_NAME_BYTES);
    }
}
