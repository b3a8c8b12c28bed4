//! The pictures of a model's materials, as far as they can be read.

use std::io::Cursor;

use png::{ColorType, Decoder, Limits, Transformations};
use sinew::{Image, Model};
use sinew_raster::Texture;

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
            (self.unread, "no PNG, or a broken one".to_owned()),
            (self.too_many, format!("expected at most {MOST_TEXELS} texels in all pictures together")),
        ];
        let some = reasons.into_iter().filter(|(pictures, _)| *pictures > 0);
        some.map(|(pictures, reason)| format!("{} left out: {reason}", count(pictures, "picture")))
    }
}

/// Takes the picture's texels from those that there is room for, before it takes memory.
fn decode(image: &Image, room: &mut u64) -> Result<Texture, LeftOut> {
    let limits = Limits { bytes: MOST_BYTES };
    let mut decoder = Decoder::new_with_limits(Cursor::new(&image.bytes[..]), limits);
    decoder.set_transformations(Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().map_err(|_| LeftOut::Unread)?;
    let (width, height) = (reader.info().width, reader.info().height);
    let texels = u64::from(width) * u64::from(height);
    let left = room.checked_sub(texels).ok_or(LeftOut::NoRoom)?;
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
    let texture = Texture::new(width as usize, height as usize, &texels).map_err(|_| LeftOut::Unread)?;
    *room = left;
    Ok(texture)
}
