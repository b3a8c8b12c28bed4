//! Models by name: made by rule, from files, or from what was dropped on the window.

use std::path::Path;

use sinew::Model;
use sinew_figures::cylinder::{Weighting, cylinder};
use sinew_io::{ClipFile, Options, Pictures};

use super::Subject;
use crate::settings::CYLINDERS;

/// All numbers of influences that can be chosen, as levels of detail.
const LEVELS: [usize; 4] = [1, 2, 3, 4];

/// More than a window can show at any pace.
const MOST_VERTICES: usize = 1 << 23;

/// A file that was dropped, with what is in it where there are no paths.
#[derive(Clone, Debug)]
pub struct File {
    /// Its name.
    pub name: String,
    /// All of it.
    pub bytes: Vec<u8>,
}

/// Finds a model: the cylinders, one made by rule, or a file.
///
/// # Errors
///
/// Why there is none, in one line.
pub fn load(name: &str, weights: usize, with: &[String]) -> Result<Subject, String> {
    if name == CYLINDERS || name.starts_with("@cylinder") {
        return cylinders(name, weights);
    }
    if name.starts_with('@') {
        let scene = sinew_figures::scene(name).map_err(|error| error.to_string())?;
        let model = scene.model_with_levels(&LEVELS).map_err(|error| error.to_string())?;
        return Ok(Subject::new(name, model, false));
    }
    let clips = with.iter().map(|path| ClipFile::Path(path.into())).collect();
    let read = sinew_io::read_with(Path::new(name), &options(clips)).map_err(|error| error.to_string())?;
    let short = Path::new(name).file_name().map_or(name.into(), |file| file.to_string_lossy());
    checked(&short, read.model)
}

/// Makes a model of what was dropped: one file, or a model of MD5 with its clips.
///
/// # Errors
///
/// Why there is none, in one line.
pub fn load_bytes(files: &[File]) -> Result<Subject, String> {
    let is_clip = |file: &&File| file.name.ends_with(".md5anim");
    let model = files.iter().find(|file| !is_clip(file)).or(files.first()).ok_or("no file was dropped")?;
    let clip = |file: &File| ClipFile::Bytes {
        name: file.name.trim_end_matches(".md5anim").to_owned(),
        bytes: file.bytes.clone(),
    };
    let clips = files.iter().filter(|file| is_clip(file) && file.name != model.name).map(clip).collect();
    let read = sinew_io::read_bytes(&model.bytes, &options(clips));
    checked(&model.name, read.map_err(|error| format!("{}{error}", prefix(&model.name, &error)))?.model)
}

/// An error that names no file is about this one.
fn prefix(name: &str, error: &sinew_io::Error) -> String {
    if error.to_string().contains(name) { String::new() } else { format!("{name}: ") }
}

fn options(clips: Vec<ClipFile>) -> Options {
    Options { levels: LEVELS.to_vec(), clips, pictures: Pictures::Read, ..Options::default() }
}

fn checked(name: &str, model: Model) -> Result<Subject, String> {
    let subject = Subject::new(name, model, false);
    match (subject.triangles(), subject.vertices()) {
        (0, _) => Err(format!("{name}: expected a model with triangles, found none")),
        (_, found) if found > MOST_VERTICES => {
            Err(format!("{name}: expected at most {MOST_VERTICES} vertices, found {found}"))
        }
        _ => Ok(subject),
    }
}

/// The weights of the name, where it has some, count for more than those of the settings.
fn cylinders(name: &str, weights: usize) -> Result<Subject, String> {
    let weighting = match (name, weights) {
        (CYLINDERS | "@cylinder", 1) => Weighting::One,
        (CYLINDERS | "@cylinder", 2) => Weighting::Two,
        (CYLINDERS | "@cylinder", 3) => Weighting::Three,
        (CYLINDERS | "@cylinder", _) => Weighting::Four,
        _ => {
            let scene = sinew_figures::scene(name).map_err(|error| error.to_string())?;
            let model = scene.model_with_levels(&LEVELS).map_err(|error| error.to_string())?;
            return Ok(Subject::new(name, model, true));
        }
    };
    let scene = cylinder(weighting).map_err(|error| error.to_string())?;
    let model = scene.model().map_err(|error| error.to_string())?;
    Ok(Subject::new(name, model, true))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scenes_by_rule_are_found_by_name() {
        for name in [CYLINDERS, "@cylinder", "@cylinder:varying", "@figure:500", "@twist"] {
            let subject = load(name, 3, &[]).expect(name);
            assert!(subject.triangles() > 100, "{name}");
        }
        assert_eq!(load(CYLINDERS, 2, &[]).expect("there is one").most_influences(), 2);
    }

    #[test]
    fn what_is_no_model_is_told_in_one_line() {
        let file = |name: &str, bytes: &[u8]| File { name: name.to_owned(), bytes: bytes.to_vec() };
        for error in [
            load("@nobody", 4, &[]).expect_err("there is none"),
            load("no-such-file.glb", 4, &[]).expect_err("there is none"),
            load_bytes(&[file("bad.glb", b"glTF")]).expect_err("too short"),
            load_bytes(&[file("bad.gltf", b"{}")]).expect_err("no asset"),
            load_bytes(&[]).expect_err("no file"),
        ] {
            assert!(!error.is_empty() && !error.contains('\n'), "{error:?}");
        }
    }
}
