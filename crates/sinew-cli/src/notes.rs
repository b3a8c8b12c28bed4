//! Notes on standard error: what a user may not expect, and no error.

use sinew::Model;

use crate::error::print_stderr;

/// Prints a note.
pub(crate) fn note(message: &str) {
    print_stderr(&format!("note: {message}"));
}

/// Times this close to an end of a clip, in seconds, count as inside.
const TOLERANCE: f64 = 1e-4;

/// Notes that `--at` is a time before the first key frame of a clip, or after the last one.
pub(crate) fn note_time_outside_clip(model: &Model, clip: Option<usize>, seconds: f64) {
    let Some(clip) = clip.map(|clip| &model.clips()[clip]) else { return };
    let (start, end) = (f64::from(clip.start()), f64::from(clip.end()));
    if seconds < start - TOLERANCE || seconds > end + TOLERANCE {
        let (name, nearest) = (clip.name(), if seconds < start { "first" } else { "last" });
        let range = format!("from {} s to {} s", clip.start(), clip.end());
        note(&format!("--at {seconds}: clip {name:?} plays {range}; its {nearest} key frame is used"));
    }
}
