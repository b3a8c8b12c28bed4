//! The textures of a model's materials, decoded from PNG, JPEG and WebP images.

use std::io::Cursor;

use image_webp::WebPDecoder;
use png::{ColorType, Decoder, Limits, Transformations};
use sinew::Model;
use sinew::model::{Image, Material};
use sinew_raster::{Encoding, Texture, Wrap};
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

/// The most bytes that the PNG decoder may allocate for an image.
const MAX_DECODED_BYTES: usize = 256 << 20;
/// The most texels of all textures together: 180 megabytes, including their mip levels.
const MAX_TEXELS: u64 = 1 << 25;

/// The decoded textures, and the material of each of the model's materials.
#[derive(Default)]
pub(crate) struct Textures {
    pub(crate) all: Vec<Texture>,
    materials: Vec<sinew_raster::Material>,
    /// The images that were skipped.
    skipped: Vec<(usize, SkipReason)>,
    /// The names of all images.
    names: Vec<String>,
}

/// Why an image was skipped.
#[derive(Clone, Copy, Debug, PartialEq)]
enum SkipReason {
    /// It has no bytes: its file does not exist, or could not be read.
    Missing,
    /// Its bytes cannot be decoded.
    Unreadable,
    /// It would exceed the texel limit.
    OverLimit,
}

/// The most images that a message names.
const NAMED_IMAGES: usize = 3;

/// What makes two textures the same: image, encoding and wrapping.
type Key = (usize, Encoding, [Wrap; 2]);

/// Decodes each image once for each way in which it is used.
struct Builder<'a> {
    model: &'a Model,
    textures: Textures,
    texels_left: u64,
    known: Vec<(Key, Option<usize>)>,
}

impl Textures {
    /// Decodes the textures of all materials. Textures with another set of texture coordinates than
    /// the base texture are left out.
    pub(crate) fn new(model: &Model) -> Self {
        let mut builder = Builder {
            model,
            textures: Self { names: model.images().iter().map(image_name).collect(), ..Self::default() },
            texels_left: MAX_TEXELS,
            known: Vec::new(),
        };
        for material in model.materials() {
            let material = builder.material(material);
            builder.textures.materials.push(material);
        }
        builder.textures
    }

    /// What a material of the model looks like; `None` if textures are not drawn.
    pub(crate) fn material(&self, material: usize) -> Option<&sinew_raster::Material> {
        self.materials.get(material)
    }

    /// Messages about skipped images, one for each reason.
    pub(crate) fn skip_messages(&self) -> impl Iterator<Item = String> {
        let reasons = [
            (SkipReason::Missing, "missing, or not readable".to_owned()),
            (SkipReason::Unreadable, "not a valid PNG, JPEG or WebP".to_owned()),
            (SkipReason::OverLimit, format!("expected at most {MAX_TEXELS} texels in all textures")),
        ];
        reasons.into_iter().filter_map(|(reason, text)| {
            let skipped = self.skipped.iter().filter(|(_, own)| *own == reason);
            let names: Vec<&str> = skipped.map(|&(image, _)| &*self.names[image]).collect();
            let plural = if names.len() == 1 { "" } else { "s" };
            let more = if names.len() > NAMED_IMAGES { ", ..." } else { "" };
            let list = names[..names.len().min(NAMED_IMAGES)].join(", ");
            (!names.is_empty())
                .then(|| format!("{} image{plural} skipped: {text}: {list}{more}", names.len()))
        })
    }
}

impl Builder<'_> {
    fn material(&mut self, material: &Material) -> sinew_raster::Material {
        let set = material.base_texture.map_or(0, |texture| texture.set);
        let mut texture = |texture: Option<sinew::model::Texture>, encoding: Encoding| {
            self.texture(texture.filter(|texture| texture.set == set)?, encoding)
        };
        sinew_raster::Material {
            base_texture: texture(material.base_texture, Encoding::Srgb),
            alpha_mode: match material.alpha_mode {
                sinew::model::AlphaMode::Opaque => sinew_raster::AlphaMode::Opaque,
                sinew::model::AlphaMode::Mask { cutoff } => sinew_raster::AlphaMode::Mask(cutoff),
                sinew::model::AlphaMode::Blend => sinew_raster::AlphaMode::Blend,
            },
            metallic: material.metallic,
            roughness: material.roughness,
            metallic_roughness_texture: texture(material.metallic_roughness_texture, Encoding::Linear),
            normal_texture: texture(material.normal_texture, Encoding::Linear),
            normal_scale: material.normal_scale,
            occlusion_texture: texture(material.occlusion_texture, Encoding::Linear),
            occlusion_strength: material.occlusion_strength,
            emissive: material.emissive,
            emissive_texture: texture(material.emissive_texture, Encoding::Srgb),
        }
    }

    /// The index of a texture, decoded on its first use.
    fn texture(&mut self, texture: sinew::model::Texture, encoding: Encoding) -> Option<usize> {
        let wrap = [texture.sampler.wrap_s, texture.sampler.wrap_t].map(wrap);
        let key = (texture.image, encoding, wrap);
        if let Some(&(_, index)) = self.known.iter().find(|(known, _)| *known == key) {
            return index;
        }
        let index = match decode(&self.model.images()[texture.image], encoding, &mut self.texels_left) {
            Ok(texture) => {
                self.textures.all.push(texture.with_wrap(wrap));
                Some(self.textures.all.len() - 1)
            }
            Err(reason) => {
                let skipped = &mut self.textures.skipped;
                if skipped.iter().all(|&(image, _)| image != texture.image) {
                    skipped.push((texture.image, reason));
                }
                None
            }
        };
        self.known.push((key, index));
        index
    }
}

/// The name of an image for messages, in one line: its URI if it has one, as that is what to look for.
fn image_name(image: &Image) -> String {
    let is_file = !image.uri.is_empty() && !image.uri.starts_with("data:");
    let name: String = if is_file { &image.uri } else { &image.name }.chars().take(80).collect();
    format!("{name:?}")
}

/// From the numbers of glTF and OpenGL. Repeating is the default.
fn wrap(mode: Option<u32>) -> Wrap {
    const CLAMP_TO_EDGE: u32 = 33071;
    const MIRRORED_REPEAT: u32 = 33648;
    match mode {
        Some(CLAMP_TO_EDGE) => Wrap::Clamp,
        Some(MIRRORED_REPEAT) => Wrap::Mirror,
        _ => Wrap::Repeat,
    }
}

/// Width, height and texels.
type Texels = (usize, usize, Vec<[u8; 4]>);

/// Decodes an image and subtracts its texels from those that are left.
fn decode(image: &Image, encoding: Encoding, texels_left: &mut u64) -> Result<Texture, SkipReason> {
    let decode = match &image.bytes[..] {
        [] => return Err(SkipReason::Missing),
        [0xFF, 0xD8, 0xFF, ..] => decode_jpeg,
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => decode_webp,
        _ => decode_png,
    };
    let (width, height, texels) = decode(&image.bytes, *texels_left)?;
    let len = texels.len() as u64;
    let texture = Texture::new(width, height, texels, encoding).map_err(|_| SkipReason::Unreadable)?;
    *texels_left -= len;
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
    let texels: Vec<[u8; 4]> = match info.color_type {
        ColorType::Grayscale => bytes.iter().map(|&gray| [gray, gray, gray, 255]).collect(),
        ColorType::GrayscaleAlpha => {
            bytes.as_chunks().0.iter().map(|&[gray, alpha]| [gray, gray, gray, alpha]).collect()
        }
        ColorType::Rgb => opaque(bytes),
        ColorType::Rgba => bytes.as_chunks().0.to_vec(),
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
    Ok((width, height, opaque(&bytes)))
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
        true => bytes.as_chunks().0.to_vec(),
        false => opaque(&bytes),
    };
    Ok((width, height, texels))
}

/// RGBA from RGB.
fn opaque(rgb: &[u8]) -> Vec<[u8; 4]> {
    rgb.as_chunks().0.iter().map(|&[r, g, b]| [r, g, b, 255]).collect()
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
        assert_eq!((width, height, decoded), (4, 3, opaque(&texels)));
        assert!(matches!(decode_webp(&bytes, 11), Err(SkipReason::OverLimit)));
        for len in 0..bytes.len() {
            assert!(decode_webp(&bytes[..len], 12).is_err(), "{len}");
        }
        let image = Image { bytes, ..Image::default() };
        assert!(decode(&image, Encoding::Srgb, &mut 12).is_ok());
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
        assert_eq!(texels, [[192, 192, 192, 255]; 64]);
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
