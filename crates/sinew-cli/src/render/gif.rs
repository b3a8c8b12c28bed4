//! Writes a clip as a looping GIF.

use std::io;
use std::path::Path;

use sinew_io::{Error, OverwritePolicy};
use sinew_render::{GifEncoder, Histogram, Palette, Renderer};

use crate::CliError;
use crate::frame_times::FrameTimes;
use crate::output_file::{OutputFile, suggest_force};
use crate::progress::Progress;

/// How many frames the palette is chosen from.
const PALETTE_SAMPLES: usize = 12;

pub(super) fn write_gif(
    path: &Path,
    policy: OverwritePolicy,
    frame_times: &FrameTimes,
    rate: f64,
    renderer: &mut Renderer,
    progress: &Progress,
) -> Result<(), CliError> {
    let palette = choose_palette(frame_times, renderer)?;
    let size = renderer.picture(frame_times.seconds(0))?.size();
    let failed = |source: io::Error| Error::Write { file: path.to_owned(), source };
    let mut file = OutputFile::create(path, policy).map_err(suggest_force)?;
    let mut encoder = GifEncoder::new(&mut file, size, palette, rate).map_err(failed)?;
    for frame in 0..frame_times.frames {
        encoder.add(renderer.picture(frame_times.seconds(frame))?).map_err(failed)?;
        progress.step();
    }
    encoder.finish().map_err(failed)?;
    file.commit().map_err(suggest_force)
}

/// Chooses one palette for the whole clip.
fn choose_palette(frame_times: &FrameTimes, renderer: &mut Renderer) -> Result<Palette, CliError> {
    let mut histogram = Histogram::default();
    let samples = frame_times.frames.min(PALETTE_SAMPLES);
    for sample in 0..samples {
        histogram.add(renderer.picture(frame_times.seconds(sample * frame_times.frames / samples))?.pixels());
    }
    Ok(histogram.palette())
}
