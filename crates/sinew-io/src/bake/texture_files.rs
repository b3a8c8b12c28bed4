//! The pictures that a baked mesh refers to, as files beside it.

use std::io::Write;
use std::path::{Path, PathBuf};

use sinew::Model;

use crate::{Error, OverwritePolicy, write_atomic};

/// The files of a model's base color textures, for the formats that cannot embed pictures. A
/// picture that the model holds gets a file beside the mesh: `fox.0.png` for `fox.obj`.
#[derive(Clone, Debug, Default)]
pub struct TextureFiles {
    /// For each image of the model, if it is a base color texture.
    images: Vec<Option<TextureFile>>,
}

#[derive(Clone, Debug)]
struct TextureFile {
    /// The name as the mesh refers to it.
    name: String,
    /// Where to write the picture. `None` if only its address is known.
    path: Option<PathBuf>,
}

impl TextureFiles {
    /// The files for a mesh file with this path. Pictures of other formats than PNG, JPEG and WebP
    /// have none.
    #[must_use]
    pub fn beside(path: impl AsRef<Path>, model: &Model) -> Self {
        let path = path.as_ref();
        let mut images = vec![None; model.images().len()];
        for texture in model.materials().iter().filter_map(|material| material.base_texture) {
            images[texture.image] = texture_file(path, model, texture.image);
        }
        Self { images }
    }

    /// The name of an image's file.
    #[must_use]
    pub fn name(&self, image: usize) -> Option<&str> {
        self.images.get(image)?.as_ref().map(|file| &*file.name)
    }

    /// The names of all files, each once.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.images.iter().flatten().map(|file| &*file.name)
    }

    /// Writes the pictures.
    pub(super) fn save(&self, model: &Model, policy: OverwritePolicy) -> Result<(), Error> {
        self.written().try_for_each(|(path, image)| {
            let bytes = &model.images()[image].bytes;
            write_atomic(path, policy, |to| to.write_all(bytes).map_err(Error::writing))
        })
    }

    /// The files to write, with the index of the image that each holds.
    pub fn written(&self) -> impl Iterator<Item = (&Path, usize)> {
        let files = self.images.iter().enumerate();
        files.filter_map(|(image, file)| Some((file.as_ref()?.path.as_deref()?, image)))
    }
}

fn texture_file(path: &Path, model: &Model, image: usize) -> Option<TextureFile> {
    let picture = &model.images()[image];
    if !picture.bytes.is_empty() {
        let file = path.with_extension(format!("{image}.{}", extension(&picture.bytes)?));
        let name = file.file_name()?.to_str().filter(|name| is_one_line(name))?.to_owned();
        return Some(TextureFile { name, path: Some(file) });
    }
    let uri = &*picture.uri;
    let refers = !uri.is_empty() && !uri.starts_with("data:") && is_one_line(uri);
    refers.then(|| TextureFile { name: uri.to_owned(), path: None })
}

/// The extension of a picture's format.
fn extension(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => Some("png"),
        [0xFF, 0xD8, 0xFF, ..] => Some("jpg"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("webp"),
        _ => None,
    }
}

fn is_one_line(name: &str) -> bool {
    !name.contains(char::is_control)
}
