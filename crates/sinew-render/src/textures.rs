//! The textures of a model's materials, decoded from PNG, JPEG and WebP images.

use std::io::Cursor;

use image_webp::WebPDecoder;
use png::{ColorType, Decoder, Limits, Transformations};
use sinew::Model;
use sinew::model::Image;
use sinew_raster::Texture;
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

/// The most bytes that the PNG decoder may allocate for an image.
const MAX_DECODED_BYTES: usize = 256 << 20;
/// The most texels of all images together: half a gigabyte, including their mip levels.
const MAX_TEXELS: u64 = 1 << 25;

/// The decoded textures, and the texture of each material.
#[derive(Default)]
pub(crate) struct Textures {
    pub(crate) all: Vec<Texture>,
    by_material: Vec<Option<usize>>,
    /// The number of images that cannot be decoded.
    unreadable: usize,
    /// The number of images that would exceed the texel limit.
    over_limit: usize,
}

/// Why an image was skipped.
#[derive(Debug, PartialEq)]
enum SkipReason {
    Unreadable,
    OverLimit,
}

impl Textures {
    /// Decodes the base color texture of each material. Each image is decoded once.
    pub(crate) fn new(model: &Model) -> Self {
        let mut textures = Self::default();
        let mut texels_left = MAX_TEXELS;
        let mut by_image: Vec<Option<Option<usize>>> = vec![None; model.images().len()];
        for material in model.materials() {
            let texture = material.base_texture.and_then(|texture| {
                let image = &model.images()[texture.image];
                *by_image[texture.image].get_or_insert_with(|| textures.add(image, &mut texels_left))
            });
            textures.by_material.push(texture);
        }
        textures
    }

    fn add(&mut self, image: &Image, texels_left: &mut u64) -> Option<usize> {
        match decode(image, texels_left) {
            Ok(texture) => {
                self.all.push(texture);
                return Some(self.all.len() - 1);
            }
            Err(SkipReason::Unreadable) => self.unreadable += 1,
            Err(SkipReason::OverLimit) => self.over_limit += 1,
        }
        None
    }

    /// The index of a material's texture in `all`.
    pub(crate) fn material_texture(&self, material: usize) -> Option<usize> {
        self.by_material.get(material).copied().flatten()
    }

    /// Messages about skipped images, one for each reason.
    pub(crate) fn skip_messages(&self) -> impl Iterator<Item = String> {
        let reasons = [
            (self.unreadable, "not a valid PNG or JPEG".to_owned()),
            (self.over_limit, format!("expected at most {MAX_TEXELS} texels in all images")),
        ];
        let skipped = reasons.into_iter().filter(|(images, _)| *images > 0);
        skipped.map(|(images, reason)| {
            let plural = if images == 1 { "" } else { "s" };
            format!("{images} image{plural} skipped: {reason}")
        })
    }
}

/// Width, height and texels.
type Texels = (usize, usize, Vec<[u8; 3]>);

/// Decodes an image and subtracts its texels from those that are left.
fn decode(image: &Image, texels_left: &mut u64) -> Result<Texture, SkipReason> {
    let decode = match &image.bytes[..] {
        [0xFF, 0xD8, 0xFF, ..] => decode_jpeg,
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => decode_webp,
        _ => decode_png,
    };
    let (width, height, texels) = decode(&image.bytes, *texels_left)?;
    let texture = Texture::new(width, height, &texels).map_err(|_| SkipReason::Unreadable)?;
    *texels_left -= texels.len() as u64;
    Ok(texture)
}

/// Checks the texel limit. Called before memory is allocated for the texels.
fn check_limit(width: usize, height: usize, texels_left: u64) -> Result<(), SkipReason> {
    let texels = (width as u64).checked_mul(height as u64);
    if texels.is_some_and(|texels| texels <= texels_left) { Ok(()) } else { Err(SkipReason::OverLimit) }
}

fn decode_png(bytes: &[u8], texels_left: u64) -> Result<Texels, SkipReason> {
    let limits = Limits { bytes: MAX_DECODED_BYTES };
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), limits);
    decoder.set_transformations(Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().map_err(|_| SkipReason::Unreadable)?;
    let (width, height) = (reader.info().width as usize, reader.info().height as usize);
    check_limit(width, height, texels_left)?;
    let mut bytes = vec![0; reader.output_buffer_size().ok_or(SkipReason::Unreadable)?];
    let info = reader.next_frame(&mut bytes).map_err(|_| SkipReason::Unreadable)?;
    let bytes = &bytes[..info.buffer_size()];
    let gray = |step: usize| bytes.iter().step_by(step).map(|&gray| [gray; 3]).collect();
    let texels: Vec<[u8; 3]> = match info.color_type {
        ColorType::Grayscale => gray(1),
        ColorType::GrayscaleAlpha => gray(2),
        ColorType::Rgb => bytes.as_chunks::<3>().0.to_vec(),
        ColorType::Rgba => bytes.as_chunks::<4>().0.iter().map(|&[r, g, b, _]| [r, g, b]).collect(),
        ColorType::Indexed => return Err(SkipReason::Unreadable),
    };
    Ok((width, height, texels))
}

fn decode_jpeg(bytes: &[u8], texels_left: u64) -> Result<Texels, SkipReason> {
    let options = DecoderOptions::default().set_use_unsafe(false).jpeg_set_out_colorspace(ColorSpace::RGB);
    let mut decoder = JpegDecoder::new_with_options(Cursor::new(bytes), options);
    decoder.decode_headers().map_err(|_| SkipReason::Unreadable)?;
    let (width, height) = decoder.dimensions().ok_or(SkipReason::Unreadable)?;
    check_limit(width, height, texels_left)?;
    let bytes = decoder.decode().map_err(|_| SkipReason::Unreadable)?;
    Ok((width, height, bytes.as_chunks().0.to_vec()))
}

fn decode_webp(bytes: &[u8], texels_left: u64) -> Result<Texels, SkipReason> {
    let mut decoder = WebPDecoder::new(Cursor::new(bytes)).map_err(|_| SkipReason::Unreadable)?;
    decoder.set_memory_limit(MAX_DECODED_BYTES);
    let (width, height) = decoder.dimensions();
    let (width, height) = (width as usize, height as usize);
    check_limit(width, height, texels_left)?;
    let mut bytes = vec![0; decoder.output_buffer_size().ok_or(SkipReason::Unreadable)?];
    decoder.read_image(&mut bytes).map_err(|_| SkipReason::Unreadable)?;
    let texels = match decoder.has_alpha() {
        true => bytes.as_chunks::<4>().0.iter().map(|&[r, g, b, _]| [r, g, b]).collect(),
        false => bytes.as_chunks::<3>().0.to_vec(),
    };
    Ok((width, height, texels))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn webp_is_decoded() {
        let texels: Vec<u8> = (0..4 * 3 * 3).map(|byte| byte * 7).collect();
        let mut bytes = Vec::new();
        let encoder = image_webp::WebPEncoder::new(&mut bytes);
        encoder.encode(&texels, 4, 3, image_webp::ColorType::Rgb8).expect("a small image");
        let (width, height, decoded) = decode_webp(&bytes, 12).expect("a valid image");
        assert_eq!((width, height, decoded.as_flattened()), (4, 3, &texels[..]));
        assert!(matches!(decode_webp(&bytes, 11), Err(SkipReason::OverLimit)));
        for len in 0..bytes.len() {
            assert!(decode_webp(&bytes[..len], 12).is_err(), "{len}");
        }
        let image = Image { bytes, ..Image::default() };
        assert!(decode(&image, &mut 12).is_ok());
    }

    /// A JPEG of eight by eight pixels in one gray: Huffman tables with one code each, and a block
    /// with a DC coefficient only.
    fn gray_jpeg() -> Vec<u8> {
        let segment = |marker: u8, body: &[u8]| {
            let mut bytes = vec![0xFF, marker, 0, body.len() as u8 + 2];
            bytes.extend(body);
            bytes
        };
        let mut table = vec![0_u8];
        table.extend([1_u8; 64]);
        let huffman = |class: u8, value: u8| {
            let mut body = vec![class, 1];
            body.extend([0_u8; 15]);
            body.push(value);
            body
        };
        let mut jpeg = vec![0xFF, 0xD8];
        jpeg.extend(segment(0xDB, &table));
        // One component, gray; its DC coefficient is 8 times 64 above the middle.
        jpeg.extend(segment(0xC0, &[8, 0, 8, 0, 8, 1, 1, 0x11, 0]));
        jpeg.extend(segment(0xC4, &huffman(0x00, 10)));
        jpeg.extend(segment(0xC4, &huffman(0x10, 0)));
        jpeg.extend(segment(0xDA, &[1, 1, 0x00, 0, 63, 0]));
        // Code 0, then 512 in ten bits, then code 0 for the end of the block; ones fill the byte.
        jpeg.extend([0b0100_0000, 0b0000_1111, 0xFF, 0xD9]);
        jpeg
    }

    #[test]
    fn a_jpeg_is_decoded_within_the_texel_limit_and_a_truncated_one_is_skipped() {
        let (width, height, texels) = decode_jpeg(&gray_jpeg(), 64).expect("a valid JPEG");
        assert_eq!((width, height), (8, 8));
        assert_eq!(texels, [[192; 3]; 64]);
        assert_eq!(decode_jpeg(&gray_jpeg(), 63), Err(SkipReason::OverLimit));
        for end in 0..40 {
            assert_eq!(
                decode_jpeg(&gray_jpeg()[..end], 64),
                Err(SkipReason::Unreadable),
                "cut after {end} bytes"
            );
        }
    }
}
