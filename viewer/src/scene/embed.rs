//! Embeds the buffers and images that a glTF document names into the document.
//!
//! A page gets dropped files as bytes without paths, and an importer of bytes opens no files. A
//! document with data URIs needs none.

use serde_json::Value;

use super::DroppedFile;
use crate::settings::percent_decode;

/// Replaces the relative URIs of buffers and images by the contents of the other dropped files.
/// URIs without such a file stay as they are: the importer then says which file is missing. `None`
/// if the bytes are not JSON, or nothing was replaced.
pub(super) fn embed_files(document: &[u8], files: &[DroppedFile]) -> Option<Vec<u8>> {
    let mut document: Value = serde_json::from_slice(document).ok()?;
    let mut replaced = false;
    for (list, default_type) in [("buffers", "application/octet-stream"), ("images", "image/png")] {
        let Some(entries) = document.get_mut(list).and_then(Value::as_array_mut) else { continue };
        for entry in entries {
            let declared = entry.get("mimeType").and_then(Value::as_str).map(str::to_owned);
            let Some(Value::String(uri)) = entry.get_mut("uri") else { continue };
            let Some(file) = files.iter().find(|file| is_named(file, uri)) else { continue };
            let jpeg = file.bytes.starts_with(&[0xFF, 0xD8, 0xFF]);
            let guessed = if jpeg { "image/jpeg" } else { default_type };
            *uri = data_uri(declared.as_deref().unwrap_or(guessed), &file.bytes);
            replaced = true;
        }
    }
    replaced.then(|| document.to_string().into_bytes())
}

/// Whether a URI refers to a file. Dropped files have no folders, so only names are compared.
fn is_named(file: &DroppedFile, uri: &str) -> bool {
    let last = |path: &str| path.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
    !uri.starts_with("data:") && last(&percent_decode(uri)) == last(&file.name)
}

/// Bytes as a base64 data URI.
fn data_uri(media_type: &str, bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut uri = format!("data:{media_type};base64,");
    uri.reserve(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let byte = |index: usize| u32::from(group.get(index).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for digit in 0..4 {
            let six = (bits >> (18 - 6 * digit) & 63) as usize;
            uri.push(if digit <= group.len() { char::from(DIGITS[six]) } else { '=' });
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, bytes: &[u8]) -> DroppedFile {
        DroppedFile { name: name.to_owned(), bytes: bytes.to_vec() }
    }

    #[test]
    fn base64_has_the_digits_of_its_definition() {
        for (bytes, expected) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")]
        {
            assert_eq!(data_uri("a/b", bytes.as_bytes()), format!("data:a/b;base64,{expected}"));
        }
    }

    #[test]
    fn uris_of_dropped_files_are_embedded_and_others_stay() {
        let document = br#"{"buffers":[{"uri":"a%20b.bin"},{"uri":"missing.bin"},{"uri":"data:,x"}],
            "images":[{"uri":"textures/skin.jpg"},{"bufferView":0}]}"#;
        let files = [file("a b.bin", b"foo"), file("skin.jpg", b"\xFF\xD8\xFF")];
        let text = String::from_utf8(embed_files(document, &files).expect("two are replaced")).expect("JSON");
        assert!(text.contains("data:application/octet-stream;base64,Zm9v"), "{text}");
        assert!(text.contains("data:image/jpeg;base64,/9j/"), "{text}");
        assert!(text.contains("missing.bin") && text.contains("data:,x"), "{text}");
        assert_eq!(embed_files(b"glTF", &files), None);
        assert_eq!(embed_files(document, &[]), None);
    }
}
