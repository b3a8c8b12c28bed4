//! A text file that is written here: units, axes, a skin, a blend shape and an animation.

use sinew::Model;
use sinew_io::{Import, ImportOptions};

use crate::support::{loader, positions};

/// A triangle in centimeters, with +Z up. Its first corner moves with a bone that rises by a meter
/// in a second; its last one has a blend shape of a meter along x, up to half in the same second.
pub(crate) const TEXT: &str = include_str!("rise.fbx");

pub(crate) fn import(text: &str) -> Import {
    loader().load_bytes(text.as_bytes(), &ImportOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn assert_close(model: &Model, clip: Option<(usize, f64)>, expected: [[f32; 3]; 3]) {
    let found = positions(model, clip, None).expect("valid data");
    assert_eq!(found.len(), 3);
    for expected in expected {
        let near = |point: &&[f32; 3]| (0..3).all(|axis| (point[axis] - expected[axis]).abs() < 1e-5);
        assert!(found.iter().any(|point| near(&point)), "{expected:?} is not in {found:?}");
    }
}

#[test]
fn units_axes_skin_blend_shape_and_animation_are_read() {
    let import = import(TEXT);
    assert!(import.report.is_empty(), "{}", import.report);
    let model = &import.model;
    assert_close(model, None, [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    let clip = &model.clips()[0];
    assert_eq!((clip.name(), clip.start(), clip.end()), ("rise", 0.0, 1.0));
    assert_close(model, Some((0, 0.5)), [[0.0, 0.5, 0.0], [1.0, 0.0, 0.0], [0.25, 1.0, 0.0]]);
    assert_close(model, Some((0, 1.0)), [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.5, 1.0, 0.0]]);
    assert_eq!(model.primitives()[0].mesh.morph_names().collect::<Vec<_>>(), ["wide"]);
    assert_eq!(model.materials()[0].name, "paint");
    assert_eq!(model.materials()[0].base_color, [0.5, 0.25, 1.0, 1.0]);
}

/// A scene whose layers, pivots and geometric transforms matter.
#[test]
fn pivots_and_geometric_transforms_become_plain_transforms() {
    let properties = r#"        Properties70:  {
            P: "RotationPivot", "Vector3D", "Vector", "",100,0,0
            P: "GeometricTranslation", "Vector3D", "Vector", "",0,0,100
            P: "Lcl Rotation", "Lcl Rotation", "", "A",0,0,90
        }
    }
    Model: 3,"#;
    let text = TEXT.replace("    }\n    Model: 3,", properties);
    assert_ne!(text, TEXT);
    // Without the skin, the triangle follows its node.
    let model = import(&text.replace("    C: \"OO\",4,1\n", "")).model;
    // A quarter turn about the pivot, one meter along x, of a triangle that starts a meter up.
    assert_close(&model, None, [[1.0, 1.0, 1.0], [1.0, 1.0, 0.0], [1.0, 2.0, 1.0]]);
}

#[test]
fn what_is_no_fbx_is_refused_with_a_reason() {
    let cases: [(&[u8], &str); 4] = [
        (b"", "expected a file of the format glTF, MD5, BVH or FBX, found nothing"),
        (b"Kaydara FBX Binary  \0\x1a\0\xe8\x1c\0\0", "expected a valid FBX file, found"),
        (b"; FBX 7.4.0 project file\nObjects: {", "expected a valid FBX file, found"),
        (b"; FBX 7.4.0 project file\n", "expected a valid FBX file, found"),
    ];
    for (bytes, expected) in cases {
        match loader().load_bytes(bytes, &ImportOptions::default()) {
            Err(error) => assert!(error.to_string().contains(expected), "{error}"),
            Ok(import) => assert_eq!(import.model.mesh_instances().len(), 0),
        }
    }
}

#[test]
fn memory_budget_holds_for_ufbx_too() {
    let options = ImportOptions::default().memory_budget(Some(20_000));
    let error = loader().load_bytes(TEXT.as_bytes(), &options).unwrap_err().to_string();
    assert!(error.contains("emory"), "{error}");
}
