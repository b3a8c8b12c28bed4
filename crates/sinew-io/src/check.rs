//! A clip on its own, without the model that it moves.

use std::path::Path;

use crate::folder::read_whole;
use crate::{Error, Oddities, Options, Report, md5};

/// What a lone clip of MD5 holds.
#[derive(Clone, Debug, PartialEq)]
pub struct LoneClip {
    /// The number of joints that it is for.
    pub joints: usize,
    /// The number of frames: one or more.
    pub frames: usize,
    /// Frames in a second.
    pub frame_rate: f64,
    /// What was odd about the file, and what would be done about it.
    pub report: Report,
}

/// Checks a lone `.md5anim`: all but whether it fits a model.
///
/// # Errors
///
/// When the file cannot be read, or the first fault, with its line and column.
pub fn check_clip(path: impl AsRef<Path>, options: &Options) -> Result<LoneClip, Error> {
    let path = path.as_ref();
    let mut report = Report::new(options.oddities == Oddities::Refuse);
    let read = md5::check_anim(&read_whole(path)?, options, &mut report);
    let md5::AnimSummary { joints, frames, frame_rate } = read.map_err(|error| error.in_file(path))?;
    Ok(LoneClip { joints, frames, frame_rate, report })
}
