//! Faults of what a source may have beside its arrays: bitangents, ranges, levels, influences in joint space.

use crate::cloud;

use sinew::{Bone, Influences, Matrix, Mesh, MeshSource, Skeleton, Skin, Transform, TriangleRange, Weights};

const POSITIONS: [[f32; 3]; 3] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
const NORMALS: [[f32; 3]; 3] = [[0.0, 0.0, 1.0]; 3];
const TANGENTS: [[f32; 4]; 3] = [[1.0, 0.0, 0.0, -1.0]; 3];
const BITANGENTS: [[f32; 3]; 3] = [[0.0, 1.0, 0.0]; 3];
const COUNTS: [u32; 3] = [1, 2, 1];
const JOINTS: [u32; 4] = [0, 0, 1, 1];
const WEIGHTS: [f32; 4] = [1.0, 0.5, 0.5, 1.0];
const VECTORS: [[f32; 3]; 4] = [[1.0, 2.0, 3.0]; 4];
const LISTED: Influences<'_> = Influences::Listed { counts: &COUNTS, joints: &JOINTS, weights: &WEIGHTS };
const SOUND: MeshSource<'_> = MeshSource {
    normals: Some(&NORMALS),
    tangents: Some(&TANGENTS),
    bitangents: Some(&BITANGENTS),
    triangles: &[[0, 1, 2], [2, 1, 0]],
    ..MeshSource::new(&POSITIONS, LISTED)
};

fn refused(source: &MeshSource<'_>) -> String {
    Mesh::new(source, &cloud::skin(2)).expect_err("a fault").to_string()
}

/// The message for a mesh in joint space with these arrays.
fn refused_in_joint_space(joints: &[u32], weights: &[f32], vectors: &[[f32; 3]]) -> String {
    let influences = Influences::JointSpace { counts: &COUNTS, joints, weights, vectors };
    refused(&MeshSource { positions: &[], influences, ..SOUND })
}

#[test]
fn the_sound_sources_are_taken() {
    assert!(Mesh::new(&SOUND, &cloud::skin(2)).is_ok());
    let influences =
        Influences::JointSpace { counts: &COUNTS, joints: &JOINTS, weights: &WEIGHTS, vectors: &VECTORS };
    let source = MeshSource { positions: &[], influences, ..SOUND };
    assert!(Mesh::new(&source, &cloud::skin(2)).is_ok());
}

#[test]
fn bitangents_are_checked_like_the_other_vectors() {
    let expected = "bitangents: expected tangents beside them, found none";
    assert_eq!(refused(&MeshSource { tangents: None, ..SOUND }), expected);
    let short = MeshSource { bitangents: Some(&BITANGENTS[..2]), ..SOUND };
    assert_eq!(refused(&short), "bitangents: expected 3, found 2");
    let mut bitangents = BITANGENTS;
    bitangents[1][2] = f32::INFINITY;
    let found = refused(&MeshSource { bitangents: Some(&bitangents), ..SOUND });
    assert_eq!(found, "bitangent of vertex 1: expected finite numbers, found others");
}

#[test]
fn a_range_of_triangles_that_are_not_there_is_refused() {
    let sound = TriangleRange { triangles: 0..2, material: "cloth" };
    let reversed = std::ops::Range { start: 2, end: 1 };
    for triangles in [1..3, reversed, 0..usize::MAX] {
        let spelled = format!("{triangles:?}");
        let ranges = [sound.clone(), TriangleRange { triangles, material: "cloth" }];
        let expected = format!("range 1 of triangles: expected one within 0..2, found {spelled}");
        assert_eq!(refused(&MeshSource { ranges: &ranges, ..SOUND }), expected);
    }
}

#[test]
fn a_level_without_influences_is_refused() {
    let found = refused(&MeshSource { levels: &[3, 0], ..SOUND });
    assert_eq!(found, "level of detail 1: expected at least one influence, found none");
}

#[test]
fn weights_as_stored_must_have_a_finite_sum() {
    let largest = [1.0, f32::MAX, f32::MAX, 1.0];
    let influences = Influences::Listed { counts: &COUNTS, joints: &JOINTS, weights: &largest };
    let source = MeshSource { influences, weights: Weights::AsStored, ..SOUND };
    let expected = "weights of vertex 1: expected a finite sum, found one too large";
    assert_eq!(refused(&source), expected);
    assert_eq!(refused_in_joint_space(&JOINTS, &largest, &VECTORS), expected);
    assert!(Mesh::new(&MeshSource { weights: Weights::Normalised, ..source }, &cloud::skin(2)).is_ok());
}

#[test]
fn weights_as_stored_are_checked_like_others() {
    for (bad, spelled) in [(f32::NAN, "NaN"), (-0.5, "-0.5"), (f32::INFINITY, "inf")] {
        let weights = [1.0, 0.5, bad, 1.0];
        let expected =
            format!("weight of vertex 1 for joint 1: expected a finite number from zero up, found {spelled}");
        let influences = Influences::Listed { counts: &COUNTS, joints: &JOINTS, weights: &weights };
        assert_eq!(refused(&MeshSource { influences, weights: Weights::AsStored, ..SOUND }), expected);
        assert_eq!(refused_in_joint_space(&JOINTS, &weights, &VECTORS), expected);
    }
    let expected = "weights of vertex 2: expected one above zero, found none";
    let weights = [1.0, 0.5, 0.5, 0.0];
    let influences = Influences::Listed { counts: &COUNTS, joints: &JOINTS, weights: &weights };
    assert_eq!(refused(&MeshSource { influences, weights: Weights::AsStored, ..SOUND }), expected);
    assert_eq!(refused_in_joint_space(&JOINTS, &weights, &VECTORS), expected);
}

#[test]
fn arrays_in_joint_space_must_fit_the_counts() {
    let found = refused_in_joint_space(&JOINTS[1..], &WEIGHTS, &VECTORS);
    assert_eq!(found, "joints of influences: expected 4, found 3");
    let found = refused_in_joint_space(&JOINTS, &WEIGHTS[1..], &VECTORS);
    assert_eq!(found, "weights of influences: expected 4, found 3");
    let found = refused_in_joint_space(&JOINTS, &WEIGHTS, &VECTORS[1..]);
    assert_eq!(found, "vectors of influences: expected 4, found 3");
    let found = refused_in_joint_space(&[0, 0, 2, 1], &WEIGHTS, &VECTORS);
    assert_eq!(found, "vertex 1: expected a joint of the skin below 2, found 2");
    let influences = Influences::JointSpace {
        counts: &COUNTS[..2],
        joints: &JOINTS[..3],
        weights: &WEIGHTS[..3],
        vectors: &VECTORS[..3],
    };
    let found = refused(&MeshSource { positions: &[], influences, ..SOUND });
    assert_eq!(found, "normals: expected 2, found 3");
}

#[test]
fn positions_beside_joint_space_are_refused() {
    let influences =
        Influences::JointSpace { counts: &COUNTS, joints: &JOINTS, weights: &WEIGHTS, vectors: &VECTORS };
    let found = refused(&MeshSource { influences, ..SOUND });
    assert_eq!(found, "positions: expected none beside influences in joint space, found 3");
}

#[test]
fn a_vector_that_is_not_finite_is_refused_with_its_vertex() {
    for bad in [f32::NAN, f32::INFINITY] {
        let mut vectors = VECTORS;
        vectors[2][1] = bad;
        let found = refused_in_joint_space(&JOINTS, &WEIGHTS, &vectors);
        assert_eq!(found, "vector of an influence of vertex 1: expected finite numbers, found others");
        // What has no weight moves nothing.
        let influences = Influences::JointSpace {
            counts: &COUNTS,
            joints: &JOINTS,
            weights: &[1.0, 0.5, 0.0, 1.0],
            vectors: &vectors,
        };
        let source = MeshSource { positions: &[], influences, ..SOUND };
        assert!(Mesh::new(&source, &cloud::skin(2)).is_ok());
    }
    let mut vectors = VECTORS;
    vectors[3] = [f32::MAX; 3];
    let found = refused_in_joint_space(&JOINTS, &[1.0, 0.5, 0.5, 2.0], &vectors);
    assert_eq!(found, "weighted vector of vertex 2: expected finite numbers, found others");
    let found = refused_in_joint_space(&JOINTS, &[1.0, 1.0, 1.0, 1.0], &[[f32::MAX; 3]; 4]);
    assert_eq!(found, "position of vertex 1: expected finite numbers, found others");
}

#[test]
fn a_bind_without_inverse_is_refused_where_a_vector_needs_it() {
    let bones = vec![Bone::new("", None, Transform::IDENTITY); 8];
    let skeleton = Skeleton::new(&bones).unwrap();
    let skin = Skin::with_inverse_binds(&skeleton, &[3, 7], &[Matrix::IDENTITY, Matrix::ZERO]).unwrap();
    let influences =
        Influences::JointSpace { counts: &COUNTS, joints: &JOINTS, weights: &WEIGHTS, vectors: &VECTORS };
    let source = MeshSource { positions: &[], influences, ..SOUND };
    let found = Mesh::new(&source, &skin).unwrap_err().to_string();
    let expected = "inverse bind 1 of the skin (joint 7): expected one that has an inverse, found none";
    assert_eq!(found, expected);

    let first =
        Influences::JointSpace { counts: &COUNTS, joints: &[0; 4], weights: &WEIGHTS, vectors: &VECTORS };
    assert!(Mesh::new(&MeshSource { influences: first, ..source }, &skin).is_ok());
    assert!(Mesh::new(&SOUND, &skin).is_ok());
}
