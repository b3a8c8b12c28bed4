//! Encodes a picture as PNG.

use std::io::{self, Write};

use png::{BitDepth, ColorType, Compression, Encoder, EncodingError};
use sinew_raster::Picture;

/// Writes a picture as PNG.
///
/// # Errors
///
/// When the system cannot write.
pub fn write_png(to: &mut dyn Write, picture: &Picture) -> io::Result<()> {
    encode(to, picture).map_err(|error| match error {
        EncodingError::IoError(source) => source,
        other => io::Error::other(other),
    })
}

fn encode(to: &mut dyn Write, picture: &Picture) -> Result<(), EncodingError> {
    let size = picture.size();
    let mut encoder = Encoder::new(to, size.width() as u32, size.height() as u32);
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::High);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(picture.bytes())?;
    writer.finish()
}
