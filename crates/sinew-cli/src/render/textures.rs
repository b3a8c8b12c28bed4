//! The pictures of a model's materials, as far as they can be read.

use std::io::Cursor;

use png::{ColorType, Decoder, Limits, Transformations};
use sinew::{Image, Model};
use sinew_raster::Texture;

/// The most bytes that a picture may take while it is read.
const MOST_BYTES: usize = 256 << 20;
/// The most texels on a side: larger pictures show nothing more here.
const MOST_SIDE: u32 = 8192;

/// Textures, and which material has which.
#[derive(Default)]
pub(super) struct Textures {
    pub(super) all: Vec<Texture>,
    of_material: Vec<Option<usize>>,
}

impl Textures {
    /// Reads the base colour of each material from the file itself. What is no PNG, or a broken one, is left out.
    pub(super) fn new(model: &Model) -> Self {
        let mut all = Vec::new();
        let mut of_image: Vec<Option<Option<usize>>> = vec![None; model.images().len()];
        let mut of_material = Vec::new();
        for material in model.materials() {
            let texture = material.base_texture.and_then(|texture| {
                *of_image[texture.image].get_or_insert_with(|| {
                    all.push(decode(&model.images()[texture.image])?);
                    Some(all.len() - 1)
                })
            });
            of_material.push(texture);
        }
        Self { all, of_material }
    }

    /// The texture of a material.
    pub(super) fn of_material(&self, material: usize) -> Option<usize> {
        self.of_material.get(material).copied().flatten()
    }
}

fn decode(image: &Image) -> Option<Texture> {
    let limits = Limits { bytes: MOST_BYTES };
    let mut decoder = Decoder::new_with_limits(Cursor::new(&image.bytes[..]), limits);
    decoder.set_transformations(Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().ok()?;
    let (width, height) = (reader.info().width, reader.info().height);
    if width > MOST_SIDE || height > MOST_SIDE {
        return None;
    }
    let mut bytes = vec![0; reader.output_buffer_size()?];
    let info = reader.next_frame(&mut bytes).ok()?;
    let bytes = &bytes[..info.buffer_size()];
    let grey = |step: usize| bytes.iter().step_by(step).map(|&grey| [grey; 3]).collect();
    let texels: Vec<[u8; 3]> = match info.color_type {
        ColorType::Grayscale => grey(1),
        ColorType::GrayscaleAlpha => grey(2),
        ColorType::Rgb => bytes.as_chunks::<3>().0.to_vec(),
        ColorType::Rgba => bytes.as_chunks::<4>().0.iter().map(|&[r, g, b, _]| [r, g, b]).collect(),
        ColorType::Indexed => return None,
    };
    Texture::new(width as usize, height as usize, &texels).ok()
}
