//! A clip as GIF, over and over.

use std::borrow::Cow;
use std::io;
use std::path::Path;

use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};
use sinew_io::{Error, OverwritePolicy};
use sinew_raster::{Picture, Size};

use super::palette::{Histogram, MOST, Palette};
use crate::Failure;
use crate::bake::{Plan, force_helps};
use crate::output_file::OutputFile;
use crate::progress::Progress;
use crate::render::show::Show;

/// How many pictures the colours are chosen by.
const LOOKED_AT: usize = 12;
/// Stands for a pixel that stays as it is.
const SAME: u8 = MOST as u8;

pub(in crate::render) fn write_gif(
    path: &Path,
    policy: OverwritePolicy,
    plan: &Plan,
    rate: f64,
    show: &mut Show,
    progress: &Progress,
) -> Result<(), Failure> {
    let mut palette = palette(plan, show)?;
    let size = show.picture(plan.seconds(0))?.size();
    let failed = |error: EncodingError| {
        let source = match error {
            EncodingError::Io(source) => source,
            other => io::Error::other(other),
        };
        Error::Write { file: path.to_owned(), source }
    };
    let mut file = OutputFile::create(path, policy).map_err(force_helps)?;
    let (width, height) = (size.width() as u16, size.height() as u16);
    // The table has a place for that of pixels that stay, too.
    let mut table = palette.colours.clone();
    table.resize(MOST + 1, [0; 3]);
    let mut encoder = Encoder::new(&mut file, width, height, table.as_flattened()).map_err(failed)?;
    encoder.set_repeat(Repeat::Infinite).map_err(failed)?;
    let mut shown = Vec::new();
    for frame in 0..plan.frames {
        let picture = show.picture(plan.seconds(frame))?;
        let changed = Changed::new(picture, &mut palette, &mut shown);
        encoder.write_frame(&changed.frame(delay(frame, rate))).map_err(failed)?;
        progress.step();
    }
    encoder.into_inner().map_err(failed)?;
    file.commit().map_err(force_helps)
}

/// Colours for the whole clip.
fn palette(plan: &Plan, show: &mut Show) -> Result<Palette, Failure> {
    let mut histogram = Histogram::new();
    let looks = plan.frames.min(LOOKED_AT);
    for look in 0..looks {
        histogram.add(show.picture(plan.seconds(look * plan.frames / looks))?.pixels());
    }
    Ok(histogram.palette())
}

/// Hundredths of a second that a frame stays, so that none of them drifts.
fn delay(frame: usize, rate: f64) -> u16 {
    let end = |frame: usize| (100.0 * frame as f64 / rate + 0.5).floor();
    (end(frame + 1) - end(frame)) as u16
}

/// What of a picture differs from the one before.
struct Changed {
    left: usize,
    top: usize,
    width: usize,
    height: usize,
    pixels: Vec<u8>,
}

impl Changed {
    /// `shown` is the picture before, and becomes this one; it is empty at first.
    fn new(picture: &Picture, palette: &mut Palette, shown: &mut Vec<u8>) -> Self {
        let indices: Vec<u8> = picture.pixels().iter().map(|&pixel| palette.nearest(pixel)).collect();
        let size = picture.size();
        if shown.is_empty() {
            shown.clone_from(&indices);
            return Self { left: 0, top: 0, width: size.width(), height: size.height(), pixels: indices };
        }
        let [left, top, right, bottom] = bounds(&indices, shown, size);
        let mut pixels = Vec::with_capacity((right - left) * (bottom - top));
        for row in top..bottom {
            for at in row * size.width() + left..row * size.width() + right {
                pixels.push(if indices[at] == shown[at] { SAME } else { indices[at] });
            }
        }
        *shown = indices;
        Self { left, top, width: right - left, height: bottom - top, pixels }
    }

    fn frame(&self, delay: u16) -> Frame<'_> {
        Frame {
            delay,
            dispose: DisposalMethod::Keep,
            transparent: Some(SAME),
            left: self.left as u16,
            top: self.top as u16,
            width: self.width as u16,
            height: self.height as u16,
            buffer: Cow::Borrowed(&self.pixels),
            ..Frame::default()
        }
    }
}

/// Left, top, and past the right and the bottom of what differs; one pixel where nothing does.
fn bounds(a: &[u8], b: &[u8], size: Size) -> [usize; 4] {
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
    fn times_do_not_drift() {
        for rate in [1.0, 7.0, 24.0, 30.0, 50.0, 33.3] {
            let all: u64 = (0..1000).map(|frame| u64::from(delay(frame, rate))).sum();
            assert!((all as f64 - 100_000.0 / rate).abs() <= 1.0, "{rate}");
        }
    }
}
