//! Writes a picture as PNG.

use std::io;
use std::path::Path;

use png::{BitDepth, ColorType, Compression, Encoder, EncodingError};
use sinew_io::{Error, OverwritePolicy};
use sinew_raster::Picture;

use crate::output_file::write_file;

pub(in crate::render) fn write_png(
    path: &Path,
    policy: OverwritePolicy,
    picture: &Picture,
) -> Result<(), Error> {
    write_file(path, policy, |file| {
        let failed = |error: EncodingError| {
            let source = match error {
                EncodingError::IoError(source) => source,
                other => io::Error::other(other),
            };
            Error::Write { file: path.to_owned(), source }
        };
        let size = picture.size();
        let mut encoder = Encoder::new(file, size.width() as u32, size.height() as u32);
        encoder.set_color(ColorType::Rgb);
        encoder.set_depth(BitDepth::Eight);
        encoder.set_compression(Compression::High);
        let mut writer = encoder.write_header().map_err(failed)?;
        writer.write_image_data(picture.bytes()).map_err(failed)?;
        writer.finish().map_err(failed)
    })
}
