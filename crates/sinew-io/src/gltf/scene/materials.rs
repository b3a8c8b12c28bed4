//! What surfaces look like, as far as it is kept. Pictures are never decoded.

use sinew::{Image, Material, Texture};

use super::tally::Tally;
use crate::gltf::data_uri;
use crate::gltf::document::Document;
use crate::gltf::schema::Image as Source;
use crate::{Error, Report};

/// All materials and images, in the document's order.
pub(super) fn looks(
    document: &Document<'_>,
    report: &mut Report,
) -> Result<(Vec<Material>, Vec<Image>), Error> {
    Ok((materials(document, report)?, images(document, report)?))
}

fn materials(document: &Document<'_>, report: &mut Report) -> Result<Vec<Material>, Error> {
    let mut not_finite = Tally::default();
    let mut materials = Vec::with_capacity(document.root.materials.len());
    for (index, source) in document.root.materials.iter().enumerate() {
        let pbr = &source.pbr_metallic_roughness;
        let mut base_colour = pbr.base_color_factor;
        if !base_colour.iter().all(|part| part.is_finite()) {
            not_finite.add(index);
            base_colour = [1.0; 4];
        }
        let base_texture = pbr.base_color_texture.as_ref().and_then(|texture| {
            // A texture may leave its picture to an extension.
            let source = document.root.textures[texture.index.value()].source?;
            Some(Texture { image: source.value(), set: texture.tex_coord as usize })
        });
        materials.push(Material { name: source.name.clone().unwrap_or_default(), base_colour, base_texture });
    }
    not_finite.note(report, "materials", "the base colours that are not finite", "they became white")?;
    Ok(materials)
}

fn images(document: &Document<'_>, report: &mut Report) -> Result<Vec<Image>, Error> {
    let mut images = Vec::with_capacity(document.root.images.len());
    for (index, source) in document.root.images.iter().enumerate() {
        images.push(image(document, source, &format!("images[{index}]"), report)?);
    }
    Ok(images)
}

fn image(document: &Document<'_>, source: &Source, place: &str, report: &mut Report) -> Result<Image, Error> {
    let mut image = Image {
        name: source.name.clone().unwrap_or_default(),
        media_type: source.mime_type.clone().unwrap_or_default(),
        ..Image::default()
    };
    if let Some(view) = source.buffer_view {
        let bytes = document.view(view.value(), &format!("{place}.bufferView"))?;
        document.spend(bytes.len() as u64, place)?;
        image.bytes = bytes.to_vec();
    } else if let Some(uri) = &source.uri {
        match within(uri) {
            Some((media_type, text)) => {
                document.spend(text.len() as u64, place)?;
                image.media_type = media_type.to_owned();
                match data_uri::decode(text, decoded_len(text), place) {
                    Ok(bytes) => image.bytes = bytes,
                    Err(_) => {
                        report.note(format!("{place}.uri"), "base64 that is none", "the image is empty")?
                    }
                }
            }
            None => {
                document.spend(uri.len() as u64, place)?;
                image.uri = uri.clone();
                match document.picture(uri, &format!("{place}.uri")) {
                    None => {}
                    Some(Ok(bytes)) => image.bytes = bytes,
                    Some(Err(why)) => report.note(place, why.to_string(), "the picture is left out")?,
                }
            }
        }
    } else {
        report.note(place, "neither a view nor a uri", "the image is empty")?;
    }
    Ok(image)
}

/// The media type and the text of a picture that is written in its URI, in base64.
fn within(uri: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = uri.split_once(':')?;
    let (kind, text) = rest.split_once(',')?;
    let kind = kind.strip_suffix(";base64")?;
    scheme.eq_ignore_ascii_case("data").then_some((kind.split(';').next().unwrap_or_default(), text))
}

/// The bytes that a text in base64 gives.
fn decoded_len(text: &str) -> usize {
    let digits = text.trim_end_matches('=').len();
    digits / 4 * 3 + (digits % 4).saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_in_their_uri_are_told_from_others() {
        assert_eq!(within("data:image/png;base64,AAAA"), Some(("image/png", "AAAA")));
        assert_eq!(within("DATA:image/png;charset=x;base64,"), Some(("image/png", "")));
        for other in ["a.png", "data:image/png,AAAA", "http://x/y;base64,AAAA", ""] {
            assert_eq!(within(other), None);
        }
        assert_eq!(["", "AA==", "AAA=", "AAAA", "AAAAAA"].map(decoded_len), [0, 1, 2, 3, 4]);
    }
}
