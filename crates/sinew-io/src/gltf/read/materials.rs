//! Reads materials and images. Images are not decoded.

use sinew::model::{Image, Material, Texture};

use crate::gltf::data_uri;
use crate::gltf::document::Document;
use crate::gltf::schema::Image as Source;
use crate::{Error, Report};

/// All materials.
pub(super) fn materials(document: &Document<'_>) -> Vec<Material> {
    let mut materials = Vec::with_capacity(document.root.materials.len());
    for source in &document.root.materials {
        let pbr = &source.pbr_metallic_roughness;
        let base_texture = pbr.base_color_texture.as_ref().and_then(|texture| {
            // A texture may leave its image to an extension.
            let source = document.root.textures[texture.index.value()].source?;
            Some(Texture { image: source.value(), set: texture.tex_coord as usize })
        });
        let base_color = pbr.base_color_factor;
        materials.push(Material { name: source.name.clone().unwrap_or_default(), base_color, base_texture });
    }
    materials
}

/// All images. External ones are loaded later.
pub(super) fn images(document: &Document<'_>, report: &mut Report) -> Result<Vec<Image>, Error> {
    let mut images = Vec::with_capacity(document.root.images.len());
    for (index, source) in document.root.images.iter().enumerate() {
        images.push(image(document, source, &format!("images[{index}]"), report)?);
    }
    Ok(images)
}

fn image(
    document: &Document<'_>,
    source: &Source,
    location: &str,
    report: &mut Report,
) -> Result<Image, Error> {
    let mut image = Image {
        name: source.name.clone().unwrap_or_default(),
        media_type: source.mime_type.clone().unwrap_or_default(),
        ..Image::default()
    };
    if let Some(view) = source.buffer_view {
        let bytes = document.view(view.value(), &format!("{location}.bufferView"))?;
        document.spend(bytes.len() as u64, location)?;
        image.bytes = bytes.to_vec();
    } else if let Some(uri) = &source.uri {
        match embedded_image(uri) {
            Some((media_type, text)) => {
                document.spend(text.len() as u64, location)?;
                image.media_type = media_type.to_owned();
                match data_uri::decode(text, decoded_len(text), location) {
                    Ok(bytes) => image.bytes = bytes,
                    Err(_) => {
                        report.warn(format!("{location}.uri"), "invalid base64", "the image is empty")?
                    }
                }
            }
            None => {
                document.spend(uri.len() as u64, location)?;
                image.uri = uri.clone();
            }
        }
    } else {
        report.warn(location, "neither a bufferView nor a uri", "the image is empty")?;
    }
    Ok(image)
}

/// The media type and the base64 text of an image embedded in its URI.
fn embedded_image(uri: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = uri.split_once(':')?;
    let (kind, text) = rest.split_once(',')?;
    let kind = kind.strip_suffix(";base64")?;
    scheme.eq_ignore_ascii_case("data").then_some((kind.split(';').next().unwrap_or_default(), text))
}

/// The number of bytes that base64 text decodes to.
fn decoded_len(text: &str) -> usize {
    let digits = text.trim_end_matches('=').len();
    digits / 4 * 3 + (digits % 4).saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_base64_data_uris_are_embedded_images() {
        assert_eq!(embedded_image("data:image/png;base64,AAAA"), Some(("image/png", "AAAA")));
        assert_eq!(embedded_image("DATA:image/png;charset=x;base64,"), Some(("image/png", "")));
        for other in ["a.png", "data:image/png,AAAA", "http://x/y;base64,AAAA", ""] {
            assert_eq!(embedded_image(other), None);
        }
        assert_eq!(["", "AA==", "AAA=", "AAAA", "AAAAAA"].map(decoded_len), [0, 1, 2, 3, 4]);
    }
}
