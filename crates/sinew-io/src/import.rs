//! Importing a model from a path or from bytes, in any supported format.
//!
//! Each format has a folder with an importer that goes from bytes to a [`Model`]; this file detects
//! the format and calls it.

use std::path::{Path, PathBuf};

use sinew::Model;

use crate::gltf::container::MAGIC;
use crate::gltf::document::Document;
use crate::gltf::scene;
use crate::md5::ClipText;
use crate::sandbox::{SandboxedFolder, read_file};
use crate::{ClipFile, Error, ImportOptions, RepairPolicy, Report, Warning, md5};

/// An imported model.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Import {
    /// The model. All its data has been checked.
    pub model: Model,
    /// The warnings of the import.
    pub report: Report,
    /// The files that were opened: the one given to [`load`], clips, and external files. Empty when
    /// everything came from memory.
    pub files: Vec<PathBuf>,
}

impl Import {
    /// The repairs that the import made: the warnings of the [`report`](Self::report).
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        self.report.warnings()
    }
}

/// Imports a model with the [default options](ImportOptions).
///
/// The format is detected from the contents of the file, not from its name.
///
/// # Errors
///
/// When the file cannot be read or holds no valid model. The error says where.
pub fn load(path: impl AsRef<Path>) -> Result<Import, Error> {
    load_with(path, &ImportOptions::default())
}

/// Imports a model.
///
/// The format is detected from the contents of the file, not from its name.
///
/// # Errors
///
/// When the file cannot be read or holds no valid model. The error says where.
pub fn load_with(path: impl AsRef<Path>, options: &ImportOptions) -> Result<Import, Error> {
    load_outcome(path.as_ref(), options).into_result()
}

/// Imports a model from the bytes of a file. There is no folder, so external files are refused.
///
/// # Errors
///
/// When the bytes hold no valid model. The error says where.
pub fn load_bytes(bytes: &[u8], options: &ImportOptions) -> Result<Import, Error> {
    load_bytes_outcome(bytes, options).into_result()
}

/// The outcome of an import: a model or an error, and in either case the report.
#[derive(Debug)]
pub struct ImportOutcome {
    /// The model, or why there is none.
    pub model: Result<Model, Error>,
    /// Warnings, and further errors; up to the point where the import ended.
    pub report: Report,
    /// The files that were opened.
    pub files: Vec<PathBuf>,
}

impl ImportOutcome {
    fn into_result(self) -> Result<Import, Error> {
        Ok(Import { model: self.model?, report: self.report, files: self.files })
    }
}

/// Imports a model like [`load_with`], and returns the report also when the file is refused.
#[must_use]
pub fn load_outcome(path: impl AsRef<Path>, options: &ImportOptions) -> ImportOutcome {
    let path = path.as_ref();
    let mut report = Report::new(options.repairs == RepairPolicy::Refuse);
    let folder = SandboxedFolder::containing(path, options.external_files);
    let model = read_file(path).and_then(|bytes| import(&bytes, Some(&folder), options, &mut report));
    let mut files = vec![path.to_owned()];
    files.extend(clip_paths(options));
    files.extend(folder.opened_files());
    ImportOutcome { model: model.map_err(|error| error.in_file(path)), report, files }
}

/// Imports a model like [`load_bytes`], and returns the report also when the bytes are refused.
#[must_use]
pub fn load_bytes_outcome(bytes: &[u8], options: &ImportOptions) -> ImportOutcome {
    let mut report = Report::new(options.repairs == RepairPolicy::Refuse);
    let model = import(bytes, None, options, &mut report);
    ImportOutcome { model, report, files: clip_paths(options).collect() }
}

fn clip_paths(options: &ImportOptions) -> impl Iterator<Item = PathBuf> {
    options.clips.iter().filter_map(|clip| match clip {
        ClipFile::Path(path) => Some(path.clone()),
        ClipFile::Bytes { .. } => None,
    })
}

fn import(
    bytes: &[u8],
    folder: Option<&SandboxedFolder>,
    options: &ImportOptions,
    report: &mut Report,
) -> Result<Model, Error> {
    match detect_format(bytes) {
        Some(Format::Gltf) => import_gltf(bytes, folder, options, report),
        Some(Format::Md5) => md5::import_mesh(bytes, &load_clips(options)?, options, report),
        None => Err(Error::invalid("byte 0", "GLB, glTF's JSON or MD5", first_bytes(bytes))),
    }
}

fn import_gltf(
    bytes: &[u8],
    folder: Option<&SandboxedFolder>,
    options: &ImportOptions,
    report: &mut Report,
) -> Result<Model, Error> {
    if !options.clips.is_empty() {
        let expected = "an MD5 model for the MD5 clips of the options";
        return Err(Error::invalid("", expected, "glTF"));
    }
    let document = Document::open(bytes, folder, options, report)?;
    let built = scene::build(&document, options, report);
    // Warnings about accessors are reported also when the model is refused. The error of the model
    // comes before an error that a warning is in a strict import.
    let reported = document.take_warnings(report);
    built.and_then(|model| reported.map(|()| model))
}

/// Reads the clips of the options.
fn load_clips(options: &ImportOptions) -> Result<Vec<ClipText<'_>>, Error> {
    options.clips.iter().map(load_clip).collect()
}

fn load_clip(clip: &ClipFile) -> Result<ClipText<'_>, Error> {
    match clip {
        ClipFile::Path(path) => {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            Ok(ClipText { name, file: path.clone(), bytes: read_file(path)?.into() })
        }
        ClipFile::Bytes { name, bytes } => {
            Ok(ClipText { name: name.clone(), file: name.into(), bytes: bytes.into() })
        }
    }
}

/// File formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Gltf,
    Md5,
}

/// Detects the format from the first bytes.
fn detect_format(bytes: &[u8]) -> Option<Format> {
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes).trim_ascii_start();
    if bytes.starts_with(MAGIC) || text.starts_with(b"{") {
        Some(Format::Gltf)
    } else if md5::is_md5(bytes) {
        Some(Format::Md5)
    } else {
        None
    }
}

fn first_bytes(bytes: &[u8]) -> String {
    if bytes.is_empty() {
        return "nothing".to_owned();
    }
    format!("{:?}", String::from_utf8_lossy(&bytes[..bytes.len().min(16)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_detected_from_the_first_bytes() {
        assert_eq!(detect_format(b"glTF\x02\0\0\0"), Some(Format::Gltf));
        assert_eq!(detect_format(b" \r\n\t{}"), Some(Format::Gltf));
        assert_eq!(detect_format(b"\xEF\xBB\xBF{}"), Some(Format::Gltf));
        assert_eq!(detect_format(b"MD5Version 10"), Some(Format::Md5));
        for bytes in [&b""[..], b"[]", b"null", b"glT", b"\x89PNG", b"solid"] {
            assert_eq!(detect_format(bytes), None);
        }
    }

    #[test]
    fn warnings_about_accessors_are_reported_when_the_model_is_refused() {
        let json = br#"{"asset":{"version":"2.0"},"nodes":[{"mesh":0}],
            "meshes":[{"primitives":[{"attributes":{"POSITION":0,"TEXCOORD_0":1}}]}],
            "accessors":[{"componentType":5120,"type":"VEC3","count":3,"min":[0,0,0],"max":[0,0,0]},
            {"componentType":5126,"type":"VEC2","count":2}]}"#;
        let ImportOutcome { model, report, .. } = load_bytes_outcome(json, &ImportOptions::default());
        let error = model.expect_err("two elements for three positions").to_string();
        assert!(error.contains("TEXCOORD_0"), "{error}");
        assert!(report.to_string().contains("without KHR_mesh_quantization"), "{report}");
        let strict = ImportOptions::default().repairs(RepairPolicy::Refuse);
        assert_eq!(load_bytes(json, &strict).expect_err("the same").to_string(), error);
    }
}
