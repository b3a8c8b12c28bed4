//! Writes a picture without opening a window.

use std::io;
use std::path::Path;

use png::{BitDepth, ColorType, Encoder, EncodingError};
use sinew_io::{Error, OverwritePolicy, write_atomic};

use super::arguments::Arguments;
use crate::settings::Settings;

/// Draws the requested number of frames and writes the last one as PNG.
pub(super) fn screenshot(arguments: &Arguments, settings: Settings, out: &Path) -> Result<(), String> {
    let frames = arguments.frames.unwrap_or(1);
    let pixels = pixels(settings, arguments.size, frames)?;
    write(out, arguments.size, &pixels).map_err(|error| error.to_string())
}

#[cfg(target_os = "linux")]
fn pixels(settings: Settings, size: [u32; 2], frames: u64) -> Result<Vec<u8>, String> {
    crate::offscreen::render_frames(settings, size, frames)
}

#[cfg(not(target_os = "linux"))]
fn pixels(_: Settings, _: [u32; 2], _: u64) -> Result<Vec<u8>, String> {
    Err("pictures without a window need EGL, which is supported on Linux only".to_owned())
}

fn write(path: &Path, [width, height]: [u32; 2], pixels: &[u8]) -> Result<(), Error> {
    let colors: Vec<u8> = pixels.as_chunks::<4>().0.iter().flat_map(|&[r, g, b, _]| [r, g, b]).collect();
    write_atomic(path, OverwritePolicy::Replace, |file| {
        let failed = |error: EncodingError| {
            let source = match error {
                EncodingError::IoError(source) => source,
                other => io::Error::other(other),
            };
            Error::Write { file: path.to_owned(), source }
        };
        let mut encoder = Encoder::new(file, width, height);
        encoder.set_color(ColorType::Rgb);
        encoder.set_depth(BitDepth::Eight);
        let mut writer = encoder.write_header().map_err(failed)?;
        writer.write_image_data(&colors).map_err(failed)?;
        writer.finish().map_err(failed)
    })
}
