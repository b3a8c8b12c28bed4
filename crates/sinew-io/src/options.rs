//! Import options.

use std::path::PathBuf;

use sinew::runtime::Unavailable;
use sinew::{FloatMode, Runtime};

/// How a file is imported. The default repairs what it can and lists each repair as a warning.
///
/// ```
/// use sinew_io::{ImageFiles, ImportOptions, RepairPolicy};
///
/// let strict = ImportOptions::default().repairs(RepairPolicy::Refuse);
/// let with_images = strict.image_files(ImageFiles::Load);
/// assert_eq!(with_images.repairs, RepairPolicy::Refuse);
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ImportOptions {
    /// Whether invalid data is repaired or refused.
    pub repairs: RepairPolicy,
    /// Whether key times that are out of order are repaired or refused.
    pub key_times: KeyTimes,
    /// Which files next to the imported one may be opened.
    pub external_files: ExternalFiles,
    /// Whether images in separate files are loaded.
    pub image_files: ImageFiles,
    /// Clips to add to an MD5 model. Other formats refuse them.
    pub clips: Vec<ClipFile>,
    /// Levels of detail to prepare in every mesh: each is the largest number of influences per
    /// vertex, one or more.
    pub levels: Vec<usize>,
    /// The float mode of the runtime that builds and runs the model: [`FloatMode::Reproducible`]
    /// gives the same bits on every instruction set.
    pub float_mode: FloatMode,
    /// Whether missing tangents are generated.
    pub tangents: Tangents,
    /// The most bytes that decoding may allocate; data that is decoded twice counts twice.
    ///
    /// `None` allows 64 MiB plus three times the size of the file and its external files. A
    /// compressed stream counts with its decoded size, up to eight times its own. Together with the
    /// file itself and the JSON tree, which has a limit of 160 MiB of its own, an import stays
    /// below 256 MB plus four times the uncompressed size. An MD5 model and its clips share one
    /// budget.
    pub memory_budget: Option<u64>,
}

impl ImportOptions {
    /// Sets [`repairs`](Self::repairs).
    #[must_use]
    pub fn repairs(mut self, repairs: RepairPolicy) -> Self {
        self.repairs = repairs;
        self
    }

    /// Sets [`key_times`](Self::key_times).
    #[must_use]
    pub fn key_times(mut self, key_times: KeyTimes) -> Self {
        self.key_times = key_times;
        self
    }

    /// Sets [`external_files`](Self::external_files).
    #[must_use]
    pub fn external_files(mut self, external_files: ExternalFiles) -> Self {
        self.external_files = external_files;
        self
    }

    /// Sets [`image_files`](Self::image_files).
    #[must_use]
    pub fn image_files(mut self, image_files: ImageFiles) -> Self {
        self.image_files = image_files;
        self
    }

    /// Sets [`clips`](Self::clips).
    #[must_use]
    pub fn clips(mut self, clips: Vec<ClipFile>) -> Self {
        self.clips = clips;
        self
    }

    /// Sets [`levels`](Self::levels).
    #[must_use]
    pub fn levels(mut self, levels: Vec<usize>) -> Self {
        self.levels = levels;
        self
    }

    /// Sets [`float_mode`](Self::float_mode).
    #[must_use]
    pub fn float_mode(mut self, float_mode: FloatMode) -> Self {
        self.float_mode = float_mode;
        self
    }

    /// Sets [`tangents`](Self::tangents).
    #[must_use]
    pub fn tangents(mut self, tangents: Tangents) -> Self {
        self.tangents = tangents;
        self
    }

    /// Sets [`memory_budget`](Self::memory_budget), in bytes.
    #[must_use]
    pub fn memory_budget(mut self, bytes: impl Into<Option<u64>>) -> Self {
        self.memory_budget = bytes.into();
        self
    }

    /// The runtime that the model is built with.
    pub(crate) fn runtime(&self) -> Result<Runtime, Unavailable> {
        Runtime::new(self.float_mode)
    }
}

/// An MD5 clip, which lives in a file of its own (`.md5anim`).
#[derive(Clone, Debug)]
pub enum ClipFile {
    /// A file. The clip gets the name of the file without its extension.
    Path(PathBuf),
    /// The contents of such a file, for programs without a file system.
    Bytes {
        /// The clip's name.
        name: String,
        /// The text.
        bytes: Vec<u8>,
    },
}

/// What happens to invalid data that can be repaired.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RepairPolicy {
    /// It is repaired, and each repair is a warning in the report.
    #[default]
    Repair,
    /// It is an error (strict import).
    Refuse,
}

/// What happens to key times that are out of order or occur twice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeyTimes {
    /// They are an error.
    #[default]
    Refuse,
    /// They are sorted, and only the last of several equal ones is kept. Each repair is a warning.
    Repair,
}

/// Whether tangents are generated for primitives that have normals and texture coordinates, but no
/// tangents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tangents {
    /// Only tangents of the file are used.
    #[default]
    AsStored,
    /// Missing tangents are generated with [`sinew::geometry::tangents`], from the texture
    /// coordinates of the material's normal map, or from the first set where there is no normal
    /// map. This temporarily allocates about 540 bytes per triangle, which count towards
    /// [`memory_budget`](ImportOptions::memory_budget).
    Generate,
}

/// Which external files (buffers and images that a document refers to) may be opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExternalFiles {
    /// Only files in the document's folder and its subfolders.
    #[default]
    WithinFolder,
    /// Any file.
    Anywhere,
}

/// Whether images in separate files are loaded. They are not decoded, except for TGA pictures of MD5
/// models, which become PNG.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ImageFiles {
    /// They are not opened; the model keeps their URIs.
    #[default]
    KeepUri,
    /// Their bytes are stored in the model. An image that cannot be read keeps its URI only, with a
    /// warning.
    Load,
}
