//! Importing a model from a path or from bytes, in any supported format.

use std::path::{Path, PathBuf};

use sinew::Model;

use crate::sandbox::{SandboxedFolder, read_file};
use crate::scene::BuiltScene;
use crate::{
    ClipFile, Error, ImportContext, ImportOptions, Importer, RawScene, RepairPolicy, Report, Warning,
    foreign_format, scene,
};

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
    /// What the file has and the model does not keep, each in a few words: extensions by name,
    /// cameras, custom attributes.
    pub dropped: Vec<String>,
    /// The materials whose pictures were looked for beside the file, and not found. MD5 names a
    /// material; its picture is a file in the model's folder of the same name, which
    /// `picture_name` returns.
    pub missing_pictures: Vec<usize>,
    /// The VRM data of the file.
    #[cfg(feature = "vrm")]
    pub vrm: Option<crate::Vrm>,
}

impl Import {
    /// The repairs that the import made: the warnings of the [`report`](Self::report).
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        self.report.warnings()
    }
}

/// Imports models: the formats of this crate, and those that [`with`](Self::with) adds.
///
/// The format is detected from the contents of a file, not from its name.
///
/// ```
/// use sinew_io::{Error, ImportContext, ImportOptions, Importer, Loader, RawNode, RawScene};
///
/// /// A format with one node.
/// struct Single;
///
/// impl Importer for Single {
///     fn name(&self) -> &'static str {
///         "a single node"
///     }
///     fn detect(&self, bytes: &[u8]) -> bool {
///         bytes.starts_with(b"single ")
///     }
///     fn read<'a>(&self, bytes: &'a [u8], _: &mut ImportContext<'_>) -> Result<RawScene<'a>, Error> {
///         let name = String::from_utf8_lossy(&bytes[7..]).into_owned();
///         Ok(RawScene { nodes: vec![RawNode { name, ..RawNode::default() }], ..RawScene::default() })
///     }
/// }
///
/// let loader = Loader::default().with(Single);
/// let import = loader.load_bytes(b"single hip", &ImportOptions::default())?;
/// assert_eq!(import.model.skeleton().name(sinew::JointId::new(0)), "hip");
/// # Ok::<(), sinew_io::Error>(())
/// ```
pub struct Loader {
    importers: Vec<Box<dyn Importer>>,
}

impl Default for Loader {
    /// The formats of this crate, as far as its features include them.
    fn default() -> Self {
        Self {
            importers: vec![
                #[cfg(feature = "gltf")]
                Box::new(crate::gltf::GltfImporter),
                #[cfg(feature = "md5")]
                Box::new(crate::md5::Md5Importer),
                #[cfg(feature = "bvh")]
                Box::new(crate::bvh::BvhImporter),
            ],
        }
    }
}

impl Loader {
    /// Adds a format. Formats are tried in the order in which they were added.
    #[must_use]
    pub fn with(mut self, importer: impl Importer + 'static) -> Self {
        self.importers.push(Box::new(importer));
        self
    }

    /// Imports a model from a file.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or holds no valid model. The error says where.
    pub fn load(&self, path: impl AsRef<Path>, options: &ImportOptions) -> Result<Import, Error> {
        self.load_outcome(path, options).into_result()
    }

    /// Imports a model from the bytes of a file. There is no folder, so external files are refused.
    ///
    /// # Errors
    ///
    /// When the bytes hold no valid model. The error says where.
    pub fn load_bytes(&self, bytes: &[u8], options: &ImportOptions) -> Result<Import, Error> {
        self.load_bytes_outcome(bytes, options).into_result()
    }

    /// Imports a model like [`load`](Self::load), and returns the report also when the file is
    /// refused.
    #[must_use]
    pub fn load_outcome(&self, path: impl AsRef<Path>, options: &ImportOptions) -> ImportOutcome {
        let path = path.as_ref();
        let folder = SandboxedFolder::containing(path, options.external_files);
        let mut report = Report::new(options.repairs == RepairPolicy::Refuse);
        let mut losses = Losses::default();
        let model = read_file(path).and_then(|bytes| {
            let mut context = ImportContext::new(options, &mut report, Some(&folder), bytes.len() as u64);
            let mut scene = self.read(&bytes, &mut context)?;
            losses = Losses::take(&mut scene);
            Ok(scene::build(scene, &mut context)?)
        });
        let mut files = vec![path.to_owned()];
        files.extend(clip_paths(options));
        files.extend(folder.opened_files());
        ImportOutcome::new(model.map_err(|error| error.in_file(path)), report, files, losses)
    }

    /// Imports a model like [`load_bytes`](Self::load_bytes), and returns the report also when the
    /// bytes are refused.
    #[must_use]
    pub fn load_bytes_outcome(&self, bytes: &[u8], options: &ImportOptions) -> ImportOutcome {
        let mut report = Report::new(options.repairs == RepairPolicy::Refuse);
        let mut context = ImportContext::new(options, &mut report, None, bytes.len() as u64);
        let mut losses = Losses::default();
        let model = self.read(bytes, &mut context).and_then(|mut scene| {
            losses = Losses::take(&mut scene);
            Ok(scene::build(scene, &mut context)?)
        });
        ImportOutcome::new(model, report, clip_paths(options).collect(), losses)
    }

    /// The names of all formats, such as `glTF, MD5 or BVH`.
    fn format_names(&self) -> String {
        let names: Vec<_> = self.importers.iter().map(|importer| importer.name()).collect();
        match names.split_last() {
            Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
            _ => names.concat(),
        }
    }

    /// Detects the format and parses the bytes.
    fn read<'a>(&self, bytes: &'a [u8], context: &mut ImportContext<'_>) -> Result<RawScene<'a>, Error> {
        let Some(importer) = self.importers.iter().find(|importer| importer.detect(bytes)) else {
            let expected = format!("a file of the format {}", self.format_names());
            let found = foreign_format::describe(bytes).unwrap_or_else(|| first_bytes(bytes));
            return Err(Error::invalid("byte 0", expected, found));
        };
        if !importer.takes_clips() && !context.options.clips.is_empty() {
            let expected = "an MD5 model, which takes clips of other files";
            return Err(Error::invalid("", expected, importer.name()));
        }
        importer.read(bytes, context)
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
    Loader::default().load(path, options)
}

/// Imports a model from the bytes of a file. There is no folder, so external files are refused.
///
/// # Errors
///
/// When the bytes hold no valid model. The error says where.
pub fn load_bytes(bytes: &[u8], options: &ImportOptions) -> Result<Import, Error> {
    Loader::default().load_bytes(bytes, options)
}

/// What a scene has not of its file.
#[derive(Default)]
struct Losses {
    dropped: Vec<String>,
    missing_pictures: Vec<usize>,
}

impl Losses {
    fn take(scene: &mut RawScene) -> Self {
        Self {
            dropped: std::mem::take(&mut scene.dropped),
            missing_pictures: std::mem::take(&mut scene.missing_pictures),
        }
    }
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
    /// What the file has and the model does not keep.
    pub dropped: Vec<String>,
    /// The materials whose pictures were looked for beside the file, and not found.
    pub missing_pictures: Vec<usize>,
    /// The VRM data of the file.
    #[cfg(feature = "vrm")]
    pub vrm: Option<crate::Vrm>,
}

impl ImportOutcome {
    fn new(
        built: Result<BuiltScene, Error>,
        report: Report,
        files: Vec<PathBuf>,
        Losses { dropped, missing_pictures }: Losses,
    ) -> Self {
        #[cfg(feature = "vrm")]
        let (built, vrm) = match built {
            Ok(mut built) => {
                let vrm = built.vrm.take();
                (Ok(built), vrm)
            }
            Err(error) => (Err(error), None),
        };
        Self {
            model: built.map(|built| built.model),
            report,
            files,
            dropped,
            missing_pictures,
            #[cfg(feature = "vrm")]
            vrm,
        }
    }

    /// The model with what else the import found; or why there is no model.
    ///
    /// # Errors
    ///
    /// The error of the outcome.
    pub fn into_result(self) -> Result<Import, Error> {
        Ok(Import {
            model: self.model?,
            report: self.report,
            files: self.files,
            dropped: self.dropped,
            missing_pictures: self.missing_pictures,
            #[cfg(feature = "vrm")]
            vrm: self.vrm,
        })
    }
}

/// Imports a model like [`load_with`], and returns the report also when the file is refused.
#[must_use]
pub fn load_outcome(path: impl AsRef<Path>, options: &ImportOptions) -> ImportOutcome {
    Loader::default().load_outcome(path, options)
}

/// Imports a model like [`load_bytes`], and returns the report also when the bytes are refused.
#[must_use]
pub fn load_bytes_outcome(bytes: &[u8], options: &ImportOptions) -> ImportOutcome {
    Loader::default().load_bytes_outcome(bytes, options)
}

fn clip_paths(options: &ImportOptions) -> impl Iterator<Item = PathBuf> {
    options.clips.iter().filter_map(|clip| match clip {
        ClipFile::Path(path) => Some(path.clone()),
        ClipFile::Bytes { .. } => None,
    })
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

    fn detected(bytes: &[u8]) -> Option<&'static str> {
        let loader = Loader::default();
        loader.importers.iter().find(|importer| importer.detect(bytes)).map(|importer| importer.name())
    }

    #[test]
    fn formats_are_detected_from_the_first_bytes() {
        assert_eq!(detected(b"glTF\x02\0\0\0"), Some("glTF"));
        assert_eq!(detected(b" \r\n\t{}"), Some("glTF"));
        assert_eq!(detected(b"\xEF\xBB\xBF{}"), Some("glTF"));
        assert_eq!(detected(b"MD5Version 10"), Some("MD5"));
        assert_eq!(detected(b"\r\nHierarchy\nROOT hips"), Some("BVH"));
        for bytes in [&b""[..], b"[]", b"null", b"glT", b"\x89PNG", b"solid"] {
            assert_eq!(detected(bytes), None);
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
