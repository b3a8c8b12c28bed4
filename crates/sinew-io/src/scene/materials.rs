//! Checks materials, and loads images from their files. Images are not decoded.

use sinew::model::{AlphaMode, Image, Material};

use super::context::ImportContext;
use super::warning_count::WarningCount;
use crate::Report;
use crate::error::BoxedError as Error;

/// Checks materials, and replaces numbers that are not finite.
pub(super) fn repair(
    mut materials: Vec<Material>,
    images: usize,
    report: &mut Report,
) -> Result<Vec<Material>, Error> {
    let mut not_finite = WarningCount::default();
    for (index, material) in materials.iter_mut().enumerate() {
        if !material.base_color.iter().all(|part| part.is_finite()) {
            not_finite.add(index);
            material.base_color = [1.0; 4];
        }
        repair_numbers(material);
        let mut textures = material.textures().into_iter().flatten();
        if let Some(texture) = textures.find(|texture| texture.image >= images) {
            let expected = format!("one of {images} images");
            return Err(Error::invalid(format!("materials[{index}]"), expected, texture.image.to_string()));
        }
    }
    not_finite.warn(report, "materials", "the base colors that are not finite", "they became white")?;
    Ok(materials)
}

/// Replaces the numbers that are not drawn, and not finite, by their defaults.
fn repair_numbers(material: &mut Material) {
    let default = Material::default();
    let numbers = [
        (&mut material.metallic, default.metallic),
        (&mut material.roughness, default.roughness),
        (&mut material.normal_scale, default.normal_scale),
        (&mut material.occlusion_strength, default.occlusion_strength),
    ];
    for (number, default) in numbers.into_iter().filter(|(number, _)| !number.is_finite()) {
        *number = default;
    }
    if !material.emissive.iter().all(|part| part.is_finite()) {
        material.emissive = default.emissive;
    }
    if let AlphaMode::Mask { cutoff } = &mut material.alpha_mode
        && !cutoff.is_finite()
    {
        *cutoff = 0.5;
    }
}

/// Loads external images, if the options say so.
pub(super) fn load_images(
    mut images: Vec<Image>,
    context: &mut ImportContext<'_>,
) -> Result<Vec<Image>, Error> {
    for (index, image) in images.iter_mut().enumerate() {
        if !image.bytes.is_empty() || image.uri.is_empty() {
            continue;
        }
        let location = format!("images[{index}]");
        match context.image_file(&image.uri, &format!("{location}.uri")) {
            Ok(Some(bytes)) => image.bytes = bytes,
            Ok(None) => {}
            Err(why) => context.warn(location, why.reason(), "the image is empty")?,
        }
    }
    Ok(images)
}
