//! Invalid files that parsing, checking and decoding must refuse, and models that they must accept.

use std::path::{Path, PathBuf};

use super::super::document::{AccessorUse, Document};
use super::super::schema::accessor::Type;
use super::super::source::GltfSource;
use crate::error::BoxedError as Error;
use crate::sandbox::SandboxedFolder;
use crate::scene::Budget;
use crate::{ExternalFiles, ImportOptions, Report};

fn data() -> Option<PathBuf> {
    let data = std::env::var_os("SINEW_DATA");
    if data.is_none() {
        eprintln!("skipped: SINEW_DATA is not set");
    }
    data.map(PathBuf::from)
}

/// Opens a file and reads all its accessors, each with a use that suits its type. Returns the
/// number of warnings.
fn read_all(path: &Path) -> Result<usize, Error> {
    let bytes = std::fs::read(path).unwrap();
    let folder = SandboxedFolder::containing(path, ExternalFiles::WithinFolder);
    let mut report = Report::new(false);
    let budget = Budget::new(&ImportOptions::default(), bytes.len() as u64);
    let source = GltfSource::parse(&bytes, &budget, &mut report)?;
    let document = Document::open(&source, Some(&folder), &budget, &mut report)?;
    for accessor in 0..document.root.accessors.len() {
        read_one(&document, accessor)?;
    }
    document.take_warnings(&mut report)?;
    Ok(report.warnings().len())
}

fn read_one(document: &Document<'_, '_>, accessor: usize) -> Result<(), Error> {
    let read = match document.root.accessors[accessor].type_.0.unwrap() {
        Type::Scalar => document.floats::<1>(accessor, AccessorUse::Times, &"").map(drop),
        Type::Vec2 => document.floats::<2>(accessor, AccessorUse::TextureCoordinate, &"").map(drop),
        Type::Vec3 => document.floats::<3>(accessor, AccessorUse::Position, &"").map(drop),
        Type::Vec4 => document.floats::<4>(accessor, AccessorUse::Weights, &"").map(drop),
        Type::Mat4 => document.floats::<16>(accessor, AccessorUse::Matrices, &"").map(drop),
        _ => return Ok(()),
    };
    let is_type = |error: &Error| {
        let said = error.to_string();
        ["expected SCALAR of", "expected VEC", "expected MAT"].iter().any(|start| said.starts_with(start))
    };
    match read {
        Err(error) if is_type(&error) => match document.indices(accessor, &"") {
            Err(error) if is_type(&error) => match document.joints(accessor, &"") {
                Err(error) if !is_type(&error) => Err(error),
                _ => Ok(()),
            },
            read => read.map(drop),
        },
        read => read,
    }
}

/// The files whose error is found without building the scene, by the start of their names.
const FOUND_WITHOUT_SCENE: [&str; 12] = [
    "glb/",
    "gltf/acc_",
    "gltf/asset_",
    "gltf/buffer_",
    "gltf/datauri_",
    "gltf/ext_",
    "gltf/json_",
    "gltf/mode_",
    "gltf/no_buffers",
    "gltf/sparse_",
    "gltf/uri_",
    "gltf/view_",
];

#[test]
fn invalid_files_are_refused_and_valid_ones_are_not() {
    let Some(data) = data() else { return };
    let text = std::fs::read(data.join("hostile/expected.json")).unwrap();
    let expected: serde_json::Value = serde_json::from_slice(&text).unwrap();
    let mut wrong = Vec::new();
    for (name, support) in expected.as_object().unwrap() {
        if name.starts_with("md5/") {
            continue;
        }
        let expect = support["expect"].as_str().unwrap();
        let read = read_all(&data.join("hostile").join(name));
        let found_without_scene =
            FOUND_WITHOUT_SCENE.iter().any(|start| name.starts_with(start)) || name.ends_with("_oob.gltf");
        match (expect, &read) {
            ("accept", Ok(0)) | ("reject", Err(_)) => {}
            ("warn", Ok(warnings)) if !found_without_scene || *warnings > 0 => {}
            // Only the scene knows the use of an accessor and the skin of joint indices.
            ("reject", Ok(_))
                if !found_without_scene || name.contains("mismatch") || name.contains("joint_index") => {}
            _ => wrong.push(format!("{name}: {expect}, {read:?}")),
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn sample_models_are_read() {
    let Some(data) = data() else { return };
    let mut folders =
        vec![data.join("khronos-sample-assets"), data.join("kaykit-adventurers"), data.join("rigs")];
    folders.push(data.join("khronos-asset-generator"));
    let mut read = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "glb" || extension == "gltf") {
                let result = read_all(&path);
                read += 1;
                let name = path.to_string_lossy();
                // These need a later version, or an extension that does not exist.
                let refused = ["Draco", "Compatibility_04", "Compatibility_05"];
                let refused = refused.iter().any(|part| name.contains(part));
                assert_eq!(result.is_err(), refused, "{}: {result:?}", path.display());
            }
        }
    }
    assert!(read > 20, "{read}");
}

/// Replaces every byte of small files. The import must not panic.
#[test]
fn no_replaced_byte_causes_a_panic() {
    let Some(data) = data() else { return };
    let files = [
        "hostile/glb/valid.glb",
        "hostile/gltf/sparse_valid_no_base.gltf",
        "meshoptimizer-fuzz/gltf/fuzz.glb",
    ];
    for file in files {
        let valid = std::fs::read(data.join(file)).unwrap();
        let step = (valid.len() / 2000).max(1);
        for at in (0..valid.len()).step_by(step) {
            for value in [0, 1, b'9', 0x7f, 0x80, 0xff, valid[at].wrapping_add(1)] {
                let mut bytes = valid.clone();
                bytes[at] = value;
                let mut report = Report::new(false);
                let budget = Budget::new(&ImportOptions::default(), bytes.len() as u64);
                let source = GltfSource::parse(&bytes, &budget, &mut report);
                let Ok(source) = source else { continue };
                if let Ok(document) = Document::open(&source, None, &budget, &mut report) {
                    (0..document.root.accessors.len())
                        .for_each(|accessor| drop(read_one(&document, accessor)));
                }
            }
        }
    }
}
