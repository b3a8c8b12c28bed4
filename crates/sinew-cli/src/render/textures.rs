//! The pictures of a model's materials, as far as they can be read.

use std::io::Cursor;

use png::{ColorType, Decoder, Limits, Transformations};
use sinew::{Image, Model};
use sinew_raster::Texture;
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

use crate::words::count;

/// The most bytes that a picture may take while it is read.
const MOST_BYTES: usize = 256 << 20;
/// The most texels of all pictures together: half a gigabyte, with the smaller ones of each.
const MOST_TEXELS: u64 = 1 << 25;

/// Textures, and which material has which.
#[derive(Default)]
pub(super) struct Textures {
    pub(super) all: Vec<Texture>,
    of_material: Vec<Option<usize>>,
    /// How many pictures cannot be read.
    unread: usize,
    /// How many there is no room for.
    too_many: usize,
}

/// Why there is no texture.
#[derive(Debug, PartialEq)]
enum LeftOut {
    Unread,
    NoRoom,
}

impl Textures {
    /// Reads the base colour of each material from the file itself.
    pub(super) fn new(model: &Model) -> Self {
        let mut textures = Self::default();
        let mut room = MOST_TEXELS;
        let mut of_image: Vec<Option<Option<usize>>> = vec![None; model.images().len()];
        for material in model.materials() {
            let texture = material.base_texture.and_then(|texture| {
                let image = &model.images()[texture.image];
                *of_image[texture.image].get_or_insert_with(|| textures.add(image, &mut room))
            });
            textures.of_material.push(texture);
        }
        textures
    }

    fn add(&mut self, image: &Image, room: &mut u64) -> Option<usize> {
        match decode(image, room) {
            Ok(texture) => {
                self.all.push(texture);
                return Some(self.all.len() - 1);
            }
            Err(LeftOut::Unread) => self.unread += 1,
            Err(LeftOut::NoRoom) => self.too_many += 1,
        }
        None
    }

    /// The texture of a material.
    pub(super) fn of_material(&self, material: usize) -> Option<usize> {
        self.of_material.get(material).copied().flatten()
    }

    /// How many pictures are left out, a line for each reason.
    pub(super) fn left_out(&self) -> impl Iterator<Item = String> {
        let reasons = [
            (self.unread, "neither PNG nor JPEG, or a broken one".to_owned()),
            (self.too_many, format!("expected at most {MOST_TEXELS} texels in all pictures together")),
        ];
        let some = reasons.into_iter().filter(|(pictures, _)| *pictures > 0);
        some.map(|(pictures, reason)| format!("{} left out: {reason}", count(pictures, "picture")))
    }
}

/// Width, height and texels.
type Texels = (usize, usize, Vec<[u8; 3]>);

/// Takes the picture's texels from those that there is room for.
fn decode(image: &Image, room: &mut u64) -> Result<Texture, LeftOut> {
    let read = if image.bytes.starts_with(&[0xFF, 0xD8, 0xFF]) { of_jpeg } else { of_png };
    let (width, height, texels) = read(&image.bytes, *room)?;
    let texture = Texture::new(width, height, &texels).map_err(|_| LeftOut::Unread)?;
    *room -= texels.len() as u64;
    Ok(texture)
}

/// Asked before memory is taken.
fn fits(width: usize, height: usize, room: u64) -> Result<(), LeftOut> {
    let texels = (width as u64).checked_mul(height as u64);
    if texels.is_some_and(|texels| texels <= room) { Ok(()) } else { Err(LeftOut::NoRoom) }
}

fn of_png(bytes: &[u8], room: u64) -> Result<Texels, LeftOut> {
    let limits = Limits { bytes: MOST_BYTES };
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), limits);
    decoder.set_transformations(Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().map_err(|_| LeftOut::Unread)?;
    let (width, height) = (reader.info().width as usize, reader.info().height as usize);
    fits(width, height, room)?;
    let mut bytes = vec![0; reader.output_buffer_size().ok_or(LeftOut::Unread)?];
    let info = reader.next_frame(&mut bytes).map_err(|_| LeftOut::Unread)?;
    let bytes = &bytes[..info.buffer_size()];
    let grey = |step: usize| bytes.iter().step_by(step).map(|&grey| [grey; 3]).collect();
    let texels: Vec<[u8; 3]> = match info.color_type {
        ColorType::Grayscale => grey(1),
        ColorType::GrayscaleAlpha => grey(2),
        ColorType::Rgb => bytes.as_chunks::<3>().0.to_vec(),
        ColorType::Rgba => bytes.as_chunks::<4>().0.iter().map(|&[r, g, b, _]| [r, g, b]).collect(),
        ColorType::Indexed => return Err(LeftOut::Unread),
    };
    Ok((width, height, texels))
}

fn of_jpeg(bytes: &[u8], room: u64) -> Result<Texels, LeftOut> {
    let options = DecoderOptions::default().set_use_unsafe(false).jpeg_set_out_colorspace(ColorSpace::RGB);
    let mut decoder = JpegDecoder::new_with_options(Cursor::new(bytes), options);
    decoder.decode_headers().map_err(|_| LeftOut::Unread)?;
    let (width, height) = decoder.dimensions().ok_or(LeftOut::Unread)?;
    fits(width, height, room)?;
    let bytes = decoder.decode().map_err(|_| LeftOut::Unread)?;
    Ok((width, height, bytes.as_chunks().0.to_vec()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Eight by eight, all of one grey: tables with one code each, and a block that is nothing but its mean.
    fn grey() -> Vec<u8> {
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
        // One component is grey; its mean is 8 times 64 from the middle.
        jpeg.extend(segment(0xC0, &[8, 0, 8, 0, 8, 1, 1, 0x11, 0]));
        jpeg.extend(segment(0xC4, &huffman(0x00, 10)));
        jpeg.extend(segment(0xC4, &huffman(0x10, 0)));
        jpeg.extend(segment(0xDA, &[1, 1, 0x00, 0, 63, 0]));
        // The code 0, then 512 in ten bits, then the code 0 of the end of the block; ones fill the byte.
        jpeg.extend([0b0100_0000, 0b0000_1111, 0xFF, 0xD9]);
        jpeg
    }

    #[test]
    fn a_jpeg_is_read_where_there_is_room_and_a_broken_one_is_not() {
        let (width, height, texels) = of_jpeg(&grey(), 64).expect("a whole picture");
        assert_eq!((width, height), (8, 8));
        assert_eq!(texels, [[192; 3]; 64]);
        assert_eq!(of_jpeg(&grey(), 63), Err(LeftOut::NoRoom));
        for end in 0..40 {
            assert_eq!(of_jpeg(&grey()[..end], 64), Err(LeftOut::Unread), "cut after {end} bytes");
        }
    }
}
