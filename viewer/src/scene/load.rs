//! Loads models: built-in scenes, files, and files dropped on the window.

use std::path::Path;

use sinew::Model;
use sinew_figures::cylinder::{Weighting, cylinder};
use sinew_io::{ClipFile, ImageFiles, Import, ImportOptions, picture_name};

use super::Subject;
use super::embed::embed_files;
use super::textures::has_known_signature;
use crate::settings::{CYLINDER, CYLINDERS, Weights};

/// Influence limits that can be chosen, built as levels of detail.
const LEVELS: [usize; 4] = [1, 2, 3, 4];

/// The largest model that is accepted.
const MAX_VERTICES: usize = 1 << 23;

/// A dropped file and its bytes, for browsers, where files have no paths.
#[derive(Clone, Debug)]
pub struct DroppedFile {
    /// Its name.
    pub name: String,
    /// Its contents.
    pub bytes: Vec<u8>,
}

/// Loads a model: a built-in scene or a file.
///
/// # Errors
///
/// The reason, in one line.
pub fn load(name: &str, weights: Weights, clip_files: &[String]) -> Result<Subject, String> {
    if name == CYLINDERS || name.starts_with("@cylinder") {
        return load_cylinders(name, weights);
    }
    if name.starts_with('@') {
        let scene = sinew_figures::scene(name).map_err(|error| error.to_string())?;
        let model = scene.model_with_levels(&LEVELS).map_err(|error| error.to_string())?;
        return Ok(Subject::new(name, model, false));
    }
    let clips = clip_files.iter().map(|path| ClipFile::Path(path.into())).collect();
    let read = sinew_io::load_with(Path::new(name), &options(clips)).map_err(|error| error.to_string())?;
    let short = Path::new(name).file_name().map_or(name.into(), |file| file.to_string_lossy());
    check_size(&short, read)
}

/// Loads a model from dropped files: one file, a glTF document with its buffers and images, or an
/// MD5 mesh with its clips.
///
/// # Errors
///
/// The reason, in one line.
pub fn load_bytes(files: &[DroppedFile]) -> Result<Subject, String> {
    let is_clip = |file: &&DroppedFile| file.name.ends_with(".md5anim");
    let is_document = |file: &&DroppedFile| file.name.to_lowercase().ends_with(".gltf");
    let model = files.iter().find(is_document).or(files.iter().find(|file| !is_clip(file) && !is_part(file)));
    let model = model.or(files.first()).ok_or("no file was dropped")?;
    let clip = |file: &DroppedFile| ClipFile::Bytes {
        name: file.name.trim_end_matches(".md5anim").to_owned(),
        bytes: file.bytes.clone(),
    };
    let clips = files.iter().filter(|file| is_clip(file) && file.name != model.name).map(clip).collect();
    let embedded = is_document(&model).then(|| embed_files(&model.bytes, files)).flatten();
    let read = sinew_io::load_bytes(embedded.as_deref().unwrap_or(&model.bytes), &options(clips));
    check_size(&model.name, read.map_err(|error| format!("{}{error}", file_prefix(&model.name, &error)))?)
}

/// Whether a file is a buffer or an image of a model, and no model itself.
fn is_part(file: &DroppedFile) -> bool {
    let name = file.name.to_lowercase();
    [".bin", ".png", ".jpg", ".jpeg", ".ktx2", ".webp", ".tga"].iter().any(|ending| name.ends_with(ending))
}

/// Prefixes the name of the file to errors that do not contain it.
fn file_prefix(name: &str, error: &sinew_io::Error) -> String {
    if error.to_string().contains(name) { String::new() } else { format!("{name}: ") }
}

fn options(clips: Vec<ClipFile>) -> ImportOptions {
    ImportOptions::default().levels(LEVELS.to_vec()).clips(clips).image_files(ImageFiles::Load)
}

fn check_size(name: &str, import: Import) -> Result<Subject, String> {
    let note = note(name, &import);
    let subject = Subject { note, ..Subject::new(name, import.model, false) };
    match (subject.triangles(), subject.vertices()) {
        (0, _) => Err(format!("{name}: expected a model with triangles, found none")),
        (_, found) if found > MAX_VERTICES => {
            Err(format!("{name}: expected at most {MAX_VERTICES} vertices, found {found}"))
        }
        _ => Ok(subject),
    }
}

/// The most materials that a note names.
const NAMED_MATERIALS: usize = 3;

/// Which pictures are not drawn, and why.
fn note(name: &str, import: &Import) -> Option<String> {
    let materials = import.model.materials();
    // Names in files may be any length.
    let short = |name: &str| name.chars().take(40).collect::<String>();
    let missing: Vec<&str> =
        import.missing_pictures.iter().map(|&material| materials[material].name.as_str()).collect();
    let mut parts = Vec::new();
    if !missing.is_empty() {
        let described = |name: &&str| match *name {
            "" => "a mesh that names none".to_owned(),
            name => format!("{:?} ({}.png)", short(name), short(picture_name(name))),
        };
        let named = missing.iter().take(NAMED_MATERIALS).map(described);
        let more = missing.len().saturating_sub(NAMED_MATERIALS);
        let more = (more > 0).then(|| format!("{more} more"));
        let list = named.chain(more).collect::<Vec<_>>().join(", ");
        parts.push(format!("no PNG, JPEG or TGA beside the model for material {list}"));
    }
    let skipped = count_undrawn(&import.model);
    if skipped > 0 {
        parts.push(format!("{skipped} pictures that are missing, or neither PNG nor JPEG"));
    }
    (!parts.is_empty()).then(|| format!("{name}: drawn without pictures: {}", parts.join("; ")))
}

/// The number of images that materials use as base textures and that are not drawn.
fn count_undrawn(model: &Model) -> usize {
    let is_used = |image: usize| {
        model.materials().iter().any(|material| material.base_texture.is_some_and(|own| own.image == image))
    };
    let is_drawn = |image: usize| has_known_signature(&model.images()[image]);
    (0..model.images().len()).filter(|&image| is_used(image) && !is_drawn(image)).count()
}

/// Davies' cylinder with the chosen weights, or a scene whose name has the weights.
fn load_cylinders(name: &str, weights: Weights) -> Result<Subject, String> {
    let named = || sinew_figures::scene(name).map_err(|error| error.to_string());
    let chosen = |weighting| cylinder(weighting).map_err(|error| error.to_string());
    let scene = match (name, weights) {
        (CYLINDERS | CYLINDER, Weights::Varying) => chosen(Weighting::Varying),
        (CYLINDERS | CYLINDER, Weights::AtMost(1)) => chosen(Weighting::One),
        (CYLINDERS | CYLINDER, Weights::AtMost(2)) => chosen(Weighting::Two),
        (CYLINDERS | CYLINDER, Weights::AtMost(3)) => chosen(Weighting::Three),
        (CYLINDERS | CYLINDER, _) => chosen(Weighting::Four),
        _ => named(),
    }?;
    let model = scene.model().map_err(|error| error.to_string())?;
    Ok(Subject::new(name, model, true))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_scenes_are_found_by_name() {
        for name in [CYLINDERS, "@cylinder", "@cylinder:varying", "@figure:500", "@twist"] {
            let subject = load(name, Weights::AtMost(3), &[]).expect(name);
            assert!(subject.triangles() > 100, "{name}");
        }
        for (weights, most) in [(Weights::AtMost(2), 2), (Weights::Varying, 4)] {
            assert_eq!(load(CYLINDERS, weights, &[]).expect("there is one").max_influences(), most);
        }
    }

    /// A triangle with a material, and a folder with its files.
    fn md5_folder(name: &str, files: &[(&str, &[u8])]) -> std::path::PathBuf {
        let folder = std::env::temp_dir().join(format!("sinew-viewer-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let mesh = "MD5Version 10 numJoints 1 numMeshes 1 joints { a -1 ( 0 0 0 ) ( 0 0 0 ) }
            mesh { shader \"models/imp\" numverts 3 vert 0 ( 0 0 ) 0 1 vert 1 ( 1 0 ) 1 1 vert 2 ( 0 1 ) 2 1
            numtris 1 tri 0 0 1 2 numweights 3
            weight 0 0 1 ( 0 0 0 ) weight 1 0 1 ( 1 0 0 ) weight 2 0 1 ( 0 0 1 ) }";
        std::fs::write(folder.join("a.md5mesh"), mesh).expect("a file");
        for (name, bytes) in files {
            std::fs::write(folder.join(name), bytes).expect("a file");
        }
        folder
    }

    /// A gray pixel.
    const TGA: &[u8] = &[0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 8, 0, 128];

    #[test]
    fn an_md5_model_has_the_picture_beside_it_or_a_note() {
        for (files, expected) in [
            (&[("imp.png", &b"\x89PNG"[..])][..], None),
            (&[("imp.tga", TGA)], None),
            (&[("imp.webp", b"RIFF")], Some("neither PNG nor JPEG")),
            (&[], Some("no PNG, JPEG or TGA beside the model for material \"models/imp\" (imp.png)")),
        ] {
            let folder = md5_folder(&format!("pictures-{}", files.len()), files);
            let path = folder.join("a.md5mesh").display().to_string();
            let subject = load(&path, Weights::AtMost(4), &[]).expect("a valid model");
            std::fs::remove_dir_all(&folder).expect("a folder");
            assert_eq!(subject.note.is_some(), expected.is_some(), "{:?}", subject.note);
            assert!(subject.note.unwrap_or_default().contains(expected.unwrap_or_default()));
            assert_eq!(subject.model.images().len(), files.len());
        }
    }

    #[test]
    fn errors_are_one_line() {
        let file = |name: &str, bytes: &[u8]| DroppedFile { name: name.to_owned(), bytes: bytes.to_vec() };
        for error in [
            load("@nobody", Weights::AtMost(4), &[]).expect_err("there is none"),
            load("no-such-file.glb", Weights::AtMost(4), &[]).expect_err("there is none"),
            load_bytes(&[file("bad.glb", b"glTF")]).expect_err("too short"),
            load_bytes(&[file("bad.gltf", b"{}")]).expect_err("no asset"),
            load_bytes(&[]).expect_err("no file"),
        ] {
            assert!(!error.is_empty() && !error.contains('\n'), "{error:?}");
        }
    }
}
