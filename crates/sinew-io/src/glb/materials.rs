//! Exports materials and their images, each on first use.

use std::collections::HashMap;

use sinew::Model;
use sinew::model::Image;

use super::buffer::View;
use super::document::Document;
use super::schema::{self, Material, PbrMetallicRoughness, Texture, TextureInfo};
use crate::bake::clamp_color;

/// The materials and textures that have been written.
#[derive(Debug, Default)]
pub(super) struct MaterialWriter {
    /// By the model's material, and the texture coordinate set of its texture.
    materials: HashMap<(usize, Option<usize>), usize>,
    /// By the model's image; `None` if GLB cannot hold it.
    textures: HashMap<usize, Option<usize>>,
}

impl MaterialWriter {
    /// Returns the index of a material, which is written on first use. `sets` are the texture
    /// coordinate sets of the model that were written for the mesh; without the set of the texture,
    /// the material has no texture.
    pub(super) fn material(
        &mut self,
        model: &Model,
        index: usize,
        sets: &[usize],
        document: &mut Document,
    ) -> usize {
        let material = &model.materials()[index];
        let texture = material.base_texture.and_then(|texture| {
            let set = sets.iter().position(|&set| set == texture.set)?;
            Some((self.texture(model, texture.image, document)?, set))
        });
        let key = (index, texture.map(|(_, set)| set));
        if let Some(&written) = self.materials.get(&key) {
            return written;
        }
        let color = clamp_color(material.base_color);
        document.materials.push(Material {
            name: material.name.clone(),
            pbr_metallic_roughness: PbrMetallicRoughness {
                base_color_factor: color,
                // The model does not say whether a material is metallic, and glTF's default is
                // fully metallic.
                metallic_factor: 0.0,
                base_color_texture: texture.map(|(index, tex_coord)| TextureInfo { index, tex_coord }),
            },
            alpha_mode: (color[3] < 1.0).then_some("BLEND"),
        });
        self.materials.insert(key, document.materials.len() - 1);
        document.materials.len() - 1
    }

    fn texture(&mut self, model: &Model, image: usize, document: &mut Document) -> Option<usize> {
        *self.textures.entry(image).or_insert_with(|| {
            let image = export_image(&model.images()[image], document)?;
            document.images.push(image);
            document.textures.push(Texture { source: document.images.len() - 1 });
            Some(document.textures.len() - 1)
        })
    }
}

/// The image with its bytes, or with its URI. glTF supports PNG and JPEG.
fn export_image(image: &Image, document: &mut Document) -> Option<schema::Image> {
    let named = schema::Image { name: image.name.clone(), ..schema::Image::default() };
    let Some(media_type) = media_type(image) else {
        let plain = !image.uri.is_empty() && !image.uri.starts_with("data:");
        return plain.then(|| schema::Image { uri: Some(percent_encode(&image.uri)), ..named });
    };
    let view = document.buffer.view(image.bytes.iter().copied(), View::Other);
    Some(schema::Image { buffer_view: Some(view), mime_type: Some(media_type), ..named })
}

/// The media type of the bytes, if glTF supports it.
fn media_type(image: &Image) -> Option<&'static str> {
    match &image.bytes[..] {
        [] => None,
        [0x89, b'P', b'N', b'G', ..] => Some("image/png"),
        [0xFF, 0xD8, 0xFF, ..] => Some("image/jpeg"),
        _ => ["image/png", "image/jpeg"].into_iter().find(|known| *known == image.media_type),
    }
}

/// Percent-encodes the characters that a URI must not contain. Existing percent-encoding stays.
fn percent_encode(uri: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/%:?#[]@!$&'()*+,;=".contains(&byte);
    let encode = |byte: u8| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    uri.bytes().map(encode).collect()
}
