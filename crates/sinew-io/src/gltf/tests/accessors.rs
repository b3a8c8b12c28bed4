//! Elements of accessors: packed, interleaved, sparse and without a view.

use std::borrow::Cow;

use super::super::document::AccessorUse;
use super::support::{document_json, floats, read_document};

fn scalars(
    view: &str,
    accessor: &str,
    bytes: &[u8],
) -> Result<(Vec<[f32; 1]>, Vec<String>), crate::error::BoxedError> {
    let rest = format!(r#""bufferViews":[{view}],"accessors":[{accessor}]"#);
    read_document(&document_json(bytes, &rest), |document| {
        document.floats::<1>(0, AccessorUse::Times, &"times").map(Cow::into_owned)
    })
}

#[test]
fn interleaved_elements_are_read_separately() {
    let numbers: Vec<f32> = (0..10).map(|i| i as f32).collect();
    let rest = r#""bufferViews":[{"buffer":0,"byteLength":40,"byteStride":20}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":2,"type":"VEC3"},
                     {"bufferView":0,"byteOffset":12,"componentType":5126,"count":2,"type":"VEC2"}]"#;
    let text = document_json(&floats(&numbers), rest);
    let read = |document: &super::super::document::Document<'_, '_>| {
        Ok((
            document.floats::<3>(0, AccessorUse::Position, &"")?.into_owned(),
            document.floats::<2>(1, AccessorUse::TextureCoordinate, &"")?.into_owned(),
        ))
    };
    let ((positions, coordinates), warnings) = read_document(&text, read).unwrap();
    assert_eq!(positions, [[0.0, 1.0, 2.0], [5.0, 6.0, 7.0]]);
    assert_eq!(coordinates, [[3.0, 4.0], [8.0, 9.0]]);
    assert!(warnings.is_empty(), "{warnings:?}");
}

#[test]
fn last_element_must_end_within_the_view() {
    let bytes = floats(&[1.0, 2.0, 3.0]);
    let accessor = |count: u64, offset: u64| {
        format!(
            r#"{{"bufferView":0,"byteOffset":{offset},"componentType":5126,"count":{count},"type":"SCALAR"}}"#
        )
    };
    let view = r#"{"buffer":0,"byteLength":12}"#;
    assert_eq!(scalars(view, &accessor(3, 0), &bytes).unwrap().0, [[1.0], [2.0], [3.0]]);
    assert_eq!(scalars(view, &accessor(2, 4), &bytes).unwrap().0, [[2.0], [3.0]]);
    for (count, offset) in [(4, 0), (3, 4), (1, 12), (0, 0), (1, u64::MAX - 3), (u64::MAX, 0), (1 << 62, 0)] {
        assert!(scalars(view, &accessor(count, offset), &bytes).is_err(), "{count} at {offset}");
    }
}

#[test]
fn elements_without_a_view_are_zero_and_count_against_the_budget() {
    let view = r#"{"buffer":0,"byteLength":4}"#;
    let (zeros, _) = scalars(view, r#"{"componentType":5126,"count":5,"type":"SCALAR"}"#, &[0; 4]).unwrap();
    assert_eq!(zeros, [[0.0]; 5]);
    let refused = scalars(view, r#"{"componentType":5126,"count":30000000,"type":"SCALAR"}"#, &[0; 4]);
    assert!(refused.unwrap_err().to_string().contains("budget"));
}

#[test]
fn lengths_do_not_overflow_with_any_budget() {
    let text = document_json(
        &[0; 4],
        r#""accessors":[{"componentType":5126,"count":4611686018427387903,"type":"MAT4"}]"#,
    );
    let options = crate::ImportOptions::default().memory_budget(Some(u64::MAX));
    let mut report = crate::Report::new(false);
    let budget = crate::scene::Budget::new(&options, 0);
    let source = super::super::source::GltfSource::parse(text.as_bytes(), &budget, &mut report).unwrap();
    let document = super::super::document::Document::open(&source, None, &budget, &mut report).unwrap();
    assert!(document.floats::<16>(0, AccessorUse::Matrices, &"").is_err());
}

fn sparse(count: u32, indices: &[u8], values: &[f32]) -> Result<Vec<[f32; 1]>, crate::error::BoxedError> {
    let mut bytes = floats(&[10.0, 0.0, 11.0, 0.0, 12.0, 0.0, 13.0, 0.0]);
    bytes.extend(indices);
    bytes.resize(36, 0);
    bytes.extend(floats(values));
    let (indices, values) = (indices.len(), values.len() * 4);
    let view = format!(
        r#"{{"buffer":0,"byteLength":32,"byteStride":8}},
           {{"buffer":0,"byteOffset":32,"byteLength":{indices}}},
           {{"buffer":0,"byteOffset":36,"byteLength":{values}}}"#
    );
    let accessor = format!(
        r#"{{"bufferView":0,"componentType":5126,"count":4,"type":"SCALAR","sparse":{{"count":{count},
           "indices":{{"bufferView":1,"componentType":5121}},"values":{{"bufferView":2}}}}}}"#
    );
    scalars(&view, &accessor, &bytes).map(|(numbers, _)| numbers)
}

#[test]
fn sparse_values_are_packed_even_if_the_base_is_not() {
    assert_eq!(sparse(2, &[1, 3], &[5.0, 6.0]).unwrap(), [[10.0], [5.0], [12.0], [6.0]]);
}

#[test]
fn sparse_indices_increase_and_are_in_range() {
    for indices in [[1, 1], [3, 1], [0, 4], [255, 0]] {
        assert!(sparse(2, &indices, &[5.0, 6.0]).is_err(), "{indices:?}");
    }
    assert!(sparse(0, &[1, 2], &[5.0, 6.0]).is_err());
    assert!(sparse(3, &[0, 1, 2], &[5.0, 6.0]).is_err());
    assert!(sparse(3, &[0, 1], &[5.0, 6.0, 7.0]).is_err());
    assert!(sparse(4, &[0, 1, 2, 3], &[1.0, 2.0, 3.0, 4.0]).is_ok());
}

#[test]
fn unsuitable_types_are_refused_by_name() {
    let view = r#"{"buffer":0,"byteLength":16}"#;
    let refused =
        scalars(view, r#"{"bufferView":0,"componentType":5125,"count":1,"type":"SCALAR"}"#, &[0; 16]);
    let said = refused.unwrap_err().to_string();
    assert!(said.contains("times") && said.contains("SCALAR of u32"), "{said}");
    assert!(
        scalars(view, r#"{"bufferView":0,"componentType":5126,"count":1,"type":"VEC2"}"#, &[0; 16]).is_err()
    );
    assert!(
        scalars(view, r#"{"bufferView":0,"componentType":5124,"count":1,"type":"SCALAR"}"#, &[0; 16])
            .is_err()
    );
}

#[test]
fn wrong_min_and_max_give_a_warning() {
    let bytes = floats(&[1.0, 2.0]);
    let view = r#"{"buffer":0,"byteLength":8}"#;
    let warning_count = |bounds: &str| {
        let accessor =
            format!(r#"{{"bufferView":0,"componentType":5126,"count":2,"type":"SCALAR"{bounds}}}"#);
        scalars(view, &accessor, &bytes).unwrap().1.len()
    };
    assert_eq!(warning_count(""), 0);
    assert_eq!(warning_count(r#","min":[1],"max":[2]"#), 0);
    assert_eq!(warning_count(r#","min":[1.00001],"max":[1.99999]"#), 0);
    for bounds in [r#","min":[1.5]"#, r#","max":[1.5]"#, r#","min":[1,1],"max":[2]"#, r#","max":"2""#] {
        assert_eq!(warning_count(bounds), 1, "{bounds}");
    }
}

#[test]
fn unaligned_components_and_strides_of_keys_give_a_warning() {
    let view = r#"{"buffer":0,"byteLength":12,"byteStride":8}"#;
    let accessor = r#"{"bufferView":0,"componentType":5126,"count":2,"type":"SCALAR"}"#;
    let (numbers, warnings) = scalars(view, accessor, &floats(&[1.0, 2.0, 3.0])).unwrap();
    assert_eq!(numbers, [[1.0], [3.0]]);
    assert_eq!(warnings.len(), 1);
    let view = r#"{"buffer":0,"byteOffset":1,"byteLength":8}"#;
    assert_eq!(scalars(view, accessor, &[0; 12]).unwrap().1.len(), 1);
}
