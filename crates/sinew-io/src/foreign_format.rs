//! Names the formats of 3D files that no importer reads, for the error that refuses them.

/// What such a file is, and what its owner can do. `None` for bytes that are not recognized.
pub(crate) fn describe(bytes: &[u8]) -> Option<String> {
    let name = name(bytes)?;
    let advice = match name {
        "a Blender file" => "open it in Blender and export glTF 2.0 (File > Export)",
        "an STL file" | "a PLY file" | "an OBJ file" => {
            "it has neither joints nor clips; import it into Blender, rig it and export glTF 2.0"
        }
        "a ZIP archive" => "unpack it first",
        // Blender compresses with Zstandard, and did with gzip.
        "a gzip archive" | "a Zstandard archive" => {
            "unpack it first; if it is a compressed Blender file, open it in Blender and export glTF 2.0"
        }
        _ => "import it into Blender, or into the program that wrote it, and export glTF 2.0",
    };
    Some(format!("{name}; {advice}"))
}

fn name(bytes: &[u8]) -> Option<&'static str> {
    let text = text_start(bytes);
    let first_word = text.split_ascii_whitespace().next().unwrap_or_default();
    Some(match bytes {
        [b'P', b'X', b'R', b'-', b'U', b'S', b'D', b'C', ..] => "a USD file",
        [b'B', b'L', b'E', b'N', b'D', b'E', b'R', ..] => "a Blender file",
        [0x28, 0xB5, 0x2F, 0xFD, ..] => "a Zstandard archive",
        [0x1F, 0x8B, ..] => "a gzip archive",
        [b'P', b'K', 3, 4, ..] if is_usdz(bytes) => "a USD file",
        [b'P', b'K', 3, 4, ..] => "a ZIP archive",
        _ if text.starts_with("#usda") => "a USD file",
        _ if text.starts_with('<') && text.contains("<COLLADA") => "a COLLADA (DAE) file",
        _ if is_binary_stl(bytes) || (first_word == "solid" && text.contains("facet")) => "an STL file",
        _ if first_word == "ply" => "a PLY file",
        _ if is_obj(text) => "an OBJ file",
        _ => return None,
    })
}

/// The text at the start, up to the first byte that is no ASCII.
fn text_start(bytes: &[u8]) -> &str {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let bytes = &bytes[..bytes.len().min(4096)];
    let ascii = bytes.iter().position(|byte| !byte.is_ascii()).unwrap_or(bytes.len());
    std::str::from_utf8(&bytes[..ascii]).unwrap_or_default().trim_start()
}

/// Whether the first file in the archive is a USD file.
fn is_usdz(bytes: &[u8]) -> bool {
    let Some(&[low, high]) = bytes.get(26..28).and_then(|len| len.first_chunk()) else { return false };
    let name = bytes.get(30..30 + usize::from(u16::from_le_bytes([low, high]))).unwrap_or_default();
    [&b".usda"[..], b".usdc", b".usd"].iter().any(|extension| name.ends_with(extension))
}

/// A binary STL file has no magic number, but its length follows from its number of triangles.
fn is_binary_stl(bytes: &[u8]) -> bool {
    let Some(&count) = bytes.get(80..84).and_then(|count| count.first_chunk()) else { return false };
    let triangles = u64::from(u32::from_le_bytes(count));
    triangles > 0 && bytes.len() as u64 == 84 + 50 * triangles
}

/// Whether the first line that is no comment is a statement of an OBJ file.
fn is_obj(text: &str) -> bool {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'));
    let word = line.and_then(|line| line.split_ascii_whitespace().next()).unwrap_or_default();
    matches!(word, "mtllib" | "v" | "vt" | "vn" | "o" | "g" | "usemtl")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_of_other_programs_are_named() {
        let binary_stl = [&[0; 80][..], &1_u32.to_le_bytes(), &[0; 50]].concat();
        let mut usdz = b"PK\x03\x04".to_vec();
        usdz.resize(26, 0);
        usdz.extend(*b"\x06\0\0\0a.usdc");
        let named: [(&[u8], &str); 12] = [
            (b"PXR-USDC\0", "a USD file"),
            (b"#usda 1.0\n(", "a USD file"),
            (&usdz, "a USD file"),
            (b"PK\x03\x04", "a ZIP archive"),
            (b"<?xml version=\"1.0\"?>\n<COLLADA xmlns=", "a COLLADA (DAE) file"),
            (b"BLENDER-v305", "a Blender file"),
            (b"\x28\xB5\x2F\xFD\x04", "a Zstandard archive"),
            (b"solid cube\n facet normal 0 0 1", "an STL file"),
            (&binary_stl, "an STL file"),
            (b"ply\nformat ascii 1.0", "a PLY file"),
            (b"# Blender\nmtllib a.mtl\nv 0 0 0", "an OBJ file"),
            (b"\x1F\x8B\x08", "a gzip archive"),
        ];
        for (bytes, expected) in named {
            assert_eq!(name(bytes), Some(expected));
            assert!(describe(bytes).is_some_and(|text| text.starts_with(expected)));
        }
        let advice = describe(b"PK\x03\x04").expect("a ZIP archive");
        assert_eq!(advice, "a ZIP archive; unpack it first");
        let advice = describe(b"\x28\xB5\x2F\xFD\x04").expect("a Zstandard archive");
        assert!(advice.contains("open it in Blender"), "{advice}");
        for bytes in [&b""[..], b"PK", b"solid", b"#", b"voices", &[0; 84], b"PK\x03\x04 nothing more in it"]
        {
            assert_ne!(name(bytes), Some("a USD file"));
            assert!(name(bytes).is_none_or(|name| name.ends_with("archive")), "{bytes:?}");
        }
    }
}
