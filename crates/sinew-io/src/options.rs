//! How a file is read.

use std::path::PathBuf;

use sinew::{FloatMode, Kernels, backend};

/// How a file is read. The default mends what can be mended, and says so in the report.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// What is done about oddities.
    pub oddities: Oddities,
    /// Whether key times that are out of order are refused.
    pub key_times: KeyTimes,
    /// What may be opened beside the file itself.
    pub outside: Outside,
    /// Whether pictures in files beside the model are read.
    pub pictures: Pictures,
    /// For a model of MD5: clips that belong to it.
    pub clips: Vec<ClipFile>,
    /// Levels of detail to prepare in every mesh: each the most influences of a vertex, one or more.
    pub levels: Vec<usize>,
    /// How the kernels round on which the model is read and runs: [`FloatMode::Reproducible`] gives the same bits on every
    /// instruction set.
    pub float_mode: FloatMode,
    /// What becomes of surfaces that have normals and texture coordinates, but no tangents.
    pub tangents: Tangents,
    /// The most bytes that decoding may take, each decoding of the same numbers counted. `None` is what the file
    /// justifies: 64 MiB and three times its size, files beside it included, and compressed streams at what they hold,
    /// though at eight times their size at most. With the file itself and the tree of its JSON, which has 160 MiB of
    /// its own, reading then stays below 256 MB and four times the size of what is not compressed. A model of MD5 and its
    /// clips have one budget together: 64 MiB and three times the sum of their sizes, or what is set here.
    pub budget: Option<u64>,
}

impl Options {
    /// The kernels that the model is to run on.
    pub(crate) fn kernels(&self) -> Result<&'static Kernels, sinew::Error> {
        Ok(backend::default()?.kernels(self.float_mode))
    }
}

/// A clip of MD5, which has a file of its own.
#[derive(Clone, Debug)]
pub enum ClipFile {
    /// A file; the clip is named after it.
    Path(PathBuf),
    /// What is in such a file, for those who have no files.
    Bytes {
        /// The clip's name.
        name: String,
        /// The text.
        bytes: Vec<u8>,
    },
}

/// What is done about oddities.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Oddities {
    /// They are mended, and noted in the report.
    #[default]
    Mend,
    /// Each is an error.
    Refuse,
}

/// What is done about key times that are out of order, or occur twice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeyTimes {
    /// They are an error.
    #[default]
    Refuse,
    /// They are sorted, and all but the last of equal ones dropped; the report says so.
    Repair,
}

/// What becomes of surfaces that have normals and texture coordinates, but no tangents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tangents {
    /// They have none.
    #[default]
    AsStored,
    /// They get those of [`sinew::tangents`], by the coordinates of the material's normal map, or the first set where it has
    /// none. Making them takes some 540 bytes for each triangle for a while, which count as decoding.
    Made,
}

/// What may be opened beside the file itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outside {
    /// Only files in its folder and below.
    #[default]
    Refuse,
    /// Any file that the document names.
    Allow,
}

/// What is done about pictures that lie in files beside the model. They are never decoded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pictures {
    /// They are not opened; the model has their names.
    #[default]
    Name,
    /// Their bytes become part of the model. One that cannot be read keeps its name alone, and the report says so.
    Read,
}
