//! Writes a clip as a looping GIF.

use std::borrow::Cow;
use std::io;
use std::path::Path;

use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};
use sinew_io::{Error, OverwritePolicy};
use sinew_raster::{Picture, Size};

use super::palette::{Histogram, MAX_COLORS, Palette};
use crate::CliError;
use crate::frame_times::FrameTimes;
use crate::output_file::{OutputFile, suggest_force};
use crate::progress::Progress;
use crate::render::renderer::Renderer;

/// How many frames the palette is chosen from.
const PALETTE_SAMPLES: usize = 12;
/// The palette index of pixels that do not change; GIF calls it transparent.
const UNCHANGED: u8 = MAX_COLORS as u8;

pub(in crate::render) fn write_gif(
    path: &Path,
    policy: OverwritePolicy,
    frame_times: &FrameTimes,
    rate: f64,
    renderer: &mut Renderer,
    progress: &Progress,
) -> Result<(), CliError> {
    let mut palette = choose_palette(frame_times, renderer)?;
    let size = renderer.picture(frame_times.seconds(0))?.size();
    let failed = |error: EncodingError| {
        let source = match error {
            EncodingError::Io(source) => source,
            other => io::Error::other(other),
        };
        Error::Write { file: path.to_owned(), source }
    };
    let mut file = OutputFile::create(path, policy).map_err(suggest_force)?;
    let (width, height) = (size.width() as u16, size.height() as u16);
    // GIF needs a power of two of colors; the last one stands for unchanged pixels.
    let mut table = palette.colors.clone();
    table.resize(MAX_COLORS + 1, [0; 3]);
    let mut encoder = Encoder::new(&mut file, width, height, table.as_flattened()).map_err(failed)?;
    encoder.set_repeat(Repeat::Infinite).map_err(failed)?;
    let mut previous = Vec::new();
    for frame in 0..frame_times.frames {
        let picture = renderer.picture(frame_times.seconds(frame))?;
        let changed = ChangedArea::new(picture, &mut palette, &mut previous);
        encoder.write_frame(&changed.frame(delay(frame, rate))).map_err(failed)?;
        progress.step();
    }
    encoder.into_inner().map_err(failed)?;
    file.commit().map_err(suggest_force)
}

/// Chooses one palette for the whole clip, so that colors do not flicker.
fn choose_palette(frame_times: &FrameTimes, renderer: &mut Renderer) -> Result<Palette, CliError> {
    let mut histogram = Histogram::new();
    let samples = frame_times.frames.min(PALETTE_SAMPLES);
    for sample in 0..samples {
        histogram.add(renderer.picture(frame_times.seconds(sample * frame_times.frames / samples))?.pixels());
    }
    Ok(histogram.palette())
}

/// How long a frame is shown, in hundredths of a second. Rounding errors do not accumulate.
fn delay(frame: usize, rate: f64) -> u16 {
    let end = |frame: usize| (100.0 * frame as f64 / rate + 0.5).floor();
    (end(frame + 1) - end(frame)) as u16
}

/// The rectangle in which a frame differs from the previous one.
struct ChangedArea {
    left: usize,
    top: usize,
    width: usize,
    height: usize,
    pixels: Vec<u8>,
}

impl ChangedArea {
    /// `previous` holds the palette indices of the previous frame and is replaced by those of this
    /// one; it is empty before the first frame.
    fn new(picture: &Picture, palette: &mut Palette, previous: &mut Vec<u8>) -> Self {
        let indices: Vec<u8> = picture.pixels().iter().map(|&pixel| palette.nearest(pixel)).collect();
        let size = picture.size();
        if previous.is_empty() {
            previous.clone_from(&indices);
            return Self { left: 0, top: 0, width: size.width(), height: size.height(), pixels: indices };
        }
        let [left, top, right, bottom] = changed_bounds(&indices, previous, size);
        let mut pixels = Vec::with_capacity((right - left) * (bottom - top));
        for row in top..bottom {
            for at in row * size.width() + left..row * size.width() + right {
                pixels.push(if indices[at] == previous[at] { UNCHANGED } else { indices[at] });
            }
        }
        *previous = indices;
        Self { left, top, width: right - left, height: bottom - top, pixels }
    }

    fn frame(&self, delay: u16) -> Frame<'_> {
        Frame {
            delay,
            dispose: DisposalMethod::Keep,
            transparent: Some(UNCHANGED),
            left: self.left as u16,
            top: self.top as u16,
            width: self.width as u16,
            height: self.height as u16,
            buffer: Cow::Borrowed(&self.pixels),
            ..Frame::default()
        }
    }
}

/// The left, top, right and bottom of the pixels that differ, the last two exclusive; one pixel
/// when nothing differs.
fn changed_bounds(a: &[u8], b: &[u8], size: Size) -> [usize; 4] {
    let [mut left, mut top, mut right, mut bottom] = [size.width(), size.height(), 0, 0];
    for (at, _) in a.iter().zip(b).enumerate().filter(|(_, (a, b))| a != b) {
        let (x, y) = (at % size.width(), at / size.width());
        (left, right) = (left.min(x), right.max(x + 1));
        (top, bottom) = (top.min(y), bottom.max(y + 1));
    }
    if left < right { [left, top, right, bottom] } else { [0, 0, 1, 1] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounded_delays_do_not_drift() {
        for rate in [1.0, 7.0, 24.0, 30.0, 50.0, 33.3] {
            let all: u64 = (0..1000).map(|frame| u64::from(delay(frame, rate))).sum();
            assert!((all as f64 - 100_000.0 / rate).abs() <= 1.0, "{rate}");
        }
    }
}
