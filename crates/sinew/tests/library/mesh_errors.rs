//! Every fault of a mesh is refused, with a message that names the vertex or triangle.

use crate::cloud;

use crate::cloud::Cloud;
use sinew::{
    Attributes, DirectionLength, Error, Influences, Mesh, MeshSource, Palette, SkinOptions, Skinned,
};
use sinew_testkit::random::Random;

/// Three vertices on a skin of two joints.
const POSITIONS: [[f32; 3]; 3] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
const NORMALS: [[f32; 3]; 3] = [[0.0, 0.0, 1.0]; 3];
const TANGENTS: [[f32; 4]; 3] = [[1.0, 0.0, 0.0, -1.0]; 3];
const COUNTS: [u32; 3] = [1, 2, 1];
const JOINTS: [u32; 4] = [0, 0, 1, 1];
const WEIGHTS: [f32; 4] = [1.0, 0.5, 0.5, 1.0];
const LISTED: Influences<'_> = Influences::Listed { counts: &COUNTS, joints: &JOINTS, weights: &WEIGHTS };
const SOUND: MeshSource<'_> = MeshSource {
    normals: Some(&NORMALS),
    tangents: Some(&TANGENTS),
    triangles: &[[0, 1, 2]],
    ..MeshSource::new(&POSITIONS, LISTED)
};

fn refused(source: &MeshSource<'_>) -> String {
    Mesh::new(source, &cloud::skin(2)).expect_err("a fault").to_string()
}

fn refused_influences(influences: Influences<'_>) -> String {
    refused(&MeshSource { influences, ..SOUND })
}

fn sound() -> Mesh {
    Mesh::new(&SOUND, &cloud::skin(2)).expect("a sound mesh")
}

/// The array with a number put into one element.
fn with<const N: usize, const M: usize>(mut array: [[f32; N]; M], element: usize, bad: f32) -> [[f32; N]; M] {
    array[element][N - 1] = bad;
    array
}

#[test]
fn a_vector_that_is_not_finite_is_refused_with_its_vertex() {
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let positions = with(POSITIONS, 2, bad);
        let expected = "position of vertex 2: expected finite numbers, found others";
        assert_eq!(refused(&MeshSource { positions: &positions, ..SOUND }), expected);

        let normals = with(NORMALS, 0, bad);
        let expected = "normal of vertex 0: expected finite numbers, found others";
        assert_eq!(refused(&MeshSource { normals: Some(&normals), ..SOUND }), expected);

        let tangents = with(TANGENTS, 1, bad);
        let expected = "tangent of vertex 1: expected finite numbers, found others";
        assert_eq!(refused(&MeshSource { tangents: Some(&tangents), ..SOUND }), expected);
    }
}

#[test]
fn arrays_of_different_length_are_refused() {
    let short = MeshSource { normals: Some(&NORMALS[..2]), ..SOUND };
    assert_eq!(refused(&short), "normals: expected 3, found 2");
    let short = MeshSource { tangents: Some(&TANGENTS[..1]), ..SOUND };
    assert_eq!(refused(&short), "tangents: expected 3, found 1");

    let counts = Influences::Listed { counts: &COUNTS[..2], joints: &JOINTS, weights: &WEIGHTS };
    assert_eq!(refused_influences(counts), "counts of influences: expected 3, found 2");
    let joints = Influences::Listed { counts: &COUNTS, joints: &JOINTS[..3], weights: &WEIGHTS };
    assert_eq!(refused_influences(joints), "joints of influences: expected 4, found 3");
    let weights = Influences::Listed { counts: &COUNTS, joints: &JOINTS, weights: &[1.0; 5] };
    assert_eq!(refused_influences(weights), "weights of influences: expected 4, found 5");

    let four = Influences::Four { joints: &[[0; 4]; 2], weights: &[[1.0; 4]; 3] };
    assert_eq!(refused_influences(four), "joints of influences: expected 3, found 2");
    let eight = Influences::Eight { joints: &[[0; 8]; 3], weights: &[[1.0; 8]; 4] };
    assert_eq!(refused_influences(eight), "weights of influences: expected 3, found 4");
}

#[test]
fn counts_beyond_all_memory_are_refused() {
    let influences = Influences::Listed { counts: &[u32::MAX; 3], joints: &JOINTS, weights: &WEIGHTS };
    let found = Mesh::new(&MeshSource { influences, ..SOUND }, &cloud::skin(2)).unwrap_err();
    assert!(matches!(found, Error::Length { what: "joints of influences", found: 4, .. }), "{found}");
}

#[test]
fn tangents_without_normals_are_refused_even_without_vertices() {
    let expected = "tangents: expected normals beside them, found none";
    assert_eq!(refused(&MeshSource { normals: None, ..SOUND }), expected);
    let nothing = Cloud::default();
    assert_eq!(refused(&MeshSource { normals: None, ..nothing.source() }), expected);
}

#[test]
fn a_joint_that_is_not_in_the_skin_is_refused_with_its_vertex() {
    let listed = Influences::Listed { counts: &COUNTS, joints: &[0, 0, 2, 1], weights: &WEIGHTS };
    assert_eq!(refused_influences(listed), "vertex 1: expected a joint of the skin below 2, found 2");
    let huge = Influences::Listed { counts: &COUNTS, joints: &[0, 0, 1, u32::MAX], weights: &WEIGHTS };
    assert_eq!(refused_influences(huge), "vertex 2: expected a joint of the skin below 2, found 4294967295");
    let four = Influences::Four { joints: &[[0, 1, 0, 65535]; 3], weights: &[[0.25; 4]; 3] };
    assert_eq!(refused_influences(four), "vertex 0: expected a joint of the skin below 2, found 65535");
}

#[test]
fn a_weight_that_is_negative_or_not_finite_is_refused_with_its_vertex() {
    for (bad, spelled) in
        [(f32::NAN, "NaN"), (f32::INFINITY, "inf"), (f32::NEG_INFINITY, "-inf"), (-0.5, "-0.5")]
    {
        let tail = format!("expected a finite number from zero up, found {spelled}");
        let listed = Influences::Listed { counts: &COUNTS, joints: &JOINTS, weights: &[1.0, 0.5, bad, 1.0] };
        assert_eq!(refused_influences(listed), format!("weight of vertex 1 for joint 1: {tail}"));
        let mut weights = [[0.25; 8]; 3];
        weights[2][7] = bad;
        let eight = Influences::Eight { joints: &[[0; 8]; 3], weights: &weights };
        assert_eq!(refused_influences(eight), format!("weight of vertex 2 for joint 0: {tail}"));
    }
}

#[test]
fn a_vertex_without_weight_is_refused() {
    let zeros = Influences::Listed { counts: &COUNTS, joints: &JOINTS, weights: &[1.0, 0.0, -0.0, 1.0] };
    assert_eq!(refused_influences(zeros), "weights of vertex 1: expected one above zero, found none");
    let none = Influences::Listed { counts: &[2, 2, 0], joints: &JOINTS, weights: &WEIGHTS };
    assert_eq!(refused_influences(none), "weights of vertex 2: expected one above zero, found none");
}

#[test]
fn a_triangle_with_a_vertex_that_is_not_there_is_refused() {
    let triangles: &[[u32; 3]] = &[[0, 1, 2], [0, 1, 3]];
    let expected = "triangle 1: expected a vertex below 3, found 3";
    assert_eq!(refused(&MeshSource { triangles, ..SOUND }), expected);
    let nothing = Cloud::default();
    let expected = "triangle 0: expected a vertex below 0, found 0";
    assert_eq!(refused(&MeshSource { triangles: &[[0; 3]], ..nothing.source() }), expected);
}

#[test]
fn too_many_vertices_are_told() {
    let error = Error::TooManyVertices { limit: 10, found: 11 };
    assert_eq!(error.to_string(), "mesh: expected at most 10 vertices, found 11");
}

#[test]
fn attributes_that_the_mesh_does_not_have_are_refused() {
    let bare = MeshSource { normals: None, tangents: None, ..SOUND };
    let bare = Mesh::new(&bare, &cloud::skin(2)).unwrap();
    let refused = |asked| Skinned::new(&bare, asked).unwrap_err().to_string();
    assert_eq!(refused(Attributes::Normals), "expected normals, found none");
    // Those are what is missing first.
    assert_eq!(refused(Attributes::Tangents), "expected normals, found none");
    let with_normals = Mesh::new(&MeshSource { tangents: None, ..SOUND }, &cloud::skin(2)).unwrap();
    for asked in [Attributes::Tangents, Attributes::Bitangents] {
        let found = Skinned::new(&with_normals, asked).unwrap_err();
        assert_eq!(found.to_string(), "expected tangents, found none");
    }

    // Memory of another mesh of the same size.
    let mut skinned = Skinned::new(&sound(), Attributes::Normals).unwrap();
    let palette = Palette::new(&cloud::skin(2));
    let found = bare
        .skin(
            &palette,
            &SkinOptions { directions: DirectionLength::Unit, ..SkinOptions::default() },
            &mut skinned,
        )
        .unwrap_err();
    assert_eq!(found, Error::MissingAttributes { asked: Attributes::Normals });
}

#[test]
fn attributes_that_were_not_skinned_are_refused() {
    let (mesh, mut to) = (sound(), [[0.0; 3]; 3]);
    let positions = Skinned::new(&mesh, Attributes::Positions).unwrap();
    assert_eq!(positions.attributes(), Attributes::Positions);
    assert_eq!(positions.normals(&mesh, &mut to).unwrap_err().to_string(), "expected normals, found none");
    let normals = Skinned::new(&mesh, Attributes::Normals).unwrap();
    assert_eq!(normals.tangents(&mesh, &mut to).unwrap_err().to_string(), "expected tangents, found none");
}

#[test]
fn a_palette_of_another_skin_is_refused() {
    let mesh = sound();
    let mut skinned = Skinned::new(&mesh, Attributes::Positions).unwrap();
    let found = mesh
        .skin(
            &Palette::new(&cloud::skin(3)),
            &SkinOptions { directions: DirectionLength::Unit, ..SkinOptions::default() },
            &mut skinned,
        )
        .unwrap_err();
    assert_eq!(found.to_string(), "palette: expected 2, found 3");
}

#[test]
fn memory_of_another_mesh_is_refused() {
    let (mesh, skin) = (sound(), cloud::skin(2));
    let other = Cloud::new(40, 2, 2, &mut Random::new(1)).mesh(&skin);
    let mut skinned = Skinned::new(&other, Attributes::Tangents).unwrap();
    let found = mesh
        .skin(
            &Palette::new(&skin),
            &SkinOptions { directions: DirectionLength::Unit, ..SkinOptions::default() },
            &mut skinned,
        )
        .unwrap_err();
    assert_eq!(found.to_string(), "skinned vertices: expected 3, found 40");
    let found = skinned.positions(&mesh, &mut [[0.0; 3]; 3]).unwrap_err();
    assert_eq!(found.to_string(), "skinned vertices: expected 3, found 40");

    // As many vertices, in fewer places.
    let influences = Influences::Listed { counts: &[1; 3], joints: &[0; 3], weights: &[1.0; 3] };
    let other = Mesh::new(&MeshSource { influences, ..SOUND }, &skin).unwrap();
    let mut skinned = Skinned::new(&other, Attributes::Normals).unwrap();
    let found = mesh
        .skin(
            &Palette::new(&skin),
            &SkinOptions { directions: DirectionLength::Unit, ..SkinOptions::default() },
            &mut skinned,
        )
        .unwrap_err();
    assert_eq!(found.to_string(), "skinned blocks: expected 4, found 2");
}

#[test]
fn slices_that_are_not_as_long_as_the_mesh_are_refused() {
    let mesh = sound();
    let skinned = Skinned::new(&mesh, Attributes::Tangents).unwrap();
    for read in [Skinned::positions, Skinned::normals, Skinned::tangents] {
        let found = read(&skinned, &mesh, &mut [[0.0; 3]; 2]).unwrap_err();
        assert_eq!(found.to_string(), "vectors by vertex: expected 3, found 2");
    }
    let found = mesh.to_run_order(&[0_u8; 4]).unwrap_err();
    assert_eq!(found.to_string(), "elements by vertex: expected 3, found 4");
    let found = mesh.to_source_order(&[0_u8; 3]).unwrap_err();
    assert_eq!(found.to_string(), "elements by place: expected 16, found 3");
}
