//! Reads materials, and their textures that are files.

use sinew::model::{AlphaMode, Image, Material, Sampler, Texture};
use sinew_io::{Error, ImportContext};
use ufbx::{MaterialMap, Scene, WrapMode};

/// glTF's numbers for wrapping.
const CLAMP: u32 = 33071;
const REPEAT: u32 = 10497;

pub(crate) fn materials(
    scene: &Scene,
    context: &ImportContext<'_>,
) -> Result<(Vec<Material>, Vec<Image>), Error> {
    let structs =
        scene.materials.len() * size_of::<Material>() + scene.texture_files.len() * size_of::<Image>();
    context.spend(structs as u64, "materials")?;
    let mut images = Vec::with_capacity(scene.texture_files.len());
    for file in &scene.texture_files {
        context.spend(file.content.len() as u64, "textures")?;
        images.push(Image {
            name: file_name(&file.filename).to_owned(),
            bytes: file.content.to_vec(),
            uri: if file.content.is_empty() {
                uri(&file.relative_filename, &file.filename)
            } else {
                String::new()
            },
            ..Image::default()
        });
    }
    let materials = scene.materials.iter().map(|found| material(found)).collect();
    Ok((materials, images))
}

fn material(found: &ufbx::Material) -> Material {
    let (pbr, fbx) = (&found.pbr, &found.fbx);
    let number = |map: &MaterialMap, default: f32| {
        if map.has_value { map.value_vec4.x as f32 } else { default }
    };
    let color = |map: &MaterialMap| {
        let value = &map.value_vec4;
        if map.has_value { [value.x, value.y, value.z].map(|x| x as f32) } else { [1.0; 3] }
    };
    let factor = if pbr.base_color.has_value { number(&pbr.base_factor, 1.0) } else { 1.0 };
    let [red, green, blue] = color(&pbr.base_color).map(|part| part * factor);
    let opacity = number(&pbr.opacity, 1.0);
    let emission = number(&pbr.emission_factor, 1.0);
    let has_emission = pbr.emission_color.has_value;
    let normal_map = if pbr.normal_map.texture.is_some() { &pbr.normal_map } else { &fbx.normal_map };
    let defaults = Material::default();
    Material {
        name: found.element.name.to_string(),
        base_color: [red, green, blue, opacity],
        base_texture: texture(&pbr.base_color),
        metallic: number(&pbr.metalness, defaults.metallic),
        roughness: number(&pbr.roughness, defaults.roughness),
        normal_texture: texture(normal_map),
        emissive: if has_emission {
            color(&pbr.emission_color).map(|part| part * emission)
        } else {
            [0.0; 3]
        },
        emissive_texture: texture(&pbr.emission_color),
        occlusion_texture: texture(&pbr.ambient_occlusion),
        alpha_mode: if opacity < 1.0 { AlphaMode::Blend } else { AlphaMode::Opaque },
        double_sided: found.features.double_sided.enabled,
        ..defaults
    }
}

/// The file of a map's texture, on the first set of texture coordinates.
fn texture(map: &MaterialMap) -> Option<Texture> {
    let texture = map.texture.as_ref().filter(|_| map.texture_enabled)?;
    let file = if texture.has_file { texture } else { texture.file_textures.first()? };
    if !file.has_file {
        return None;
    }
    let wrap = |mode: WrapMode| match mode {
        WrapMode::Repeat => Some(REPEAT),
        WrapMode::Clamp => Some(CLAMP),
    };
    let sampler = Sampler { wrap_s: wrap(file.wrap_u), wrap_t: wrap(file.wrap_v), ..Sampler::default() };
    Some(Texture { image: file.file_index as usize, set: 0, sampler })
}

/// The relative path of a file as a URI, or its name if it has none.
fn uri(relative: &str, filename: &str) -> String {
    let is_absolute = relative.starts_with(['/', '\\']) || relative.get(1..2) == Some(":");
    let path = if relative.is_empty() || is_absolute { file_name(filename) } else { relative };
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'\\' => uri.push('/'),
            b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => uri.push(char::from(byte)),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_relative_uris() {
        assert_eq!(uri("textures\\a b.png", "C:\\x\\a b.png"), "textures/a%20b.png");
        assert_eq!(uri("", "C:\\x\\é%.png"), "%C3%A9%25.png");
        assert_eq!(uri("C:\\x\\a.png", "C:\\x\\a.png"), "a.png");
        assert_eq!(uri("", ""), "");
    }
}
