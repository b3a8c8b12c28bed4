//! Decodes the PNG and JPEG textures of a model's materials.

use std::io::Cursor;
use std::sync::Arc;

use png::{ColorType, Decoder, Limits, Transformations};
use sinew::Model;
use sinew::model::Image;
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

use crate::draw::Texture;

/// Maximum memory in bytes for decoding an image.
const MAX_DECODED_BYTES: usize = 256 << 20;
/// Largest side of a texture, which every browser supports.
const MAX_SIDE: u32 = 4096;
/// The first bytes of a JPEG file.
const JPEG_MAGIC: &[u8] = &[0xFF, 0xD8, 0xFF];

/// The images that could be decoded.
pub(super) struct Textures {
    images: Vec<Option<Arc<Texture>>>,
}

impl Textures {
    /// Decodes the images that materials use.
    pub(super) fn new(model: &Model) -> Self {
        let is_used = |image: usize| {
            model
                .materials()
                .iter()
                .any(|material| material.base_texture.is_some_and(|own| own.image == image))
        };
        let load =
            |(index, image): (usize, &Image)| is_used(index).then(|| decode(image)).flatten().map(Arc::new);
        Self { images: model.images().iter().enumerate().map(load).collect() }
    }

    /// Texture coordinates and texture of a mesh instance that has both.
    pub(super) fn for_mesh_instance<'a>(
        &self,
        model: &'a Model,
        mesh_instance: usize,
    ) -> Option<(&'a Vec<[f32; 2]>, Arc<Texture>)> {
        let surface = model.primitive(mesh_instance);
        let texture = model.materials()[surface.material?].base_texture?;
        let set = surface.texture_coordinates.get(texture.set).filter(|set| !set.is_empty())?;
        Some((set, Arc::clone(self.images.get(texture.image)?.as_ref()?)))
    }
}

/// Whether the material of a mesh instance refers to an image with a known signature.
pub(super) fn is_textured(model: &Model, mesh_instance: usize) -> bool {
    let surface = model.primitive(mesh_instance);
    let material = surface.material.map(|material| &model.materials()[material]);
    let texture = material.and_then(|material| material.base_texture);
    texture.is_some_and(|texture| {
        let coordinates = surface.texture_coordinates.get(texture.set).is_some_and(|set| !set.is_empty());
        coordinates && has_known_signature(&model.images()[texture.image])
    })
}

/// Whether an image starts like a PNG or a JPEG.
pub(super) fn has_known_signature(image: &Image) -> bool {
    image.bytes.starts_with(b"\x89PNG") || image.bytes.starts_with(JPEG_MAGIC)
}

fn decode(image: &Image) -> Option<Texture> {
    if image.bytes.starts_with(JPEG_MAGIC) { decode_jpeg(&image.bytes) } else { decode_png(&image.bytes) }
}

fn decode_jpeg(bytes: &[u8]) -> Option<Texture> {
    let options = DecoderOptions::default()
        .set_max_width(MAX_SIDE as usize)
        .set_max_height(MAX_SIDE as usize)
        .jpeg_set_out_colorspace(ColorSpace::RGBA);
    let mut decoder = JpegDecoder::new_with_options(Cursor::new(bytes), options);
    let bytes = decoder.decode().ok()?;
    let (width, height) = decoder.dimensions()?;
    let texels = bytes.as_chunks().0.to_vec();
    (texels.len() == width * height).then_some(Texture { size: [width as u32, height as u32], texels })
}

fn decode_png(bytes: &[u8]) -> Option<Texture> {
    let limits = Limits { bytes: MAX_DECODED_BYTES };
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), limits);
    decoder.set_transformations(Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().ok()?;
    let size = [reader.info().width, reader.info().height];
    if size.iter().any(|&side| side == 0 || side > MAX_SIDE) {
        return None;
    }
    let mut bytes = vec![0; reader.output_buffer_size()?];
    let info = reader.next_frame(&mut bytes).ok()?;
    let bytes = &bytes[..info.buffer_size()];
    let texels: Vec<[u8; 4]> = match info.color_type {
        ColorType::Grayscale => bytes.iter().map(|&gray| [gray, gray, gray, 255]).collect(),
        ColorType::GrayscaleAlpha => {
            bytes.as_chunks().0.iter().map(|&[gray, alpha]| [gray, gray, gray, alpha]).collect()
        }
        ColorType::Rgb => bytes.as_chunks().0.iter().map(|&[r, g, b]| [r, g, b, 255]).collect(),
        ColorType::Rgba => bytes.as_chunks().0.to_vec(),
        ColorType::Indexed => return None,
    };
    (texels.len() == size[0] as usize * size[1] as usize).then_some(Texture { size, texels })
}
