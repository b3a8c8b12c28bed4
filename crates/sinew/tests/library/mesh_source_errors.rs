//! Errors in optional parts of a mesh source: bitangents, triangle ranges, LODs, stored weights and
//! influences in joint space.

use sinew::mesh::{TriangleRange, Weights};
use sinew::{Bone, Influences, JointId, Matrix, Mesh, MeshSource, Skeleton, Skin, Transform};

use crate::support::three_vertices::{COUNTS, JOINTS, THREE_VERTICES, WEIGHTS};
use crate::support::vertex_cloud::identity_skin;

const BITANGENTS: [[f32; 3]; 3] = [[0.0, 1.0, 0.0]; 3];
const VECTORS: [[f32; 3]; 4] = [[1.0, 2.0, 3.0]; 4];
const VALID: MeshSource<'_> =
    MeshSource { bitangents: Some(&BITANGENTS), triangles: &[[0, 1, 2], [2, 1, 0]], ..THREE_VERTICES };

fn build_error(source: &MeshSource<'_>) -> String {
    Mesh::new(source, &identity_skin(2)).expect_err("a fault").to_string()
}

/// The error message for a mesh in joint space with these arrays.
fn joint_space_error(joints: &[u32], weights: &[f32], vectors: &[[f32; 3]]) -> String {
    let influences = Influences::JointSpace { counts: &COUNTS, joints, weights, vectors };
    build_error(&MeshSource { positions: &[], influences, ..VALID })
}

#[test]
fn valid_sources_are_accepted() {
    assert!(Mesh::new(&VALID, &identity_skin(2)).is_ok());
    let influences =
        Influences::JointSpace { counts: &COUNTS, joints: &JOINTS, weights: &WEIGHTS, vectors: &VECTORS };
    let source = MeshSource { positions: &[], influences, ..VALID };
    assert!(Mesh::new(&source, &identity_skin(2)).is_ok());
}

#[test]
fn bitangents_are_validated_like_the_other_vectors() {
    let expected = "bitangents: expected tangents with them, found none";
    assert_eq!(build_error(&MeshSource { tangents: None, ..VALID }), expected);
    let short = MeshSource { bitangents: Some(&BITANGENTS[..2]), ..VALID };
    assert_eq!(build_error(&short), "bitangents: expected 3, found 2");
    let mut bitangents = BITANGENTS;
    bitangents[1][2] = f32::INFINITY;
    let found = build_error(&MeshSource { bitangents: Some(&bitangents), ..VALID });
    assert_eq!(found, "bitangent of vertex 1: expected finite numbers, found others");
}

#[test]
fn a_range_of_missing_triangles_is_rejected() {
    let valid = TriangleRange { triangles: 0..2, material: "cloth" };
    let reversed = std::ops::Range { start: 2, end: 1 };
    for triangles in [1..3, reversed, 0..usize::MAX] {
        let spelled = format!("{triangles:?}");
        let ranges = [valid.clone(), TriangleRange { triangles, material: "cloth" }];
        let expected = format!("range 1 of triangles: expected one within 0..2, found {spelled}");
        assert_eq!(build_error(&MeshSource { ranges: &ranges, ..VALID }), expected);
    }
}

#[test]
fn a_lod_without_influences_is_rejected() {
    let found = build_error(&MeshSource { levels: &[3, 0], ..VALID });
    assert_eq!(found, "level of detail 1: expected at least one influence, found none");
}

#[test]
fn stored_weights_must_have_a_finite_sum() {
    let largest = [1.0, f32::MAX, f32::MAX, 1.0];
    let influences = Influences::Variable { counts: &COUNTS, joints: &JOINTS, weights: &largest };
    let source = MeshSource { influences, weights: Weights::AsStored, ..VALID };
    let expected = "weights of vertex 1: expected a finite sum, found one too large";
    assert_eq!(build_error(&source), expected);
    assert_eq!(joint_space_error(&JOINTS, &largest, &VECTORS), expected);
    assert!(Mesh::new(&MeshSource { weights: Weights::Normalized, ..source }, &identity_skin(2)).is_ok());
}

#[test]
fn stored_weights_are_validated_like_normalized_ones() {
    for (bad, spelled) in [(f32::NAN, "NaN"), (-0.5, "-0.5"), (f32::INFINITY, "inf")] {
        let weights = [1.0, 0.5, bad, 1.0];
        let expected =
            format!("weight of vertex 1 for joint 1: expected a finite number from zero up, found {spelled}");
        let influences = Influences::Variable { counts: &COUNTS, joints: &JOINTS, weights: &weights };
        assert_eq!(build_error(&MeshSource { influences, weights: Weights::AsStored, ..VALID }), expected);
        assert_eq!(joint_space_error(&JOINTS, &weights, &VECTORS), expected);
    }
    let expected = "weights of vertex 2: expected one above zero, found none";
    let weights = [1.0, 0.5, 0.5, 0.0];
    let influences = Influences::Variable { counts: &COUNTS, joints: &JOINTS, weights: &weights };
    assert_eq!(build_error(&MeshSource { influences, weights: Weights::AsStored, ..VALID }), expected);
    assert_eq!(joint_space_error(&JOINTS, &weights, &VECTORS), expected);
}

#[test]
fn joint_space_arrays_must_match_the_counts() {
    let found = joint_space_error(&JOINTS[1..], &WEIGHTS, &VECTORS);
    assert_eq!(found, "joints of influences: expected 4, found 3");
    let found = joint_space_error(&JOINTS, &WEIGHTS[1..], &VECTORS);
    assert_eq!(found, "weights of influences: expected 4, found 3");
    let found = joint_space_error(&JOINTS, &WEIGHTS, &VECTORS[1..]);
    assert_eq!(found, "vectors of influences: expected 4, found 3");
    let found = joint_space_error(&[0, 0, 2, 1], &WEIGHTS, &VECTORS);
    assert_eq!(found, "vertex 1: expected a joint of the skin below 2, found 2");
    let influences = Influences::JointSpace {
        counts: &COUNTS[..2],
        joints: &JOINTS[..3],
        weights: &WEIGHTS[..3],
        vectors: &VECTORS[..3],
    };
    let found = build_error(&MeshSource { positions: &[], influences, ..VALID });
    assert_eq!(found, "normals: expected 2, found 3");
}

#[test]
fn positions_with_joint_space_influences_are_rejected() {
    let influences =
        Influences::JointSpace { counts: &COUNTS, joints: &JOINTS, weights: &WEIGHTS, vectors: &VECTORS };
    let found = build_error(&MeshSource { influences, ..VALID });
    assert_eq!(found, "positions: expected none with influences in joint space, found 3");
}

#[test]
fn non_finite_joint_space_vectors_are_rejected_with_their_vertex() {
    for bad in [f32::NAN, f32::INFINITY] {
        let mut vectors = VECTORS;
        vectors[2][1] = bad;
        let found = joint_space_error(&JOINTS, &WEIGHTS, &vectors);
        assert_eq!(found, "vector of an influence of vertex 1: expected finite numbers, found others");
        // The vector of a zero weight is not used.
        let influences = Influences::JointSpace {
            counts: &COUNTS,
            joints: &JOINTS,
            weights: &[1.0, 0.5, 0.0, 1.0],
            vectors: &vectors,
        };
        let source = MeshSource { positions: &[], influences, ..VALID };
        assert!(Mesh::new(&source, &identity_skin(2)).is_ok());
    }
    let mut vectors = VECTORS;
    vectors[3] = [f32::MAX; 3];
    let found = joint_space_error(&JOINTS, &[1.0, 0.5, 0.5, 2.0], &vectors);
    assert_eq!(found, "weighted vector of vertex 2: expected finite numbers, found others");
    let found = joint_space_error(&JOINTS, &[1.0, 1.0, 1.0, 1.0], &[[f32::MAX; 3]; 4]);
    assert_eq!(found, "position of vertex 1: expected finite numbers, found others");
}

#[test]
fn a_singular_bind_is_rejected_where_a_joint_space_vector_needs_it() {
    let bones = vec![Bone::new("", None, Transform::IDENTITY); 8];
    let skeleton = Skeleton::new(&bones).unwrap();
    let skin = Skin::with_inverse_binds(
        &skeleton,
        &[JointId::new(3), JointId::new(7)],
        &[Matrix::IDENTITY, Matrix::ZERO],
    )
    .unwrap();
    let influences =
        Influences::JointSpace { counts: &COUNTS, joints: &JOINTS, weights: &WEIGHTS, vectors: &VECTORS };
    let source = MeshSource { positions: &[], influences, ..VALID };
    let found = Mesh::new(&source, &skin).unwrap_err().to_string();
    let expected = "inverse bind 1 of the skin (joint 7): expected one that has an inverse, found none";
    assert_eq!(found, expected);

    let first =
        Influences::JointSpace { counts: &COUNTS, joints: &[0; 4], weights: &WEIGHTS, vectors: &VECTORS };
    assert!(Mesh::new(&MeshSource { influences: first, ..source }, &skin).is_ok());
    assert!(Mesh::new(&VALID, &skin).is_ok());
}
