//! Materials and their pictures, each written when something first has it.

use std::collections::HashMap;

use sinew::{Image, Model};

use super::buffer::View;
use super::document::Document;
use super::schema::{self, Material, PbrMetallicRoughness, Texture, TextureInfo};
use crate::bake::within_unit;

/// Which materials and pictures are written already.
#[derive(Debug, Default)]
pub(super) struct Look {
    /// By the model's material, and the set of coordinates for its picture.
    materials: HashMap<(usize, Option<usize>), usize>,
    /// By the model's image; `None` where a GLB cannot have it.
    textures: HashMap<usize, Option<usize>>,
}

impl Look {
    /// The number of a material. `sets` are the model's sets of texture coordinates that a surface has written: without
    /// that of the picture there is no picture.
    pub(super) fn material(
        &mut self,
        model: &Model,
        index: usize,
        sets: &[usize],
        document: &mut Document,
    ) -> usize {
        let material = &model.materials()[index];
        let picture = material.base_texture.and_then(|texture| {
            let set = sets.iter().position(|&set| set == texture.set)?;
            Some((self.texture(model, texture.image, document)?, set))
        });
        let key = (index, picture.map(|(_, set)| set));
        if let Some(&written) = self.materials.get(&key) {
            return written;
        }
        let colour = within_unit(material.base_colour);
        document.materials.push(Material {
            name: material.name.clone(),
            pbr_metallic_roughness: PbrMetallicRoughness {
                base_color_factor: colour,
                // Nothing is known of metal; what is not said means all of it.
                metallic_factor: 0.0,
                base_color_texture: picture.map(|(index, tex_coord)| TextureInfo { index, tex_coord }),
            },
            alpha_mode: (colour[3] < 1.0).then_some("BLEND"),
        });
        self.materials.insert(key, document.materials.len() - 1);
        document.materials.len() - 1
    }

    fn texture(&mut self, model: &Model, image: usize, document: &mut Document) -> Option<usize> {
        *self.textures.entry(image).or_insert_with(|| {
            let image = written(&model.images()[image], document)?;
            document.images.push(image);
            document.textures.push(Texture { source: document.images.len() - 1 });
            Some(document.textures.len() - 1)
        })
    }
}

/// The image with its bytes, or with the place where it lies. glTF has PNG and JPEG.
fn written(image: &Image, document: &mut Document) -> Option<schema::Image> {
    let named = schema::Image { name: image.name.clone(), ..schema::Image::default() };
    let Some(media_type) = media_type(image) else {
        let plain = !image.uri.is_empty() && !image.uri.starts_with("data:");
        return plain.then(|| schema::Image { uri: Some(encoded(&image.uri)), ..named });
    };
    let view = document.buffer.view(image.bytes.iter().copied(), View::Other);
    Some(schema::Image { buffer_view: Some(view), mime_type: Some(media_type), ..named })
}

/// That of the bytes, where there are any that glTF takes.
fn media_type(image: &Image) -> Option<&'static str> {
    match &image.bytes[..] {
        [] => None,
        [0x89, b'P', b'N', b'G', ..] => Some("image/png"),
        [0xFF, 0xD8, 0xFF, ..] => Some("image/jpeg"),
        _ => ["image/png", "image/jpeg"].into_iter().find(|known| *known == image.media_type),
    }
}

/// What an address may not have in itself, encoded. What is encoded already stays.
fn encoded(uri: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/%:?#[]@!$&'()*+,;=".contains(&byte);
    let encoded = |byte: u8| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    uri.bytes().map(encoded).collect()
}
