//! The pictures of a model's materials: PNG, as far as it can be read.

use std::io::Cursor;
use std::sync::Arc;

use png::{ColorType, Decoder, Limits, Transformations};
use sinew::{Image, Model};

use crate::draw::Texture;

/// The most bytes that a picture may take while it is read.
const MOST_BYTES: usize = 256 << 20;
/// What browsers have room for.
const MOST_SIDE: u32 = 4096;

/// The pictures that could be read.
pub(super) struct Textures {
    of_image: Vec<Option<Arc<Texture>>>,
}

impl Textures {
    /// Reads those that materials name.
    pub(super) fn new(model: &Model) -> Self {
        let named = |image: usize| {
            model
                .materials()
                .iter()
                .any(|material| material.base_texture.is_some_and(|own| own.image == image))
        };
        let read =
            |(index, image): (usize, &Image)| named(index).then(|| decode(image)).flatten().map(Arc::new);
        Self { of_image: model.images().iter().enumerate().map(read).collect() }
    }

    /// The coordinates and the picture of a part that has both.
    pub(super) fn of_part<'a>(
        &self,
        model: &'a Model,
        part: usize,
    ) -> Option<(&'a Vec<[f32; 2]>, Arc<Texture>)> {
        let surface = model.surface(part);
        let texture = model.materials()[surface.material?].base_texture?;
        let set = surface.texture_coordinates.get(texture.set).filter(|set| !set.is_empty())?;
        Some((set, Arc::clone(self.of_image.get(texture.image)?.as_ref()?)))
    }
}

/// Whether the material of a part names a picture that looks like one that can be read.
pub(super) fn is_textured(model: &Model, part: usize) -> bool {
    let surface = model.surface(part);
    let material = surface.material.map(|material| &model.materials()[material]);
    let texture = material.and_then(|material| material.base_texture);
    texture.is_some_and(|texture| {
        let coordinates = surface.texture_coordinates.get(texture.set).is_some_and(|set| !set.is_empty());
        coordinates && model.images()[texture.image].bytes.starts_with(b"\x89PNG")
    })
}

fn decode(image: &Image) -> Option<Texture> {
    let limits = Limits { bytes: MOST_BYTES };
    let mut decoder = Decoder::new_with_limits(Cursor::new(&image.bytes[..]), limits);
    decoder.set_transformations(Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().ok()?;
    let size = [reader.info().width, reader.info().height];
    if size.iter().any(|&side| side == 0 || side > MOST_SIDE) {
        return None;
    }
    let mut bytes = vec![0; reader.output_buffer_size()?];
    let info = reader.next_frame(&mut bytes).ok()?;
    let bytes = &bytes[..info.buffer_size()];
    let texels: Vec<[u8; 4]> = match info.color_type {
        ColorType::Grayscale => bytes.iter().map(|&grey| [grey, grey, grey, 255]).collect(),
        ColorType::GrayscaleAlpha => {
            bytes.as_chunks().0.iter().map(|&[grey, alpha]| [grey, grey, grey, alpha]).collect()
        }
        ColorType::Rgb => bytes.as_chunks().0.iter().map(|&[r, g, b]| [r, g, b, 255]).collect(),
        ColorType::Rgba => bytes.as_chunks().0.to_vec(),
        ColorType::Indexed => return None,
    };
    (texels.len() == size[0] as usize * size[1] as usize).then_some(Texture { size, texels })
}
