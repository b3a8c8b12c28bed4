//! How a file is read.

use std::path::PathBuf;

/// How a file is read. The default mends what can be mended, and says so in the report.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// What is done about oddities.
    pub oddities: Oddities,
    /// Whether key times that are out of order are refused.
    pub key_times: KeyTimes,
    /// What may be opened beside the file itself.
    pub outside: Outside,
    /// For a model of MD5: files of clips that belong to it, each named after its file.
    pub clips: Vec<PathBuf>,
    /// The most bytes that decoding may take; `None` is what the file's size justifies.
    pub budget: Option<u64>,
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

/// What may be opened beside the file itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outside {
    /// Only files in its folder and below.
    #[default]
    Refuse,
    /// Any file that the document names.
    Allow,
}
