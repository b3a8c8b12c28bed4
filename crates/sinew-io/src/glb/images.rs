//! Exports images: inside the file, or by their URI. glTF has PNG and JPEG, and extensions of it
//! have WebP and KTX2; an image of any other format would be one that no viewer shows.

use sinew::Model;
use sinew::model::Image;

use super::buffer::View;
use super::document::Document;
use super::material_schema as schema;

/// Media types that an extension of glTF supports.
pub(super) const WEBP: &str = "image/webp";
pub(super) const KTX2: &str = "image/ktx2";

const PNG: &str = "image/png";
const JPEG: &str = "image/jpeg";

/// What a GLB of the model would not hold, each in a few words: images of formats that are unknown
/// to glTF, empty ones, those of which it has only the URI, and primitives without mesh instances.
#[must_use]
pub fn dropped_by_glb(model: &Model) -> Vec<String> {
    let mut dropped = Vec::new();
    for (index, image) in model.images().iter().enumerate() {
        let why = match ImageForm::new(image) {
            ImageForm::Embedded(_) => continue,
            ImageForm::External(_) => "which stays a file of its own",
            ImageForm::Dropped(why) => why,
        };
        let name = if image.name.is_empty() { file_of(&image.uri) } else { &image.name };
        dropped.push(format!("image {index} {:?}, {why}", shortened(name)));
    }
    let mut is_used = vec![false; model.primitives().len()];
    for instance in model.mesh_instances() {
        is_used[instance.primitive] = true;
    }
    let unused = is_used.iter().filter(|is_used| !**is_used).count();
    if unused > 0 {
        dropped.push(format!("{unused} primitives without mesh instances"));
    }
    dropped
}

/// The image with its bytes, or with its URI; `None` if glTF cannot have it.
pub(super) fn export_image(image: &Image, document: &mut Document) -> Option<schema::Image> {
    let named = schema::Image { name: image.name.clone(), ..schema::Image::default() };
    match ImageForm::new(image) {
        ImageForm::Embedded(media_type) => {
            let view = document.buffer.view(image.bytes.iter().copied(), View::Other);
            Some(schema::Image { buffer_view: Some(view), mime_type: Some(media_type), ..named })
        }
        ImageForm::External(_) => Some(schema::Image { uri: Some(percent_encode(&image.uri)), ..named }),
        ImageForm::Dropped(_) => None,
    }
}

/// The media type of an exported image, as far as it is known.
pub(super) fn media_type(image: &Image) -> Option<&'static str> {
    match ImageForm::new(image) {
        ImageForm::Embedded(media_type) => Some(media_type),
        ImageForm::External(media_type) => media_type,
        ImageForm::Dropped(_) => None,
    }
}

/// How a GLB has an image.
enum ImageForm {
    /// Its bytes, of this media type.
    Embedded(&'static str),
    /// Its URI, with the media type that the name of the file states, if any.
    External(Option<&'static str>),
    /// Not at all, for this reason.
    Dropped(&'static str),
}

impl ImageForm {
    fn new(image: &Image) -> Self {
        const FOREIGN: &str = "whose format glTF does not have";
        let stated = [PNG, JPEG, WEBP, KTX2].into_iter().find(|known| *known == image.media_type);
        match &image.bytes[..] {
            [] => {}
            [0x89, b'P', b'N', b'G', ..] => return Self::Embedded(PNG),
            [0xFF, 0xD8, 0xFF, ..] => return Self::Embedded(JPEG),
            [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => return Self::Embedded(WEBP),
            [0xAB, b'K', b'T', b'X', b' ', b'2', b'0', 0xBB, ..] => return Self::Embedded(KTX2),
            _ => return stated.map_or(Self::Dropped(FOREIGN), Self::Embedded),
        }
        if image.uri.is_empty() || image.uri.starts_with("data:") {
            return Self::Dropped("which is empty");
        }
        match file_of(&image.uri).rsplit_once('.') {
            Some((_, ending)) => match media_type_of_ending(ending) {
                Some(media_type) => Self::External(Some(media_type)),
                // An ending that says nothing, such as `.001`: the document may.
                None => stated.map_or(Self::Dropped(FOREIGN), |stated| Self::External(Some(stated))),
            },
            None => Self::External(stated),
        }
    }
}

fn media_type_of_ending(ending: &str) -> Option<&'static str> {
    let endings = [("png", PNG), ("jpg", JPEG), ("jpeg", JPEG), ("webp", WEBP), ("ktx2", KTX2)];
    endings
        .into_iter()
        .find(|(known, _)| known.eq_ignore_ascii_case(ending))
        .map(|(_, media_type)| media_type)
}

/// The file that a URI names, without its folder, query and fragment.
fn file_of(uri: &str) -> &str {
    let path = uri.split(['?', '#']).next().unwrap_or(uri);
    path.rsplit('/').next().unwrap_or(path)
}

/// The beginning of a name, which may be any length.
fn shortened(name: &str) -> String {
    const MOST: usize = 80;
    match name.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}...", &name[..end]),
        None => name.to_owned(),
    }
}

/// Percent-encodes the characters that a URI must not contain. Existing percent-encoding stays.
fn percent_encode(uri: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/%:?#[]@!$&'()*+,;=".contains(&byte);
    let encode = |byte: u8| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    uri.bytes().map(encode).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How a GLB has an image: the media type of embedded bytes, or of a URI, or why it has none.
    fn form(bytes: &[u8], uri: &str, media_type: &str) -> (&'static str, Option<&'static str>) {
        let image = Image {
            bytes: bytes.to_vec(),
            uri: uri.to_owned(),
            media_type: media_type.to_owned(),
            ..Image::default()
        };
        match ImageForm::new(&image) {
            ImageForm::Embedded(media_type) => ("embedded", Some(media_type)),
            ImageForm::External(media_type) => ("external", media_type),
            ImageForm::Dropped(why) => ("dropped", Some(why)),
        }
    }

    #[test]
    fn only_formats_of_gltf_are_named_by_uri() {
        const FOREIGN: (&str, Option<&str>) = ("dropped", Some("whose format glTF does not have"));
        assert_eq!(form(b"", "a/b.png", ""), ("external", Some(PNG)));
        assert_eq!(form(b"", "a.JPEG?x=.tga", ""), ("external", Some(JPEG)));
        assert_eq!(form(b"", "a.webp", ""), ("external", Some(WEBP)));
        assert_eq!(form(b"", "a.b/picture", PNG), ("external", Some(PNG)));
        assert_eq!(form(b"", "picture", ""), ("external", None));
        assert_eq!(form(b"", "skin.001", PNG), ("external", Some(PNG)));
        for uri in ["a.tga", "b/a.TIF", "a.dds", "a.", "a.b.psd"] {
            assert_eq!(form(b"", uri, ""), FOREIGN, "{uri}");
        }
        assert_eq!(form(b"", "", PNG), ("dropped", Some("which is empty")));
        assert_eq!(form(b"", "data:,", PNG), ("dropped", Some("which is empty")));
    }

    #[test]
    fn bytes_decide_before_names() {
        assert_eq!(form(b"\x89PNG", "a.tga", ""), ("embedded", Some(PNG)));
        assert_eq!(form(b"other", "a.tga", PNG), ("embedded", Some(PNG)));
        for uri in ["a.tga", "a.png", "", "data:,x"] {
            assert_eq!(form(b"other", uri, "").0, "dropped", "{uri}");
        }
    }

    #[test]
    fn long_names_are_shortened() {
        assert_eq!(shortened("é"), "é");
        assert_eq!(shortened(&"é".repeat(81)), format!("{}...", "é".repeat(80)));
    }
}
