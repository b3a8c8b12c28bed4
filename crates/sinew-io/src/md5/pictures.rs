//! Finds the pictures of materials. MD5 names materials; a game's scripts say which pictures they
//! have. Without the scripts, a picture is a file in the model's folder that is named like the
//! material.

use sinew::model::{Image, Texture};

use super::tga::png_from_tga;
use crate::error::BoxedError as Error;
use crate::sandbox::{SandboxedFolder, encode_uri};
use crate::{ImageFiles, ImportContext, RawScene};

/// What exporters and scripts append to the name of a material for its color picture.
const SUFFIXES: [&str; 3] = ["", "_d", "_diffuse"];

/// The endings of pictures that are drawn, in the order in which they are looked for.
const DRAWN_ENDINGS: [&str; 5] = ["png", "jpg", "jpeg", "webp", "tga"];

/// Endings of pictures that are not drawn, which a material's name may have.
const OTHER_ENDINGS: [&str; 2] = ["dds", "bmp"];

/// The most materials whose pictures are looked for: each takes up to 32 attempts to open a file.
const MAX_SEARCHED: usize = 256;

/// Gives materials the pictures that are beside the model, and lists the materials without one.
/// A model from memory has no folder, so nothing is looked for, and nothing is missing.
pub(super) fn find_pictures(scene: &mut RawScene<'_>, context: &mut ImportContext<'_>) -> Result<(), Error> {
    let Some(folder) = context.folder else { return Ok(()) };
    // The pictures that were found: the path of each, and its image unless it could not be read.
    let mut found: Vec<(String, Option<usize>)> = Vec::new();
    for (index, material) in scene.materials.iter_mut().enumerate().take(MAX_SEARCHED) {
        let image = match find(folder, &material.name) {
            None => None,
            Some(name) => match found.iter().find(|(known, _)| *known == name) {
                Some(&(_, image)) => image,
                None => {
                    let image = read(folder, &name, context)?.map(|image| {
                        scene.images.push(image);
                        scene.images.len() - 1
                    });
                    found.push((name, image));
                    image
                }
            },
        };
        match image {
            Some(image) => material.base_texture = Some(Texture { image, ..Texture::default() }),
            None => scene.missing_pictures.push(index),
        }
    }
    let rest = scene.materials.len().saturating_sub(MAX_SEARCHED);
    if rest > 0 {
        scene.dropped.push(format!(
            "pictures of {rest} materials: they are looked for only for the first {MAX_SEARCHED}"
        ));
    }
    Ok(())
}

/// The name of the picture that is looked for beside a model for one of its materials, without
/// folders and ending.
///
/// `_d` or `_diffuse` may follow it, then `.png`, `.jpg`, `.jpeg`, `.webp` or `.tga`.
///
/// ```
/// assert_eq!(sinew_io::picture_name("models\\imp\\imp.tga"), "imp");
/// assert_eq!(sinew_io::picture_name("textures/hand.001"), "hand.001");
/// ```
#[must_use]
pub fn picture_name(material: &str) -> &str {
    let file = material.rsplit(['/', '\\']).next().unwrap_or(material);
    split_ending(file).0
}

/// The image of a picture, with its bytes if the options say so. The model does not name the file,
/// so the file adds nothing to the memory budget, and takes at most half of what is left: the rest
/// is for the model. `None`, with a warning, if that is too little or the file cannot be read.
fn read(
    folder: &SandboxedFolder,
    name: &str,
    context: &mut ImportContext<'_>,
) -> Result<Option<Image>, Error> {
    let (uri, image) = (encode_uri(name), Image { name: name.to_owned(), ..Image::default() });
    if context.options.image_files != ImageFiles::Load {
        return Ok(Some(Image { uri, ..image }));
    }
    let shown: String = name.chars().take(80).collect();
    let location = format!("picture {shown:?}");
    let bytes = folder.open(&uri, &location).and_then(|file| {
        let most = context.budget.left() / 2;
        match usize::try_from(file.len) {
            Ok(len) if file.len <= most => {
                context.budget.spend(file.len, &location)?;
                let bytes = file.read(len, &location)?;
                if is_tga(name, &bytes) { convert_tga(&bytes, &location, context) } else { Ok(bytes) }
            }
            _ => {
                let expected = format!("at most {most} bytes, half of the rest of the memory budget");
                Err(crate::Error::invalid(location.as_str(), expected, format!("{} bytes", file.len)))
            }
        }
    });
    match bytes {
        // Without a URI, since the model has none: a writer keeps the bytes, or nothing.
        Ok(bytes) => Ok(Some(Image { bytes, ..image })),
        Err(why) => {
            context.warn(location, why.reason(), "the material has no picture")?;
            Ok(None)
        }
    }
}

/// Whether a picture is TGA, which nothing in its first bytes says. Some that are called so are not.
fn is_tga(name: &str, bytes: &[u8]) -> bool {
    let ending = split_ending(name).1.unwrap_or_default();
    ending.eq_ignore_ascii_case("tga")
        && !bytes.starts_with(b"\x89PNG")
        && !bytes.starts_with(b"\xFF\xD8\xFF")
}

/// A TGA of more pixels than this is not converted: no chunk of a PNG may have 2^31 bytes.
const MOST_TGA_BYTES: u64 = 1 << 30;

/// The PNG that replaces a TGA. Its pixels take at most a third of the memory budget that is left:
/// they exist twice while they are converted, and once more where the TGA is compressed.
fn convert_tga(bytes: &[u8], location: &str, context: &ImportContext<'_>) -> Result<Vec<u8>, crate::Error> {
    let most = (context.budget.left() / 3).min(MOST_TGA_BYTES);
    let png = png_from_tga(bytes, most, location)?;
    context.budget.spend(png.len().saturating_sub(bytes.len()) as u64, location)?;
    Ok(png)
}

/// The picture of a material: a path in the folder. One that is drawn precedes one that is not.
fn find(folder: &SandboxedFolder, material: &str) -> Option<String> {
    let written = material.replace('\\', "/");
    let (stem, ending) = split_ending(&written);
    if file_name(stem).is_empty() {
        return None;
    }
    // The name as written, whose ending may have capital letters.
    let is_drawn = |ending: &str| DRAWN_ENDINGS.iter().any(|drawn| drawn.eq_ignore_ascii_case(ending));
    let exact = || with_and_without_folders(&written).map(str::to_owned);
    let drawn_first = exact().filter(|_| ending.is_some_and(is_drawn));
    let other_last = exact().filter(|_| ending.is_some_and(|ending| !is_drawn(ending)));
    let drawn = DRAWN_ENDINGS.into_iter().flat_map(|ending| guesses(stem, ending));
    let mut names = drawn_first.chain(drawn).chain(other_last);
    names.find(|name| folder.has_file(name))
}

/// The names of a picture with this ending.
fn guesses<'a>(stem: &'a str, ending: &'a str) -> impl Iterator<Item = String> + 'a {
    SUFFIXES.into_iter().flat_map(move |suffix| {
        with_and_without_folders(stem).map(move |stem| format!("{stem}{suffix}.{ending}"))
    })
}

/// The path, and its last part. A path that would leave the folder is never opened; the last part
/// alone cannot leave it.
fn with_and_without_folders(path: &str) -> impl Iterator<Item = &str> {
    let name = file_name(path);
    std::iter::once(path).chain((name != path).then_some(name))
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// A path without the ending of a picture, and the ending. Other endings are part of the name.
fn split_ending(path: &str) -> (&str, Option<&str>) {
    let known = |ending: &str| {
        DRAWN_ENDINGS.iter().chain(&OTHER_ENDINGS).any(|known| known.eq_ignore_ascii_case(ending))
    };
    match path.rsplit_once('.') {
        Some((stem, ending)) if known(ending) => (stem, Some(ending)),
        _ => (path, None),
    }
}
