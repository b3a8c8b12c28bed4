//! Encodes pictures as a looping GIF.

use std::borrow::Cow;
use std::io::{self, Write};

use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};
use sinew_raster::{Picture, Size};

use crate::palette::{BIN_SIZE, MAX_COLORS, Palette};

/// The palette index of pixels that do not change; GIF calls it transparent.
const UNCHANGED: u8 = MAX_COLORS as u8;

/// Writes the frames of a looping GIF. All of them have one palette, so that colors do not flicker.
pub struct GifEncoder<'a> {
    encoder: Encoder<&'a mut dyn Write>,
    palette: Palette,
    /// The palette indices of the previous frame; empty before the first.
    previous: Vec<u8>,
    frames: usize,
    rate: f64,
}

impl<'a> GifEncoder<'a> {
    /// Writes the header of a GIF with a number of frames per second.
    ///
    /// # Errors
    ///
    /// When the system cannot write.
    pub fn new(to: &'a mut dyn Write, size: Size, palette: Palette, rate: f64) -> io::Result<Self> {
        let (width, height) = (size.width() as u16, size.height() as u16);
        // GIF needs a power of two of colors; the last one stands for unchanged pixels.
        let mut table = palette.colors.clone();
        table.resize(MAX_COLORS + 1, [0; 3]);
        let mut encoder = Encoder::new(to, width, height, table.as_flattened()).map_err(io_error)?;
        encoder.set_repeat(Repeat::Infinite).map_err(io_error)?;
        Ok(Self { encoder, palette, previous: Vec::new(), frames: 0, rate })
    }

    /// Writes the next frame, which has the size of the GIF.
    ///
    /// # Errors
    ///
    /// When the system cannot write.
    pub fn add(&mut self, picture: &Picture) -> io::Result<()> {
        let changed = ChangedArea::new(picture, &mut self.palette, &mut self.previous);
        let delay = delay(self.frames, self.rate);
        self.frames += 1;
        self.encoder.write_frame(&changed.frame(delay)).map_err(io_error)
    }

    /// Writes the end of the GIF.
    ///
    /// # Errors
    ///
    /// When the system cannot write.
    pub fn finish(self) -> io::Result<()> {
        self.encoder.into_inner().map(|_| ()).map_err(io_error)
    }
}

fn io_error(error: EncodingError) -> io::Error {
    match error {
        EncodingError::Io(source) => source,
        other => io::Error::other(other),
    }
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
        let size = picture.size();
        let dithered = |(at, &pixel): (usize, &[u8; 3])| {
            palette.nearest(dither(pixel, at % size.width(), at / size.width()))
        };
        let indices: Vec<u8> = picture.pixels().iter().enumerate().map(dithered).collect();
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

/// Adds an offset that depends on the pixel's position, so that a gradient between two colors of
/// the palette becomes a fine pattern of both. The pattern stands still, unlike diffused errors, so
/// that what does not move stays the same from frame to frame.
fn dither(pixel: [u8; 3], x: usize, y: usize) -> [u8; 3] {
    // Bayer's matrix of 8 by 8: the bits of x ^ y and y, interleaved from the lowest to the
    // highest.
    let (a, b) = (x ^ y, y);
    let threshold = (0..3).fold(0, |sum, bit| sum << 2 | (a >> bit & 1) << 1 | b >> bit & 1);
    // From minus to plus half a bin of the palette's lookup, in 64 steps.
    let offset = (threshold as i32 * 2 - 63) * (BIN_SIZE / 2);
    pixel.map(|code| (i32::from(code) + (offset + 32).div_euclid(64)).clamp(0, 255) as u8)
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
    use crate::palette::Histogram;

    #[test]
    fn gradients_have_no_rings() {
        // A slow gradient from left to right: without dithering, it has steps of several codes.
        let (width, height) = (256, 16);
        let gray = |x: usize| (220 + x / 16) as u8;
        let pixels: Vec<[u8; 3]> = (0..width * height).map(|at| [gray(at % width); 3]).collect();
        let mut histogram = Histogram::default();
        histogram.add(&pixels);
        let mut palette = histogram.palette();
        let found = |palette: &mut Palette, x: usize, y: usize| {
            let index = palette.nearest(dither([gray(x); 3], x, y));
            f64::from(palette.colors[index as usize][0])
        };
        let mut largest = 0.0_f64;
        // The outermost colors of the palette have no neighbor on one side.
        for left in (64..width - 64).step_by(8) {
            let cells = (0..64).map(|cell| (left + cell % 8, cell / 8));
            let sum: f64 = cells.map(|(x, y)| found(&mut palette, x, y)).sum();
            largest = largest.max((sum / 64.0 - f64::from(gray(left))).abs());
        }
        assert!(largest <= 1.0, "{largest}");
    }

    #[test]
    fn the_pattern_has_every_threshold_once_in_eight_by_eight_pixels() {
        let mut offsets: Vec<i32> =
            (0..64).map(|cell| i32::from(dither([128; 3], cell % 8, cell / 8)[0]) - 128).collect();
        offsets.sort_unstable();
        assert_eq!((offsets[0], offsets[63]), (-2, 2));
        assert_eq!(offsets.iter().sum::<i32>(), 0);
    }

    #[test]
    fn rounded_delays_do_not_drift() {
        for rate in [1.0, 7.0, 24.0, 30.0, 50.0, 33.3] {
            let all: u64 = (0..1000).map(|frame| u64::from(delay(frame, rate))).sum();
            assert!((all as f64 - 100_000.0 / rate).abs() <= 1.0, "{rate}");
        }
    }
}
