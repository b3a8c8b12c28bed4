//! Finds the pictures of materials. MD5 names materials; a game's scripts say which pictures they
//! have. Without the scripts, a picture is a file in the model's folder that is named like the
//! material.

use sinew::model::{Image, Material, Texture};

use crate::ImportContext;
use crate::sandbox::{SandboxedFolder, encode_uri};

/// What exporters and scripts append to the name of a material for its color picture.
const SUFFIXES: [&str; 3] = ["", "_d", "_diffuse"];

/// The endings of pictures, those that are drawn first.
const ENDINGS: [&str; 5] = ["png", "jpg", "jpeg", "webp", "tga"];

/// Endings that a material's name may have.
const NAMED_ENDINGS: [&str; 7] = ["png", "jpg", "jpeg", "webp", "tga", "dds", "bmp"];

/// The most materials whose pictures are looked for: each takes up to thirty attempts to open a file.
const MAX_SEARCHED: usize = 256;

/// Gives materials the pictures that are beside the model. Returns the images, and the materials
/// without a picture.
pub(super) fn find_pictures(
    materials: &mut [Material],
    context: &ImportContext<'_>,
) -> (Vec<Image>, Vec<usize>) {
    let (mut images, mut missing): (Vec<Image>, _) = (Vec::new(), Vec::new());
    for (index, material) in materials.iter_mut().enumerate() {
        let folder = context.folder.filter(|_| index < MAX_SEARCHED);
        let Some(name) = folder.and_then(|folder| find(folder, &material.name)) else {
            missing.push(index);
            continue;
        };
        let uri = encode_uri(&name);
        let known = images.iter().position(|image| image.uri == uri);
        let image = known.unwrap_or_else(|| {
            images.push(Image { name, uri, ..Image::default() });
            images.len() - 1
        });
        material.base_texture = Some(Texture { image, ..Texture::default() });
    }
    (images, missing)
}

/// The picture of a material: a path in the folder.
fn find(folder: &SandboxedFolder, material: &str) -> Option<String> {
    let path = material.replace('\\', "/");
    let path = match path.rsplit_once('.') {
        Some((stem, ending)) if NAMED_ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known)) => stem,
        _ => path.as_str(),
    };
    let file_name = path.rsplit('/').next().unwrap_or(path);
    if file_name.is_empty() {
        return None;
    }
    // A path that would leave the folder is never opened; the file's name alone cannot.
    let stems = [path, file_name];
    let stems = &stems[usize::from(path == file_name)..];
    let names = stems.iter().flat_map(|stem| {
        SUFFIXES.iter().flat_map(move |suffix| ENDINGS.iter().map(move |end| format!("{stem}{suffix}.{end}")))
    });
    names.into_iter().find(|name| folder.has_file(name))
}
