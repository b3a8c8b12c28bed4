//! Invalid meshes are rejected with a message that names the vertex or the triangle.

use sinew::mesh::{Attributes, MeshError};
use sinew::skinning::{DirectionLength, Skinned};
use sinew::{Influences, LengthError, Mesh, MeshSource, Palette, SkinOptions};
use sinew_testkit::random::Random;

use crate::support::three_vertices::{COUNTS, JOINTS, NORMALS, POSITIONS, TANGENTS, THREE_VERTICES, WEIGHTS};
use crate::support::vertex_cloud::{VertexCloud, identity_skin};

const VALID: MeshSource<'_> = MeshSource { triangles: &[[0, 1, 2]], ..THREE_VERTICES };

fn build_error(source: &MeshSource<'_>) -> String {
    Mesh::new(source, &identity_skin(2)).expect_err("a fault").to_string()
}

fn influences_error(influences: Influences<'_>) -> String {
    build_error(&MeshSource { influences, ..VALID })
}

fn valid_mesh() -> Mesh {
    Mesh::new(&VALID, &identity_skin(2)).expect("a valid mesh")
}

/// The array with the last component of one element replaced.
fn with_last_component<const N: usize, const M: usize>(
    mut array: [[f32; N]; M],
    element: usize,
    bad: f32,
) -> [[f32; N]; M] {
    array[element][N - 1] = bad;
    array
}

#[test]
fn non_finite_vectors_are_rejected_with_their_vertex() {
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let positions = with_last_component(POSITIONS, 2, bad);
        let expected = "position of vertex 2: expected finite numbers, found others";
        assert_eq!(build_error(&MeshSource { positions: &positions, ..VALID }), expected);

        let normals = with_last_component(NORMALS, 0, bad);
        let expected = "normal of vertex 0: expected finite numbers, found others";
        assert_eq!(build_error(&MeshSource { normals: Some(&normals), ..VALID }), expected);

        let tangents = with_last_component(TANGENTS, 1, bad);
        let expected = "tangent of vertex 1: expected finite numbers, found others";
        assert_eq!(build_error(&MeshSource { tangents: Some(&tangents), ..VALID }), expected);
    }
}

#[test]
fn arrays_of_different_lengths_are_rejected() {
    let short = MeshSource { normals: Some(&NORMALS[..2]), ..VALID };
    assert_eq!(build_error(&short), "normals: expected 3, found 2");
    let short = MeshSource { tangents: Some(&TANGENTS[..1]), ..VALID };
    assert_eq!(build_error(&short), "tangents: expected 3, found 1");

    let counts = Influences::Variable { counts: &COUNTS[..2], joints: &JOINTS, weights: &WEIGHTS };
    assert_eq!(influences_error(counts), "counts of influences: expected 3, found 2");
    let joints = Influences::Variable { counts: &COUNTS, joints: &JOINTS[..3], weights: &WEIGHTS };
    assert_eq!(influences_error(joints), "joints of influences: expected 4, found 3");
    let weights = Influences::Variable { counts: &COUNTS, joints: &JOINTS, weights: &[1.0; 5] };
    assert_eq!(influences_error(weights), "weights of influences: expected 4, found 5");

    let four = Influences::Four { joints: &[[0; 4]; 2], weights: &[[1.0; 4]; 3] };
    assert_eq!(influences_error(four), "joints of influences: expected 3, found 2");
    let eight = Influences::Eight { joints: &[[0; 8]; 3], weights: &[[1.0; 8]; 4] };
    assert_eq!(influences_error(eight), "weights of influences: expected 3, found 4");
}

#[test]
fn influence_counts_beyond_all_memory_are_rejected() {
    let influences = Influences::Variable { counts: &[u32::MAX; 3], joints: &JOINTS, weights: &WEIGHTS };
    let found = Mesh::new(&MeshSource { influences, ..VALID }, &identity_skin(2)).unwrap_err();
    let MeshError::Length(LengthError { what, found, .. }) = found else { panic!("{found}") };
    assert_eq!((what, found), ("joints of influences", 4));
}

#[test]
fn tangents_without_normals_are_rejected_even_without_vertices() {
    let expected = "tangents: expected normals with them, found none";
    assert_eq!(build_error(&MeshSource { normals: None, ..VALID }), expected);
    let nothing = VertexCloud::default();
    assert_eq!(build_error(&MeshSource { normals: None, ..nothing.source() }), expected);
}

#[test]
fn a_joint_outside_the_skin_is_rejected_with_its_vertex() {
    let listed = Influences::Variable { counts: &COUNTS, joints: &[0, 0, 2, 1], weights: &WEIGHTS };
    assert_eq!(influences_error(listed), "vertex 1: expected a joint of the skin below 2, found 2");
    let huge = Influences::Variable { counts: &COUNTS, joints: &[0, 0, 1, u32::MAX], weights: &WEIGHTS };
    assert_eq!(influences_error(huge), "vertex 2: expected a joint of the skin below 2, found 4294967295");
    let four = Influences::Four { joints: &[[0, 1, 0, 65535]; 3], weights: &[[0.25; 4]; 3] };
    assert_eq!(influences_error(four), "vertex 0: expected a joint of the skin below 2, found 65535");
}

#[test]
fn negative_and_non_finite_weights_are_rejected_with_their_vertex() {
    for (bad, spelled) in
        [(f32::NAN, "NaN"), (f32::INFINITY, "inf"), (f32::NEG_INFINITY, "-inf"), (-0.5, "-0.5")]
    {
        let tail = format!("expected a finite number from zero up, found {spelled}");
        let listed =
            Influences::Variable { counts: &COUNTS, joints: &JOINTS, weights: &[1.0, 0.5, bad, 1.0] };
        assert_eq!(influences_error(listed), format!("weight of vertex 1 for joint 1: {tail}"));
        let mut weights = [[0.25; 8]; 3];
        weights[2][7] = bad;
        let eight = Influences::Eight { joints: &[[0; 8]; 3], weights: &weights };
        assert_eq!(influences_error(eight), format!("weight of vertex 2 for joint 0: {tail}"));
    }
}

#[test]
fn a_vertex_without_weight_is_rejected() {
    let zeros = Influences::Variable { counts: &COUNTS, joints: &JOINTS, weights: &[1.0, 0.0, -0.0, 1.0] };
    assert_eq!(influences_error(zeros), "weights of vertex 1: expected one above zero, found none");
    let none = Influences::Variable { counts: &[2, 2, 0], joints: &JOINTS, weights: &WEIGHTS };
    assert_eq!(influences_error(none), "weights of vertex 2: expected one above zero, found none");
}

#[test]
fn a_triangle_with_a_vertex_out_of_range_is_rejected() {
    let triangles: &[[u32; 3]] = &[[0, 1, 2], [0, 1, 3]];
    let expected = "triangle 1: expected a vertex below 3, found 3";
    assert_eq!(build_error(&MeshSource { triangles, ..VALID }), expected);
    let nothing = VertexCloud::default();
    let expected = "triangle 0: expected a vertex below 0, found 0";
    assert_eq!(build_error(&MeshSource { triangles: &[[0; 3]], ..nothing.source() }), expected);
}

#[test]
fn too_many_vertices_are_reported() {
    let error = MeshError::TooManyVertices { limit: 10, found: 11 };
    assert_eq!(error.to_string(), "mesh: expected at most 10 vertices, found 11");
}

#[test]
fn attributes_missing_from_the_mesh_are_rejected() {
    let bare = MeshSource { normals: None, tangents: None, ..VALID };
    let bare = Mesh::new(&bare, &identity_skin(2)).unwrap();
    let rejection = |requested| Skinned::new(&bare, requested).unwrap_err().to_string();
    assert_eq!(rejection(Attributes::Normals), "expected normals, found none");
    // Tangents need normals, which are reported first.
    assert_eq!(rejection(Attributes::Tangents), "expected normals, found none");
    let with_normals = Mesh::new(&MeshSource { tangents: None, ..VALID }, &identity_skin(2)).unwrap();
    for requested in [Attributes::Tangents, Attributes::Bitangents] {
        let found = Skinned::new(&with_normals, requested).unwrap_err();
        assert_eq!(found.to_string(), "expected tangents, found none");
    }

    // Memory of another mesh of the same size.
    let mut skinned = Skinned::new(&valid_mesh(), Attributes::Normals).unwrap();
    let palette = Palette::new(&identity_skin(2));
    let found = bare
        .skin(&palette, &SkinOptions::default().with_directions(DirectionLength::Unit), &mut skinned)
        .unwrap_err();
    assert_eq!(found, MeshError::MissingAttributes { requested: Attributes::Normals }.into());
}

#[test]
fn reading_attributes_that_were_not_skinned_is_rejected() {
    let (mesh, mut to) = (valid_mesh(), [[0.0; 3]; 3]);
    let positions = Skinned::new(&mesh, Attributes::Positions).unwrap();
    assert_eq!(positions.attributes(), Attributes::Positions);
    assert_eq!(positions.normals(&mesh, &mut to).unwrap_err().to_string(), "expected normals, found none");
    let normals = Skinned::new(&mesh, Attributes::Normals).unwrap();
    assert_eq!(normals.tangents(&mesh, &mut to).unwrap_err().to_string(), "expected tangents, found none");
}

#[test]
fn a_palette_of_another_skin_is_rejected() {
    let mesh = valid_mesh();
    let mut skinned = Skinned::new(&mesh, Attributes::Positions).unwrap();
    let found = mesh
        .skin(
            &Palette::new(&identity_skin(3)),
            &SkinOptions::default().with_directions(DirectionLength::Unit),
            &mut skinned,
        )
        .unwrap_err();
    assert_eq!(found.to_string(), "palette: expected 2, found 3");
}

#[test]
fn memory_of_another_mesh_is_rejected() {
    let (mesh, skin) = (valid_mesh(), identity_skin(2));
    let other = VertexCloud::new(40, 2, 2, &mut Random::new(1)).mesh(&skin);
    let mut skinned = Skinned::new(&other, Attributes::Tangents).unwrap();
    let found = mesh
        .skin(
            &Palette::new(&skin),
            &SkinOptions::default().with_directions(DirectionLength::Unit),
            &mut skinned,
        )
        .unwrap_err();
    assert_eq!(found.to_string(), "skinned vertices: expected 3, found 40");
    let found = skinned.positions(&mesh, &mut [[0.0; 3]; 3]).unwrap_err();
    assert_eq!(found.to_string(), "skinned vertices: expected 3, found 40");

    // As many vertices, but fewer slots: two runs, and one.
    let by_joint = |joints: &[u32; 34]| {
        let influences = Influences::Variable { counts: &[1; 34], joints, weights: &[1.0; 34] };
        Mesh::new(&MeshSource::new(&[[0.0; 3]; 34], influences), &skin).unwrap()
    };
    let mesh = by_joint(&std::array::from_fn(|vertex| vertex as u32 % 2));
    let mut skinned = Skinned::new(&by_joint(&[0; 34]), Attributes::Positions).unwrap();
    let found = mesh.skin(&Palette::new(&skin), &SkinOptions::default(), &mut skinned).unwrap_err();
    assert_eq!(found.to_string(), "skinned blocks: expected 6, found 5");
}

#[test]
fn slices_of_the_wrong_length_are_rejected() {
    let mesh = valid_mesh();
    let skinned = Skinned::new(&mesh, Attributes::Tangents).unwrap();
    for read in [Skinned::positions, Skinned::normals, Skinned::tangents] {
        let found = read(&skinned, &mesh, &mut [[0.0; 3]; 2]).unwrap_err();
        assert_eq!(found.to_string(), "vectors by vertex: expected 3, found 2");
    }
    let found = mesh.to_run_order(&[0_u8; 4]).unwrap_err();
    assert_eq!(found.to_string(), "elements by vertex: expected 3, found 4");
    let found = mesh.to_source_order(&[0_u8; 3]).unwrap_err();
    assert_eq!(found.to_string(), "elements by slot: expected 8, found 3");
}
