//! Compressed views, compared with the same data without compression.

use super::super::compressed::Compressed;
use super::super::document::Document;
use super::super::source::GltfSource;
use super::support::{document_json, read_document};
use crate::meshopt::Mode;
use crate::sandbox::SandboxedFolder;
use crate::scene::Budget;
use crate::{ExternalFiles, ImportOptions, Report};

/// The asset has every mode and filter, and a second buffer with the decoded data.
#[test]
fn streams_decode_to_the_fallback_buffer() {
    let Some(data) = std::env::var_os("SINEW_DATA") else {
        eprintln!("skipped: SINEW_DATA is not set");
        return;
    };
    let path =
        std::path::Path::new(&data).join("khronos-sample-assets/MeshoptCubeTest/glTF/MeshoptCubeTest.gltf");
    let bytes = std::fs::read(&path).unwrap();
    let folder = SandboxedFolder::containing(&path, ExternalFiles::WithinFolder);
    let budget = Budget::new(&ImportOptions::default(), bytes.len() as u64);
    let report = &mut Report::new(false);
    let source = GltfSource::parse(&bytes, &budget, report).unwrap();
    let document = Document::open(&source, Some(&folder), &budget, report).unwrap();
    let fallback = std::fs::read(path.with_file_name("MeshoptCubeTestFallback.bin")).unwrap();
    let mut compared = 0;
    for (i, view) in
        document.root.buffer_views.iter().enumerate().filter(|(_, view)| view.buffer.value() == 1)
    {
        let start = view.byte_offset as usize;
        let expected = &fallback[start..][..view.byte_length as usize];
        let triangles = Compressed::for_view(&document.root, i).unwrap().unwrap().mode == Mode::Triangles;
        let found = document.view(i, &"").unwrap();
        let stride = found.len() / 36;
        let rotate = |bytes: &[u8]| if triangles { smallest_first(bytes, stride) } else { bytes.to_vec() };
        assert_eq!(rotate(found), rotate(expected), "bufferViews[{i}]");
        compared += 1;
    }
    assert!(compared > 30, "{compared}");
}

/// Decoded triangles may be rotated. This rotates each to start with its smallest index.
fn smallest_first(bytes: &[u8], size: usize) -> Vec<u8> {
    let mut indices: Vec<&[u8]> = bytes.chunks(size).collect();
    for triangle in indices.chunks_mut(3) {
        let least = (0..3).min_by_key(|&i| triangle[i].iter().rev().collect::<Vec<_>>()).unwrap();
        triangle.rotate_left(least);
    }
    indices.concat()
}

fn view(extension: &str) -> Result<Vec<u8>, crate::error::BoxedError> {
    // Two elements of zeros, in a stream of version 0.
    let mut stream = vec![0xa0];
    stream.extend([0; 4 + 32]);
    let rest = format!(
        r#""bufferViews":[{{"buffer":0,"byteLength":8,"extensions":{{"EXT_meshopt_compression":{extension}}}}}]"#
    );
    read_document(&document_json(&stream, &rest), |document| document.view(0, &"").map(<[u8]>::to_vec))
        .map(|(bytes, _)| bytes)
}

#[test]
fn compression_extension_is_checked() {
    let good = r#"{"buffer":0,"byteLength":37,"byteStride":4,"count":2,"mode":"ATTRIBUTES"}"#;
    assert_eq!(view(good).unwrap(), [0; 8]);
    let broken = [
        ("37", "38"),
        ("37", "36"),
        ("37", "0"),
        ("\"buffer\":0", "\"buffer\":1"),
        ("\"count\":2", "\"count\":3"),
        ("\"byteStride\":4", "\"byteStride\":8"),
        ("\"byteStride\":4,\"count\":2", "\"byteStride\":2,\"count\":4"),
        ("ATTRIBUTES", "TRIANGLES"),
        ("ATTRIBUTES", "INDICES"),
        ("ATTRIBUTES", "attributes"),
        ("\"mode\"", "\"filter\":\"QUATERNION\",\"mode\""),
        ("\"mode\"", "\"filter\":\"\",\"mode\""),
        ("\"mode\"", "\"byteOffset\":1,\"mode\""),
        ("\"count\":2,", ""),
        ("37", "-37"),
        ("37", "3.7"),
        ("\"mode\"", "\"byteOffset\":18446744073709551615,\"mode\""),
    ];
    for (from, to) in broken {
        assert!(view(&good.replace(from, to)).is_err(), "{to} for {from}");
    }
}
