//! From a path or bytes to a model, whatever the kind.

use std::path::{Path, PathBuf};

use sinew::Model;

use crate::folder::{Folder, read_whole};
use crate::gltf::container::MAGIC;
use crate::gltf::document::Document;
use crate::gltf::scene;
use crate::md5::ClipText;
use crate::{ClipFile, Error, Oddities, Options, Report, md5};

/// What was read.
#[derive(Clone, Debug)]
pub struct Read {
    /// The model, checked.
    pub model: Model,
    /// What was odd about the file, and what was done about it.
    pub report: Report,
    /// The files that were opened: the one that was asked for, clips, and those that it names. None where all came
    /// from memory.
    pub files: Vec<PathBuf>,
}

/// Reads a model, as [`Options::default`] says. The kind is told by what is in the file, not by its name.
///
/// # Errors
///
/// When the file cannot be read or makes no model; the error names the place.
pub fn read(path: impl AsRef<Path>) -> Result<Read, Error> {
    read_with(path, &Options::default())
}

/// Reads a model. The kind is told by what is in the file, not by its name.
///
/// # Errors
///
/// When the file cannot be read or makes no model; the error names the place.
pub fn read_with(path: impl AsRef<Path>, options: &Options) -> Result<Read, Error> {
    read_noting(path.as_ref(), options).whole()
}

/// Reads a model from memory. It has no folder, so files beside it are refused.
///
/// # Errors
///
/// When the bytes make no model; the error names the place.
pub fn read_bytes(bytes: &[u8], options: &Options) -> Result<Read, Error> {
    read_bytes_noting(bytes, options).whole()
}

/// A model, or why there is none; and what was odd as far as the file was read.
#[derive(Debug)]
pub struct Noted {
    /// The model, checked.
    pub model: Result<Model, Error>,
    /// What was odd about the file, and what was done about it.
    pub report: Report,
    /// The files that were opened, as far as the file was read.
    pub files: Vec<PathBuf>,
}

impl Noted {
    fn whole(self) -> Result<Read, Error> {
        Ok(Read { model: self.model?, report: self.report, files: self.files })
    }
}

/// Reads a model as [`read_with`] does, and keeps what was odd also where the file is refused.
#[must_use]
pub fn read_noting(path: impl AsRef<Path>, options: &Options) -> Noted {
    let path = path.as_ref();
    let mut report = Report::new(options.oddities == Oddities::Refuse);
    let folder = Folder::of(path, options.outside);
    let read = read_whole(path).and_then(|bytes| read_kind(&bytes, Some(&folder), options, &mut report));
    let mut files = vec![path.to_owned()];
    files.extend(clip_paths(options));
    files.extend(folder.opened());
    Noted { model: read.map_err(|error| error.in_file(path)), report, files }
}

/// Reads a model as [`read_bytes`] does, and keeps what was odd also where the bytes are refused.
#[must_use]
pub fn read_bytes_noting(bytes: &[u8], options: &Options) -> Noted {
    let mut report = Report::new(options.oddities == Oddities::Refuse);
    let model = read_kind(bytes, None, options, &mut report);
    Noted { model, report, files: clip_paths(options).collect() }
}

fn clip_paths(options: &Options) -> impl Iterator<Item = PathBuf> {
    options.clips.iter().filter_map(|clip| match clip {
        ClipFile::Path(path) => Some(path.clone()),
        ClipFile::Bytes { .. } => None,
    })
}

fn read_kind(
    bytes: &[u8],
    folder: Option<&Folder>,
    options: &Options,
    report: &mut Report,
) -> Result<Model, Error> {
    match kind(bytes) {
        Some(Kind::Gltf) => read_gltf(bytes, folder, options, report),
        Some(Kind::Md5) => md5::read_mesh(bytes, &clips(options)?, options, report),
        None => Err(Error::fault("byte 0", "GLB, glTF's JSON or MD5", beginning(bytes))),
    }
}

fn read_gltf(
    bytes: &[u8],
    folder: Option<&Folder>,
    options: &Options,
    report: &mut Report,
) -> Result<Model, Error> {
    if !options.clips.is_empty() {
        let found = "glTF, and clips of MD5 beside it";
        return Err(Error::fault("", "MD5, where clips come in files of their own", found));
    }
    let document = Document::open(bytes, folder, options, report)?;
    let built = scene::build(&document, options, report);
    // What was odd about numbers is kept also where they make no model, whose error comes first.
    let reported = document.report(report);
    built.and_then(|model| reported.map(|()| model))
}

/// The clips that the options name, each with its name.
fn clips(options: &Options) -> Result<Vec<ClipText<'_>>, Error> {
    options.clips.iter().map(clip).collect()
}

fn clip(clip: &ClipFile) -> Result<ClipText<'_>, Error> {
    match clip {
        ClipFile::Path(path) => {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            Ok(ClipText { name, file: path.clone(), bytes: read_whole(path)?.into() })
        }
        ClipFile::Bytes { name, bytes } => {
            Ok(ClipText { name: name.clone(), file: name.into(), bytes: bytes.into() })
        }
    }
}

/// The kinds of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Gltf,
    Md5,
}

/// The kind, told by how the bytes begin.
fn kind(bytes: &[u8]) -> Option<Kind> {
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes).trim_ascii_start();
    if bytes.starts_with(MAGIC) || text.starts_with(b"{") {
        Some(Kind::Gltf)
    } else if md5::is_md5(bytes) {
        Some(Kind::Md5)
    } else {
        None
    }
}

fn beginning(bytes: &[u8]) -> String {
    if bytes.is_empty() {
        return "nothing".to_owned();
    }
    format!("{:?}", String::from_utf8_lossy(&bytes[..bytes.len().min(16)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_by_content() {
        assert_eq!(kind(b"glTF\x02\0\0\0"), Some(Kind::Gltf));
        assert_eq!(kind(b" \r\n\t{}"), Some(Kind::Gltf));
        assert_eq!(kind(b"\xEF\xBB\xBF{}"), Some(Kind::Gltf));
        assert_eq!(kind(b"MD5Version 10"), Some(Kind::Md5));
        for bytes in [&b""[..], b"[]", b"null", b"glT", b"\x89PNG", b"solid"] {
            assert_eq!(kind(bytes), None);
        }
    }

    #[test]
    fn numbers_stay_odd_where_they_make_no_model() {
        let json = br#"{"asset":{"version":"2.0"},"nodes":[{"mesh":0}],
            "meshes":[{"primitives":[{"attributes":{"POSITION":0,"TEXCOORD_0":1}}]}],
            "accessors":[{"componentType":5120,"type":"VEC3","count":3,"min":[0,0,0],"max":[0,0,0]},
            {"componentType":5126,"type":"VEC2","count":2}]}"#;
        let Noted { model, report, .. } = read_bytes_noting(json, &Options::default());
        let said = model.expect_err("two elements for three positions").to_string();
        assert!(said.contains("TEXCOORD_0"), "{said}");
        assert!(report.to_string().contains("without KHR_mesh_quantization"), "{report}");
        let refusing = Options { oddities: Oddities::Refuse, ..Options::default() };
        assert_eq!(read_bytes(json, &refusing).expect_err("the same").to_string(), said);
    }
}
