//! Checks a clip file without the model that it animates.

use std::path::Path;

use crate::sandbox::read_file;
use crate::{Error, ImportOptions, RepairPolicy, Report, md5};

/// The contents of an `.md5anim` file.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipSummary {
    /// The number of joints.
    pub joints: usize,
    /// The number of frames: one or more.
    pub frames: usize,
    /// Frames per second.
    pub frame_rate: f64,
    /// The warnings.
    pub report: Report,
}

/// Checks an `.md5anim` file: everything except whether it fits a model.
///
/// # Errors
///
/// When the file cannot be read, or its first error, with line and column.
pub fn check_clip(path: impl AsRef<Path>, options: &ImportOptions) -> Result<ClipSummary, Error> {
    let path = path.as_ref();
    let mut report = Report::new(options.repairs == RepairPolicy::Refuse);
    let summary = md5::check_anim(&read_file(path)?, options, &mut report);
    let md5::AnimSummary { joints, frames, frame_rate } = summary.map_err(|error| error.in_file(path))?;
    Ok(ClipSummary { joints, frames, frame_rate, report })
}
