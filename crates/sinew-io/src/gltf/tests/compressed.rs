//! Compressed views, beside the same numbers without compression.

use super::super::compressed::Compressed;
use super::super::document::Document;
use super::made::{document, with};
use crate::folder::Folder;
use crate::meshopt::Mode;
use crate::{Options, Outside, Report};

/// The asset holds every mode and filter, and a second buffer with what they decode to.
#[test]
fn streams_decode_to_what_the_fallback_holds() {
    let Some(data) = std::env::var_os("SINEW_DATA") else {
        eprintln!("skipped: SINEW_DATA is not set");
        return;
    };
    let path =
        std::path::Path::new(&data).join("khronos-sample-assets/MeshoptCubeTest/glTF/MeshoptCubeTest.gltf");
    let bytes = std::fs::read(&path).unwrap();
    let folder = Folder::of(&path, Outside::Refuse);
    let document =
        Document::open(&bytes, Some(&folder), &Options::default(), &mut Report::new(false)).unwrap();
    let fallback = std::fs::read(path.with_file_name("MeshoptCubeTestFallback.bin")).unwrap();
    let mut compared = 0;
    for (i, view) in
        document.root.buffer_views.iter().enumerate().filter(|(_, view)| view.buffer.value() == 1)
    {
        let start = view.byte_offset.unwrap_or_default() as usize;
        let expected = &fallback[start..][..view.byte_length as usize];
        let triangles = Compressed::of(&document.root, i).unwrap().unwrap().mode == Mode::Triangles;
        let found = document.view(i, "").unwrap();
        let stride = found.len() / 36;
        let turn = |bytes: &[u8]| if triangles { smallest_first(bytes, stride) } else { bytes.to_vec() };
        assert_eq!(turn(found), turn(expected), "bufferViews[{i}]");
        compared += 1;
    }
    assert!(compared > 30, "{compared}");
}

/// Triangles may come out turned, so each is turned to begin with its smallest index.
fn smallest_first(bytes: &[u8], size: usize) -> Vec<u8> {
    let mut indices: Vec<&[u8]> = bytes.chunks(size).collect();
    for triangle in indices.chunks_mut(3) {
        let least = (0..3).min_by_key(|&i| triangle[i].iter().rev().collect::<Vec<_>>()).unwrap();
        triangle.rotate_left(least);
    }
    indices.concat()
}

fn view(extension: &str) -> Result<Vec<u8>, crate::Error> {
    // Two elements of nought, in a stream of version 0.
    let mut stream = vec![0xa0];
    stream.extend([0; 4 + 32]);
    let rest = format!(
        r#""bufferViews":[{{"buffer":0,"byteLength":8,"extensions":{{"EXT_meshopt_compression":{extension}}}}}]"#
    );
    with(&document(&stream, &rest), |document| document.view(0, "").map(<[u8]>::to_vec))
        .map(|(bytes, _)| bytes)
}

#[test]
fn what_an_extension_says_is_checked() {
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
