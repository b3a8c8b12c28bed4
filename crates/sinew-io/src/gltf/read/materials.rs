//! Reads materials and images. Images are not decoded.

use sinew::model::{AlphaMode, Image, Material, Sampler, Texture};

use crate::Report;
use crate::error::BoxedError as Error;
use crate::gltf::data_uri;
use crate::gltf::document::Document;
use crate::gltf::schema::{AlphaMode as SourceAlphaMode, EnumValue, Image as Source, TextureInfo};
use crate::json::Value;
use crate::scene::WarningCount;

/// All materials.
pub(super) fn materials(document: &Document<'_, '_>, report: &mut Report) -> Result<Vec<Material>, Error> {
    let textures = textures(document, report)?;
    let texture = |info: &Option<TextureInfo>| {
        let info = info.as_ref()?;
        textures[info.index.value()].map(|texture| Texture { set: info.tex_coord, ..texture })
    };
    let factor = |info: &Option<TextureInfo>| info.as_ref().map_or(1.0, |info| info.factor);
    let mut materials = Vec::with_capacity(document.root.materials.len());
    for source in &document.root.materials {
        let pbr = &source.pbr_metallic_roughness;
        materials.push(Material {
            name: source.name.clone(),
            base_color: pbr.base_color_factor,
            base_texture: texture(&pbr.base_color_texture),
            metallic: pbr.metallic_factor,
            roughness: pbr.roughness_factor,
            metallic_roughness_texture: texture(&pbr.metallic_roughness_texture),
            normal_texture: texture(&source.normal_texture),
            normal_scale: factor(&source.normal_texture),
            occlusion_texture: texture(&source.occlusion_texture),
            occlusion_strength: factor(&source.occlusion_texture),
            emissive: source.emissive_factor,
            emissive_texture: texture(&source.emissive_texture),
            alpha_mode: match source.alpha_mode {
                EnumValue(Some(SourceAlphaMode::Mask)) => {
                    AlphaMode::Mask { cutoff: source.alpha_cutoff.unwrap_or(0.5) }
                }
                EnumValue(Some(SourceAlphaMode::Blend)) => AlphaMode::Blend,
                EnumValue(Some(SourceAlphaMode::Opaque) | None) => AlphaMode::Opaque,
            },
            double_sided: source.double_sided,
        });
    }
    Ok(materials)
}

/// Extensions with images of other formats, those that are decoded first.
const IMAGE_EXTENSIONS: [&str; 4] =
    ["EXT_texture_webp", "KHR_texture_basisu", "EXT_texture_avif", "MSFT_texture_dds"];

/// All textures, with the first set of texture coordinates; `None` for one without an image.
fn textures(document: &Document<'_, '_>, report: &mut Report) -> Result<Vec<Option<Texture>>, Error> {
    let mut textures = Vec::with_capacity(document.root.textures.len());
    let mut undecoded = [WarningCount::default(); IMAGE_EXTENSIONS.len()];
    for (index, source) in document.root.textures.iter().enumerate() {
        let mut image = source.source.map(|image| image.value());
        for (kind, name) in IMAGE_EXTENSIONS.iter().enumerate().filter(|_| source.source.is_none()) {
            let extension = source.extensions.and_then(|extensions| extensions.get(name));
            let Some(found) = extension.and_then(|extension| extension.get("source")) else { continue };
            image = image.or(Some(image_index(document, found, index, name)?));
            if kind > 0 {
                undecoded[kind].add(index);
            }
        }
        let sampler = source.sampler.map(|sampler| &document.root.samplers[sampler.value()]);
        let sampler = sampler.map_or_else(Sampler::default, |sampler| Sampler {
            mag_filter: sampler.mag_filter.and_then(|filter| filter.0).map(|filter| filter.0),
            min_filter: sampler.min_filter.and_then(|filter| filter.0).map(|filter| filter.0),
            wrap_s: sampler.wrap_s.and_then(|wrap| wrap.0).map(|wrap| wrap.0),
            wrap_t: sampler.wrap_t.and_then(|wrap| wrap.0).map(|wrap| wrap.0),
        });
        textures.push(image.map(|image| Texture { image, set: 0, sampler }));
    }
    for (count, name) in undecoded.into_iter().zip(IMAGE_EXTENSIONS) {
        let what = format!("the textures with an image of {name} only");
        count.warn(report, "textures", &what, "the image was kept, but is not drawn")?;
    }
    Ok(textures)
}

fn image_index(
    document: &Document<'_, '_>,
    found: Value<'_>,
    texture: usize,
    name: &str,
) -> Result<usize, Error> {
    let images = document.root.images.len();
    let index = found.u64().ok().and_then(|index| usize::try_from(index).ok());
    index.filter(|&index| index < images).ok_or_else(|| {
        let location = format!("textures[{texture}].extensions.{name}.source");
        Error::invalid(location, format!("one of {images} images"), found.shown())
    })
}

/// All images. External ones are loaded later.
pub(super) fn images(document: &Document<'_, '_>, report: &mut Report) -> Result<Vec<Image>, Error> {
    let mut images = Vec::with_capacity(document.root.images.len());
    for (index, source) in document.root.images.iter().enumerate() {
        images.push(image(document, source, &format!("images[{index}]"), report)?);
    }
    Ok(images)
}

fn image(
    document: &Document<'_, '_>,
    source: &Source<'_>,
    location: &str,
    report: &mut Report,
) -> Result<Image, Error> {
    let mut image =
        Image { name: source.name.clone(), media_type: source.mime_type.clone(), ..Image::default() };
    if let Some(view) = source.buffer_view {
        let bytes = document.view(view.value(), &format_args!("{location}.bufferView"))?;
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
                image.uri = uri.clone().into_owned();
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
